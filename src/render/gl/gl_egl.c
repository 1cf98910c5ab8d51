/* EGL without a surface: Mesa's surfaceless platform, else the first device that works. */
#include "render/gl/gl_backend.h"

#include <dlfcn.h>
#include <stdio.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

enum { MAX_DEVICES = 16 };

typedef struct Egl {
    EGLDisplay display;
    EGLContext context;
    PFNEGLGETPROCADDRESSPROC find;
    PFNEGLINITIALIZEPROC initialize;
    PFNEGLTERMINATEPROC terminate;
    PFNEGLBINDAPIPROC bind_api;
    PFNEGLCREATECONTEXTPROC create_context;
    PFNEGLDESTROYCONTEXTPROC destroy_context;
    PFNEGLMAKECURRENTPROC make_current;
    PFNEGLGETPLATFORMDISPLAYEXTPROC platform_display;
    PFNEGLQUERYDEVICESEXTPROC query_devices; /* NULL if not supported */
} Egl;

/* clang-format off */
static const EGLint ATTRIBUTES[] = {
    EGL_CONTEXT_MAJOR_VERSION, 4,
    EGL_CONTEXT_MINOR_VERSION, 5,
    EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
    EGL_NONE};
/* clang-format on */

/* The library is never closed: Mesa crashes when it is unloaded. */
static bool find_functions(Egl *egl, char reason[GL_REASON_SIZE])
{
    void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        snprintf(reason, GL_REASON_SIZE, "%s", dlerror());
        return false;
    }
    egl->find = (PFNEGLGETPROCADDRESSPROC)gl_library_symbol(library, "eglGetProcAddress");
    egl->initialize = (PFNEGLINITIALIZEPROC)gl_library_symbol(library, "eglInitialize");
    egl->terminate = (PFNEGLTERMINATEPROC)gl_library_symbol(library, "eglTerminate");
    egl->bind_api = (PFNEGLBINDAPIPROC)gl_library_symbol(library, "eglBindAPI");
    egl->create_context = (PFNEGLCREATECONTEXTPROC)gl_library_symbol(library, "eglCreateContext");
    egl->destroy_context =
        (PFNEGLDESTROYCONTEXTPROC)gl_library_symbol(library, "eglDestroyContext");
    egl->make_current = (PFNEGLMAKECURRENTPROC)gl_library_symbol(library, "eglMakeCurrent");
    if (egl->find != NULL) {
        egl->platform_display =
            (PFNEGLGETPLATFORMDISPLAYEXTPROC)egl->find("eglGetPlatformDisplayEXT");
        egl->query_devices = (PFNEGLQUERYDEVICESEXTPROC)egl->find("eglQueryDevicesEXT");
    }
    if (egl->initialize == NULL || egl->terminate == NULL || egl->bind_api == NULL ||
        egl->create_context == NULL || egl->destroy_context == NULL || egl->make_current == NULL ||
        egl->platform_display == NULL) {
        snprintf(reason, GL_REASON_SIZE, "libEGL.so.1 is too old");
        return false;
    }
    return true;
}

static bool make_context(Egl *egl)
{
    if (egl->display == EGL_NO_DISPLAY || !egl->initialize(egl->display, NULL, NULL))
        return false;
    if (egl->bind_api(EGL_OPENGL_API)) {
        egl->context =
            egl->create_context(egl->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, ATTRIBUTES);
        if (egl->context != EGL_NO_CONTEXT) {
            if (egl->make_current(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl->context))
                return true;
            egl->destroy_context(egl->display, egl->context);
        }
    }
    egl->terminate(egl->display);
    return false;
}

static bool try_devices(Egl *egl)
{
    EGLDeviceEXT devices[MAX_DEVICES];
    EGLint count = 0;

    if (egl->query_devices == NULL || !egl->query_devices(MAX_DEVICES, devices, &count))
        return false;
    for (EGLint i = 0; i < count; i++) {
        egl->display = egl->platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
        if (make_context(egl))
            return true;
    }
    return false;
}

static void *egl_open(Arena *arena, char reason[GL_REASON_SIZE])
{
    Egl *egl = arena_array(arena, Egl, 1);

    if (!find_functions(egl, reason))
        return NULL;
    egl->display =
        egl->platform_display(EGL_PLATFORM_SURFACELESS_MESA, (void *)EGL_DEFAULT_DISPLAY, NULL);
    if (make_context(egl) || try_devices(egl))
        return egl;
    snprintf(reason, GL_REASON_SIZE,
             "neither the surfaceless platform nor a device provides OpenGL 4.5 core");
    return NULL;
}

static GlFunction egl_find(const void *state, const char *function)
{
    return ((const Egl *)state)->find(function);
}

/* The display belongs to the process and is kept: eglTerminate would unload the driver. */
static void egl_close(void *state)
{
    const Egl *egl = state;

    egl->make_current(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    egl->destroy_context(egl->display, egl->context);
}

const GlBackendOps GL_EGL_OPS = {"EGL", egl_open, egl_find, egl_close};
