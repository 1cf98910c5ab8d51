/* OSMesa: a context that draws into memory.  It requires a surface, which is not used. */
#include "render/gl/gl_backend.h"

#include <GL/glcorearb.h>
#include <dlfcn.h>
#include <stdio.h>

enum { SURFACE_SIDE = 16 };

/* The part of GL/osmesa.h that is used; Mesa 25.1 and later do not have that header. */
typedef struct OsMesaContext OsMesaContext;
typedef OsMesaContext *CreateFunction(const int *attributes, OsMesaContext *shared);
typedef void DestroyFunction(OsMesaContext *context);
typedef GLboolean MakeCurrentFunction(OsMesaContext *context, void *buffer, GLenum type,
                                      GLsizei width, GLsizei height);
typedef GlFunction FindFunction(const char *name);

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
    DestroyFunction *destroy;
    FindFunction *find;
    unsigned char surface[SURFACE_SIDE * SURFACE_SIDE * 4];
} OsMesa;

/* clang-format off */
static const int ATTRIBUTES[] = {
    OSMESA_FORMAT, GL_RGBA,
    OSMESA_DEPTH_BITS, 0,
    OSMESA_STENCIL_BITS, 0,
    OSMESA_PROFILE, OSMESA_CORE_PROFILE,
    OSMESA_CONTEXT_MAJOR_VERSION, 4,
    OSMESA_CONTEXT_MINOR_VERSION, 5,
    0};
/* clang-format on */

/* The library is never closed: Mesa crashes when it is unloaded. */
static void *open_library(char reason[GL_REASON_SIZE])
{
    void *library = dlopen("libOSMesa.so.8", RTLD_NOW | RTLD_LOCAL);

    if (library == NULL)
        snprintf(reason, GL_REASON_SIZE, "%s", dlerror());
    return library;
}

static void *osmesa_open(Arena *arena, char reason[GL_REASON_SIZE])
{
    void *library = open_library(reason);
    if (library == NULL)
        return NULL;

    OsMesa *state = arena_array(arena, OsMesa, 1);
    CreateFunction *create =
        (CreateFunction *)gl_library_symbol(library, "OSMesaCreateContextAttribs");
    MakeCurrentFunction *make_current =
        (MakeCurrentFunction *)gl_library_symbol(library, "OSMesaMakeCurrent");
    state->destroy = (DestroyFunction *)gl_library_symbol(library, "OSMesaDestroyContext");
    state->find = (FindFunction *)gl_library_symbol(library, "OSMesaGetProcAddress");
    if (create == NULL || make_current == NULL || state->destroy == NULL || state->find == NULL) {
        snprintf(reason, GL_REASON_SIZE, "libOSMesa.so.8 is too old");
        return NULL;
    }

    state->context = create(ATTRIBUTES, NULL);
    if (state->context == NULL) {
        snprintf(reason, GL_REASON_SIZE, "OSMesaCreateContextAttribs refused OpenGL 4.5 core");
        return NULL;
    }
    if (!make_current(state->context, state->surface, GL_UNSIGNED_BYTE, SURFACE_SIDE,
                      SURFACE_SIDE)) {
        snprintf(reason, GL_REASON_SIZE, "OSMesaMakeCurrent failed");
        state->destroy(state->context);
        return NULL;
    }
    return state;
}

static GlFunction osmesa_find(const void *state, const char *function)
{
    return ((const OsMesa *)state)->find(function);
}

static void osmesa_close(void *state)
{
    const OsMesa *osmesa = state;

    osmesa->destroy(osmesa->context);
}

const GlBackendOps GL_OSMESA_OPS = {"OSMesa", osmesa_open, osmesa_find, osmesa_close};
