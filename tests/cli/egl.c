// SPDX-License-Identifier: MIT
/*
 * egl.c - a libEGL with two devices, for tests without a GPU
 *
 * It forwards to the library REAL.  Device 0 is the software renderer of that library; with GPU
 * set, device 1 is the same under the name of a GPU.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <string.h>

#ifndef GPU
#define GPU 0
#endif
#ifndef REAL
#define REAL "libEGL.so.1"
#endif

static int devices[1 + GPU];
static const void *chosen;

static void *real(const char *name)
{
    static void *library;
    if (!library)
        library = dlopen(REAL, RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

/* POSIX guarantees that the bits are compatible; ISO C has no cast for it. */
#define FORWARD(type, name)   \
    type *function;           \
    void *found = real(name); \
    memcpy(&function, &found, sizeof function)

typedef void (*Function)(void);
typedef Function Find(const char *name);

static EGLBoolean query_devices(EGLint size, EGLDeviceEXT *list, EGLint *count)
{
    *count = 1 + GPU < size ? 1 + GPU : size;
    for (EGLint i = 0; i < *count; i++)
        list[i] = &devices[i];
    return EGL_TRUE;
}

static EGLDisplay platform_display(EGLenum platform, void *native, const EGLint *attributes)
{
    typedef EGLDisplay Display(EGLenum platform, void *native, const EGLint *attributes);
    FORWARD(Find, "eglGetProcAddress");
    Display *display = (Display *)function("eglGetPlatformDisplayEXT");
    chosen = platform == EGL_PLATFORM_DEVICE_EXT ? native : NULL;
    return display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, attributes);
}

static const unsigned char *get_string(unsigned name)
{
    typedef const unsigned char *String(unsigned name);
    enum { RENDERER = 0x1F01 };
    FORWARD(Find, "eglGetProcAddress");
    if (GPU && name == RENDERER && chosen == &devices[GPU])
        return (const unsigned char *)"Test GPU";
    return ((String *)function("glGetString"))(name);
}

Function eglGetProcAddress(const char *name)
{
    FORWARD(Find, "eglGetProcAddress");
    return !strcmp(name, "eglQueryDevicesEXT")         ? (Function)query_devices
           : !strcmp(name, "eglGetPlatformDisplayEXT") ? (Function)platform_display
           : !strcmp(name, "glGetString")              ? (Function)get_string
                                                       : function(name);
}

EGLBoolean eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor)
{
    typedef EGLBoolean Initialize(EGLDisplay display, EGLint * major, EGLint * minor);
    FORWARD(Initialize, "eglInitialize");
    return function(display, major, minor);
}

EGLBoolean eglTerminate(EGLDisplay display)
{
    typedef EGLBoolean Terminate(EGLDisplay display);
    FORWARD(Terminate, "eglTerminate");
    return function(display);
}

EGLBoolean eglBindAPI(EGLenum api)
{
    typedef EGLBoolean Bind(EGLenum api);
    FORWARD(Bind, "eglBindAPI");
    return function(api);
}

EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext shared,
                            const EGLint *attributes)
{
    typedef EGLContext Create(EGLDisplay display, EGLConfig config, EGLContext shared,
                              const EGLint *attributes);
    FORWARD(Create, "eglCreateContext");
    return function(display, config, shared, attributes);
}

EGLBoolean eglDestroyContext(EGLDisplay display, EGLContext context)
{
    typedef EGLBoolean Destroy(EGLDisplay display, EGLContext context);
    FORWARD(Destroy, "eglDestroyContext");
    return function(display, context);
}

EGLBoolean eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
    typedef EGLBoolean Make(EGLDisplay display, EGLSurface draw, EGLSurface read,
                            EGLContext context);
    FORWARD(Make, "eglMakeCurrent");
    return function(display, draw, read, context);
}
