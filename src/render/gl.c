#include "render/gl.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/gl_backend.h"

struct GlContext {
    Arena *arena;
    const GlBackendOps *backend;
    void *state;
    GlApi api;
    const char *description;
};

static const struct {
    const char *name;
    size_t offset;
} FUNCTIONS[] = {
#define GL_ROW(name, capitals) {"gl" #name, offsetof(GlApi, name)},
    GL_FUNCTIONS(GL_ROW)
#undef GL_ROW
};

GlFunction gl_library_find(void *library, const char *function)
{
    void *symbol = dlsym(library, function);
    GlFunction found = NULL;

    /* POSIX lets them share a size; ISO C has no cast for it */
    memcpy(&found, &symbol, sizeof found);
    return found;
}

static bool find_functions(GlContext *gl, char why[GL_WHY_SIZE])
{
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        const GlFunction found = gl->backend->find(gl->state, FUNCTIONS[i].name);

        if (found == NULL) {
            snprintf(why, GL_WHY_SIZE, "it has no %s", FUNCTIONS[i].name);
            return false;
        }
        memcpy((char *)&gl->api + FUNCTIONS[i].offset, &found, sizeof found);
    }
    return true;
}

static bool try_backend(GlContext *gl, const GlBackendOps *backend, char why[GL_WHY_SIZE])
{
    gl->backend = backend;
    gl->state = backend->open(gl->arena, why);
    if (gl->state == NULL)
        return false;
    if (!find_functions(gl, why)) {
        backend->close(gl->state);
        return false;
    }

    GLint major = 0, minor = 0;
    gl->api.GetIntegerv(GL_MAJOR_VERSION, &major);
    gl->api.GetIntegerv(GL_MINOR_VERSION, &minor);
    gl->description = arena_printf(gl->arena, "%s, %s, %d.%d", backend->name,
                                   (const char *)gl->api.GetString(GL_RENDERER), major, minor);
    return true;
}

/*
 * Only the job decides what is drawn.  These switches of Mesa swap the driver, leave out blending
 * or filtering, hide extensions or draw nothing.  Read when the library is opened, which comes
 * later.
 */
static void take_switches_from_driver(void)
{
    static const char *const SWITCHES[] = {"DRAW_FSE",
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
    for (size_t i = 0; i < sizeof SWITCHES / sizeof *SWITCHES; i++)
        unsetenv(SWITCHES[i]);
    setenv("LP_NUM_THREADS", "0", 1);
    setenv("LP_NATIVE_VECTOR_WIDTH", "256", 1);
}

GlContext *gl_create(GlBackend backend, Diag *diag)
{
    char osmesa_why[GL_WHY_SIZE] = "", egl_why[GL_WHY_SIZE] = "";
    Arena *arena = arena_create();
    GlContext *gl = arena_array(arena, GlContext, 1);

    gl->arena = arena;
    take_switches_from_driver();

    if (backend != GL_EGL && try_backend(gl, &GL_OSMESA_OPS, osmesa_why))
        return gl;
    if (backend != GL_OSMESA && try_backend(gl, &GL_EGL_OPS, egl_why))
        return gl;

    if (backend == GL_AUTO)
        diag_fail(diag, DIAG_RESOURCE, "no OpenGL 4.5 core context: OSMesa: %s; EGL: %s",
                  osmesa_why, egl_why);
    else
        diag_fail(diag, DIAG_RESOURCE, "no OpenGL 4.5 core context: %s: %s",
                  backend == GL_EGL ? "EGL" : "OSMesa", backend == GL_EGL ? egl_why : osmesa_why);
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

const char *gl_describe(const GlContext *gl)
{
    return gl->description;
}

const GlApi *gl_api(const GlContext *gl)
{
    return &gl->api;
}
