// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scheduler.h"
#include "sandbox/sandbox.h"

/* clang-format off */
static const char *const needed[] = {"HOME", "PATH", "TERM", "TMPDIR", "TZ", "LANG", "LANGUAGE", "USER", "LOGNAME", "PWD",
                                     "COLUMNS", "LINES", "CI", "NO_COLOR", "SOURCE_DATE_EPOCH"};

/* The program, the terminal and CI runners; the C library, OpenGL and its drivers; fonts, codecs. */
static const char *const prefixes[] = {
    "ODORI_", "XDG_", "LC_", "GITHUB_ACTIONS",
    "LD_", "MALLOC_", "GLIBC_", "LOCPATH", "GCONV_PATH", "MESA", "LIBGL_", "GALLIUM_", "LP_", "EGL_", "__EGL_", "__GL", "__NV_", "GBM_", "DRI_",
    "OSMESA_", "CUDA_", "NVIDIA_", "VK_", "DISPLAY", "WAYLAND_DISPLAY",
    "FC_", "FONTCONFIG_", "FREETYPE_", "SVT_", "X265_", "AV_LOG_", "OMP_", "ASAN_", "UBSAN_", "LSAN_", "PROBE_", "SHIM_"};
/* clang-format on */

static bool is_named(const char *name, const char *variable)
{
    const size_t size = strcspn(variable, "=");
    return name && strlen(name) == size && !strncmp(variable, name, size);
}

static bool is_needed(const char *variable)
{
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (is_named(needed[i], variable))
            return true;
    for (const Scheduler *row = schedulers; row->name; row++)
        if (is_named(row->cores, variable) || is_named(row->memory_mib, variable))
            return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(variable, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

void sandbox_clear_environment(void)
{
    size_t kept = 0;
    for (size_t i = 0; environ && environ[i]; i++)
        if (is_needed(environ[i]))
            environ[kept++] = environ[i];
        else
            explicit_bzero(environ[i], strlen(environ[i]));
    if (environ)
        environ[kept] = NULL;
}
