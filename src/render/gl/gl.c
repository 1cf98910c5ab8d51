// SPDX-License-Identifier: MIT
#include "render/gl/gl.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "base/arena.h"

enum { REASON_SIZE = 512, SURFACE_SIDE = 16, MAX_DEVICES = 16 };

typedef void (*Function)(void);

/* One of the two libraries that provide contexts. */
typedef struct Backend {
    const char *name;
    /* Creates an OpenGL 4.5 core context, makes it current and returns its state, allocated in the
     * arena.  Returns NULL and writes the reason on failure. */
    void *(*open)(const GlChoice *choice, Arena *arena, char reason[REASON_SIZE]);
    bool (*use)(void *state); /* makes it current */
    Function (*find)(const void *state, const char *function);
    void (*close)(void *state);
} Backend;

struct GlContext {
    Arena *arena;
    const Backend *backend;
    void *state;
    GlApi api;
    const char *renderer;
};

/* A function, and where a struct has its address. */
typedef struct Symbol {
    const char *name;
    size_t offset;
} Symbol;

/* Opens a library and writes the addresses of its functions to `table`.  The library is never
 * closed: Mesa crashes when it is unloaded. */
static bool load_library(void *table, const char *name, const Symbol *symbols, size_t count,
                         char reason[REASON_SIZE])
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        snprintf(reason, REASON_SIZE, "%s", dlerror());
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        void *symbol = dlsym(library, symbols[i].name);

        if (symbol == NULL) {
            snprintf(reason, REASON_SIZE, "%s is too old", name);
            return false;
        }
        /* POSIX guarantees that the bits are compatible; ISO C has no cast for it. */
        memcpy((char *)table + symbols[i].offset, &symbol, sizeof symbol);
    }
    return true;
}

/* ---- OSMesa: a context that draws into memory; it requires a surface, which is not used ---- */

/* The part of GL/osmesa.h that is used; Mesa 25.1 and later do not have that header. */
typedef struct OsMesaContext OsMesaContext;

enum {
    OSMESA_FORMAT = 0x22,
    OSMESA_DEPTH_BITS = 0x30,
    OSMESA_STENCIL_BITS = 0x31,
    OSMESA_PROFILE = 0x33,
    OSMESA_CORE_PROFILE = 0x34,
    OSMESA_CONTEXT_MAJOR_VERSION = 0x36,
    OSMESA_CONTEXT_MINOR_VERSION = 0x37
};

typedef struct OsMesa {
    OsMesaContext *context;
    OsMesaContext *(*create)(const int *attributes, OsMesaContext *shared);
    GLboolean (*make_current)(OsMesaContext *context, void *buffer, GLenum type, GLsizei width,
                              GLsizei height);
    void (*destroy)(OsMesaContext *context);
    Function (*find)(const char *name);
    unsigned char surface[SURFACE_SIDE * SURFACE_SIDE * 4];
} OsMesa;

static const Symbol OSMESA_SYMBOLS[] = {
    {"OSMesaCreateContextAttribs", offsetof(OsMesa, create)},
    {"OSMesaMakeCurrent", offsetof(OsMesa, make_current)},
    {"OSMesaDestroyContext", offsetof(OsMesa, destroy)},
    {"OSMesaGetProcAddress", offsetof(OsMesa, find)},
};

/* clang-format off */
static const int OSMESA_ATTRIBUTES[] = {
    OSMESA_FORMAT, GL_RGBA,
    OSMESA_DEPTH_BITS, 0,
    OSMESA_STENCIL_BITS, 0,
    OSMESA_PROFILE, OSMESA_CORE_PROFILE,
    OSMESA_CONTEXT_MAJOR_VERSION, 4,
    OSMESA_CONTEXT_MINOR_VERSION, 5,
    0};
/* clang-format on */

static bool osmesa_use(void *state)
{
    OsMesa *osmesa = state;

    return osmesa->make_current(osmesa->context, osmesa->surface, GL_UNSIGNED_BYTE, SURFACE_SIDE,
                                SURFACE_SIDE);
}

