#include "render/gl/gl.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/gl/gl_backend.h"

struct GlContext {
    Arena *arena;
    const GlBackendOps *backend;
    void *state;
    GlApi api;
    const char *renderer;
};

static const struct {
    const char *name;
    size_t offset;
} FUNCTIONS[] = {
#define GL_ROW(name, capitals) {"gl" #name, offsetof(GlApi, name)},
    GL_FUNCTIONS(GL_ROW)
#undef GL_ROW
};

GlFunction gl_library_symbol(void *library, const char *function)
{
    void *symbol = dlsym(library, function);
    GlFunction found = NULL;

    /* POSIX guarantees that the bits are compatible; ISO C has no cast for it. */
    memcpy(&found, &symbol, sizeof found);
    return found;
}

static bool find_functions(GlContext *gl, char reason[GL_REASON_SIZE])
{
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        const GlFunction found = gl->backend->find(gl->state, FUNCTIONS[i].name);

        if (found == NULL) {
            snprintf(reason, GL_REASON_SIZE, "function %s is missing", FUNCTIONS[i].name);
            return false;
        }
        memcpy((char *)&gl->api + FUNCTIONS[i].offset, &found, sizeof found);
    }
    return true;
}

/* GL_VERSION is "4.5 (Core Profile) Mesa 22.3.6"; other implementations have their own form. */
static const char *identify(const GlContext *gl)
{
    const char *version = (const char *)gl->api.GetString(GL_VERSION);
    const char *mesa = version != NULL ? strstr(version, "Mesa ") : NULL;

    return arena_printf(gl->arena, "%s, %s", mesa != NULL ? mesa : version,
                        (const char *)gl->api.GetString(GL_RENDERER));
}

static bool try_backend(GlContext *gl, const GlBackendOps *backend, char reason[GL_REASON_SIZE])
{
    gl->backend = backend;
    gl->state = backend->open(gl->arena, reason);
    if (gl->state == NULL)
        return false;
    if (!find_functions(gl, reason)) {
        backend->close(gl->state);
        return false;
    }

    gl->renderer = identify(gl);
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

void gl_disable_shader_cache(void)
{
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("MESA_GLSL_CACHE_DISABLE", "true", 1); /* the name before Mesa 21 */
}

GlContext *gl_create(GlBackend backend, Diag *diag)
{
    char osmesa_reason[GL_REASON_SIZE] = "", egl_reason[GL_REASON_SIZE] = "";
    Arena *arena = arena_create();
    GlContext *gl = arena_array(arena, GlContext, 1);

    gl->arena = arena;
    clear_driver_environment();

    if (backend != GL_EGL && try_backend(gl, &GL_OSMESA_OPS, osmesa_reason))
        return gl;
    if (backend != GL_OSMESA && try_backend(gl, &GL_EGL_OPS, egl_reason))
        return gl;

    static const char packages[] =
        "install libegl1 and libegl-mesa0, or libosmesa6 (Debian 13 and older)";
    if (backend == GL_AUTO)
        diag_fail(diag, DIAG_RESOURCE, "no OpenGL 4.5 core context: OSMesa: %s; EGL: %s; %s",
                  osmesa_reason, egl_reason, packages);
    else
        diag_fail(diag, DIAG_RESOURCE, "no OpenGL 4.5 core context: %s: %s; %s",
                  backend == GL_EGL ? "EGL" : "OSMesa",
                  backend == GL_EGL ? egl_reason : osmesa_reason, packages);
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