static const char OSMESA_FILE[] = "libOSMesa.so.8";

static void *osmesa_open(const GlChoice *choice, Arena *arena, char reason[REASON_SIZE])
{
    (void)choice;
    OsMesa *state = arena_array(arena, OsMesa, 1);

    if (!load_library(state, OSMESA_FILE, OSMESA_SYMBOLS,
                      sizeof OSMESA_SYMBOLS / sizeof *OSMESA_SYMBOLS, reason))
        return NULL;
    state->context = state->create(OSMESA_ATTRIBUTES, NULL);
    if (state->context == NULL) {
        snprintf(reason, REASON_SIZE, "OSMesaCreateContextAttribs refused OpenGL 4.5 core");
        return NULL;
    }
    if (!osmesa_use(state)) {
        snprintf(reason, REASON_SIZE, "OSMesaMakeCurrent failed");
        state->destroy(state->context);
        return NULL;
    }
    return state;
}

static Function osmesa_find(const void *state, const char *function)
{
    return ((const OsMesa *)state)->find(function);
}

static void osmesa_close(void *state)
{
    const OsMesa *osmesa = state;

    osmesa->destroy(osmesa->context);
}

static const Backend OSMESA = {"OSMesa", osmesa_open, osmesa_use, osmesa_find, osmesa_close};

/* ---- EGL without a surface: Mesa's surfaceless platform, else the first device that works; or
 * one device, or the first that is no software renderer ---- */

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

static const Symbol EGL_SYMBOLS[] = {
    {"eglGetProcAddress", offsetof(Egl, find)},
    {"eglInitialize", offsetof(Egl, initialize)},
    {"eglTerminate", offsetof(Egl, terminate)},
    {"eglBindAPI", offsetof(Egl, bind_api)},
    {"eglCreateContext", offsetof(Egl, create_context)},
    {"eglDestroyContext", offsetof(Egl, destroy_context)},
    {"eglMakeCurrent", offsetof(Egl, make_current)},
};

/* clang-format off */
static const EGLint EGL_ATTRIBUTES[] = {
    EGL_CONTEXT_MAJOR_VERSION, 4,
    EGL_CONTEXT_MINOR_VERSION, 5,
    EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
    EGL_NONE};
/* clang-format on */

static bool egl_use(void *state)
{
    const Egl *egl = state;

    return egl->make_current(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl->context);
}

static bool make_egl_context(Egl *egl)
{
    if (egl->display == EGL_NO_DISPLAY || !egl->initialize(egl->display, NULL, NULL))
        return false;
    if (egl->bind_api(EGL_OPENGL_API)) {
        egl->context =
            egl->create_context(egl->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, EGL_ATTRIBUTES);
        if (egl->context != EGL_NO_CONTEXT) {
            if (egl_use(egl))
                return true;
            egl->destroy_context(egl->display, egl->context);
        }
    }
    egl->terminate(egl->display);
    return false;
}

/* The display belongs to the process and is kept: eglTerminate would unload the driver. */
static void egl_close(void *state)
{
    const Egl *egl = state;

    egl->make_current(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    egl->destroy_context(egl->display, egl->context);
}

static bool load_egl(Egl *egl, char reason[REASON_SIZE])
{
    if (!load_library(egl, "libEGL.so.1", EGL_SYMBOLS, sizeof EGL_SYMBOLS / sizeof *EGL_SYMBOLS,
                      reason))
        return false;
    egl->platform_display = (PFNEGLGETPLATFORMDISPLAYEXTPROC)egl->find("eglGetPlatformDisplayEXT");
    egl->query_devices = (PFNEGLQUERYDEVICESEXTPROC)egl->find("eglQueryDevicesEXT");
    if (egl->platform_display == NULL)
        snprintf(reason, REASON_SIZE, "libEGL.so.1 is too old");
    return egl->platform_display != NULL;
}

static EGLint list_devices(const Egl *egl, EGLDeviceEXT devices[MAX_DEVICES])
{
    EGLint count = 0;
    return egl->query_devices != NULL && egl->query_devices(MAX_DEVICES, devices, &count) ? count
                                                                                          : 0;
}

int gl_device_count(void)
{
    char reason[REASON_SIZE];
    EGLDeviceEXT devices[MAX_DEVICES];
    Egl egl = {0};
    return load_egl(&egl, reason) ? list_devices(&egl, devices) : 0;
}

bool gl_is_software(const char *renderer)
{
    static const char *const names[] = {"llvmpipe", "softpipe",    "swrast",
                                        "lavapipe", "SwiftShader", "Software Rasterizer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(renderer, names[i]) != NULL)
            return true;
    return false;
}

/* Opens a device; a software renderer is refused if a GPU is asked for.  Appends why it is not
 * used to the reason. */
static bool open_device(Egl *egl, EGLDeviceEXT device, EGLint number, bool needs_gpu,
                        char reason[REASON_SIZE])
{
    typedef const GLubyte *GetString(GLenum name);
    const size_t used = strlen(reason);
    const char *before = used ? "; " : "", *renderer = NULL;

    egl->display = egl->platform_display(EGL_PLATFORM_DEVICE_EXT, device, NULL);
    if (!make_egl_context(egl)) {
        snprintf(reason + used, REASON_SIZE - used, "%sdevice %d has no OpenGL 4.5 core", before,
                 (int)number);
        return false;
    }
    GetString *get_string = (GetString *)egl->find("glGetString");
    if (get_string != NULL)
        renderer = (const char *)get_string(GL_RENDERER);
    if (!needs_gpu || (renderer != NULL && !gl_is_software(renderer)))
        return true;
    snprintf(reason + used, REASON_SIZE - used, "%sdevice %d is a software renderer, %s", before,
             (int)number, renderer != NULL ? renderer : "without a name");
    egl_close(egl);
    return false;
}

static void *egl_open(const GlChoice *choice, Arena *arena, char reason[REASON_SIZE])
{
    Egl *egl = arena_array(arena, Egl, 1);
    EGLDeviceEXT devices[MAX_DEVICES];
    const bool needs_gpu = choice->backend == GL_GPU, any = choice->device == 0;

    if (!load_egl(egl, reason))
        return NULL;
    egl->display = EGL_NO_DISPLAY;
    if (!needs_gpu && any)
        egl->display =
            egl->platform_display(EGL_PLATFORM_SURFACELESS_MESA, (void *)EGL_DEFAULT_DISPLAY, NULL);
    if (make_egl_context(egl))
        return egl;
    const EGLint count = list_devices(egl, devices);
    if (!any && choice->device > count) {
        snprintf(reason, REASON_SIZE, "there is no device %d of %d", choice->device - 1,
                 (int)count);
        return NULL;
    }
    for (EGLint i = any ? 0 : choice->device - 1; i < (any ? count : choice->device); i++)
        if (open_device(egl, devices[i], i, needs_gpu, reason))
            return egl;
    if (count == 0)
        snprintf(reason, REASON_SIZE,
                 needs_gpu ? "there is no device"
                           : "the surfaceless platform has no OpenGL 4.5 core, "
                             "and there is no device");
    return NULL;
}

static Function egl_find(const void *state, const char *function)
{
    return ((const Egl *)state)->find(function);
}

static const Backend EGL = {"EGL", egl_open, egl_use, egl_find, egl_close};

/* ---- contexts ---- */

static const Symbol FUNCTIONS[] = {
#define GL_ROW(name, capitals) {"gl" #name, offsetof(GlApi, name)},
    GL_FUNCTIONS(GL_ROW)
#undef GL_ROW
};

static bool try_backend(GlContext *gl, const Backend *backend, const GlChoice *choice,
                        char reason[REASON_SIZE])
{
    gl->backend = backend;
    gl->state = backend->open(choice, gl->arena, reason);
    if (gl->state == NULL)
        return false;
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        const Function found = backend->find(gl->state, FUNCTIONS[i].name);

        if (found == NULL) {
            snprintf(reason, REASON_SIZE, "function %s is missing", FUNCTIONS[i].name);
            backend->close(gl->state);
            return false;
        }
        memcpy((char *)&gl->api + FUNCTIONS[i].offset, &found, sizeof found);
    }

    /* GL_VERSION is "4.5 (Core Profile) Mesa 22.3.6"; other implementations have their own form. */
    const char *version = (const char *)gl->api.GetString(GL_VERSION);
    const char *mesa = version != NULL ? strstr(version, "Mesa ") : NULL;
    gl->renderer = arena_printf(gl->arena, "%s, %s", mesa != NULL ? mesa : version,
                                (const char *)gl->api.GetString(GL_RENDERER));
    return true;
}

/*
 * Only the job may decide what is drawn.  These Mesa variables change the driver, disable blending
 * or filtering, hide extensions or suppress drawing.  Mesa reads them when the library is opened,
 * which happens after this call.
 */
static void clear_driver_environment(void)
{
    static const char *const VARIABLES[] = {"DRAW_FSE",
                                            "DRAW_NO_FSE",
                                            "DRAW_USE_LLVM",
                                            "GALLIUM_DRIVER",
                                            "GALLIUM_HUD",
                                            "GALLIUM_NOOP",
                                            "GALLIUM_OVERRIDE_CPU_CAPS",
                                            "GALLIUM_TRACE",
                                            "GALLIVM_DEBUG",
                                            "GALLIVM_PERF",
                                            "LP_DEBUG",
                                            "LP_PERF",
                                            "LP_RAST",
                                            "MESA_EXTENSION_OVERRIDE",
                                            "MESA_GLSL",
                                            "MESA_GLSL_VERSION_OVERRIDE",
                                            "MESA_GL_VERSION_OVERRIDE",
                                            "NIR_DEBUG",
                                            "ST_DEBUG"};
    for (size_t i = 0; i < sizeof VARIABLES / sizeof *VARIABLES; i++)
        unsetenv(VARIABLES[i]);
    setenv("LP_NUM_THREADS", "0", 1);
    setenv("LP_NATIVE_VECTOR_WIDTH", "256", 1);
    setenv("EGL_LOG_LEVEL", "fatal", 0); /* failed attempts are reported here */
}

static bool may_be_osmesa(const GlChoice *choice)
{
    return choice->backend == GL_OSMESA || (choice->backend == GL_AUTO && choice->device == 0);
}

void gl_load(GlChoice choice)
{
    clear_driver_environment();
    if (may_be_osmesa(&choice))
        dlopen(OSMESA_FILE, RTLD_NOW | RTLD_LOCAL);
}

void gl_disable_shader_cache(void)
{
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("MESA_GLSL_CACHE_DISABLE", "true", 1); /* the name before Mesa 21 */
}

int gl_threads_open(void)
{
    return open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool gl_threads_allow_fork(int list)
{
    DIR *directory = list >= 0 ? fdopendir(list) : NULL;
    int count = 0;

    if (directory == NULL)
        return false;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count == 1;
}

GlContext *gl_create(GlChoice choice, Diag *diag)
{
    char osmesa_reason[REASON_SIZE] = "", egl_reason[REASON_SIZE] = "";
    Arena *arena = arena_create();
    GlContext *gl = arena_array(arena, GlContext, 1);

    gl->arena = arena;
    clear_driver_environment();

    if (may_be_osmesa(&choice) && try_backend(gl, &OSMESA, &choice, osmesa_reason))
        return gl;
    if (choice.backend != GL_OSMESA && try_backend(gl, &EGL, &choice, egl_reason))
        return gl;

    static const char packages[] =
        "install libegl1 and libegl-mesa0, or libosmesa6 (Debian 13 and older)";
    if (choice.backend == GL_GPU)
        diag_fail(diag, DIAG_RESOURCE, "no GPU for render.gl: gpu: %s; 'odori doctor' lists them",
                  egl_reason);
    else if (choice.backend == GL_AUTO && choice.device == 0)
        diag_fail(diag, DIAG_RESOURCE, "no OpenGL 4.5 core context: OSMesa: %s; EGL: %s; %s",
                  osmesa_reason, egl_reason, packages);
    else
        diag_fail(diag, DIAG_RESOURCE, "no OpenGL 4.5 core context: %s: %s; %s",
                  choice.backend == GL_OSMESA ? "OSMesa" : "EGL",
                  choice.backend == GL_OSMESA ? osmesa_reason : egl_reason, packages);
    arena_destroy(arena);
    return NULL;
}

void gl_destroy(GlContext *gl)
{
    if (gl == NULL)
        return;
    gl->backend->close(gl->state);
    arena_destroy(gl->arena);
}

bool gl_use(GlContext *gl, Diag *diag)
{
    return gl->backend->use(gl->state) ||
           diag_fail(diag, DIAG_RESOURCE, "%s: cannot change the OpenGL context",
                     gl->backend->name);
}

const char *gl_backend_name(const GlContext *gl)
{
    return gl->backend->name;
}

const char *gl_renderer(const GlContext *gl)
{
    return gl->renderer;
}

const GlApi *gl_api(const GlContext *gl)
{
    return &gl->api;
}

/* ---- objects ---- */

GLuint gl_buffer(const GlApi *gl, size_t size, const void *data, GLbitfield flags)
{
    static const char NOTHING[1] = {0};
    GLuint name = 0;

    gl->CreateBuffers(1, &name);
    gl->NamedBufferStorage(name, size > 0 ? (GLsizeiptr)size : 1, size > 0 ? data : NOTHING, flags);
    return name;
}

const void *gl_map(const GlApi *gl, GLuint buffer, size_t size)
{
    return gl->MapNamedBufferRange(buffer, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
}

GLuint gl_texture(const GlApi *gl, GLenum format, int levels, int width, int height)
{
    GLuint name = 0;

    gl->CreateTextures(GL_TEXTURE_2D, 1, &name);
    gl->TextureStorage2D(name, levels, format, width, height);
    return name;
}

GLuint gl_sampler(const GlApi *gl, GLint wrap, GLint minify, GLint magnify)
{
    GLuint name = 0;

    gl->CreateSamplers(1, &name);
    gl->SamplerParameteri(name, GL_TEXTURE_WRAP_S, wrap);
    gl->SamplerParameteri(name, GL_TEXTURE_WRAP_T, wrap);
    gl->SamplerParameteri(name, GL_TEXTURE_MIN_FILTER, minify);
    gl->SamplerParameteri(name, GL_TEXTURE_MAG_FILTER, magnify);
    return name;
}

GLuint gl_attach_buffer(const GlApi *gl, GLuint framebuffer, GLenum attachment, int samples,
                        GLenum format, int width, int height)
{
    GLuint name = 0;

    gl->CreateRenderbuffers(1, &name);
    if (samples > 1)
        gl->NamedRenderbufferStorageMultisample(name, samples, format, width, height);
    else
        gl->NamedRenderbufferStorage(name, format, width, height);
    gl->NamedFramebufferRenderbuffer(framebuffer, attachment, GL_RENDERBUFFER, name);
    return name;
}

bool gl_is_complete(const GlApi *gl, GLuint framebuffer)
{
    return gl->GetError() == GL_NO_ERROR &&
           gl->CheckNamedFramebufferStatus(framebuffer, GL_DRAW_FRAMEBUFFER) ==
               GL_FRAMEBUFFER_COMPLETE;
}

void gl_set_enabled(const GlApi *gl, GLenum capability, bool on)
{
    if (on)
        gl->Enable(capability);
    else
        gl->Disable(capability);
}

void gl_draw_indices(const GlApi *gl, GLenum mode, size_t first, size_t count)
{
    gl->DrawElements(mode, (GLsizei)count, GL_UNSIGNED_INT,
                     (const void *)(first * sizeof(uint32_t)));
}
