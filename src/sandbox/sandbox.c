#include "sandbox/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/archive_path.h"
#include "sandbox/sandbox_calls.h"
#include "sandbox/sandbox_files.h"

void sandbox_allow_names(SandboxRules *rules, const char *path, const char *names, unsigned access,
                         Arena *arena)
{
    if (path && *path)
        *arena_push(arena, rules) =
            (SandboxRule){arena_strdup(arena, archive_path_container(path, arena)), access,
                          names ? arena_strdup(arena, names) : NULL};
}

void sandbox_allow(SandboxRules *rules, const char *path, unsigned access, Arena *arena)
{
    sandbox_allow_names(rules, path, NULL, access, arena);
}

/* The directories of a variable such as LD_LIBRARY_PATH. */
static void allow_variable(SandboxRules *rules, const char *variable, Arena *arena)
{
    const char *list = getenv(variable);
    for (size_t size; list && *list; list += size + (list[size] == ':')) {
        size = strcspn(list, ":");
        sandbox_allow(rules, arena_strndup(arena, list, size), SANDBOX_READ, arena);
    }
}

/* No directory with secrets: of /etc and /dev only what libraries read. */
void sandbox_allow_libraries(SandboxRules *rules, Arena *arena)
{
    static const char *const read[] = {"/usr",
                                       "/lib",
                                       "/lib32",
                                       "/lib64",
                                       "/nix/store",
                                       "/gnu/store",
                                       "/etc/ld.so.cache",
                                       "/etc/ld.so.preload",
                                       "/etc/alternatives",
                                       "/sys/devices/system"};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        sandbox_allow(rules, read[i], SANDBOX_READ, arena);
    allow_variable(rules, "LD_LIBRARY_PATH", arena);
}

void sandbox_allow_shader_cache(SandboxRules *rules, Arena *arena)
{
    const char *directory = getenv(SANDBOX_SHADER_CACHE);
    if (!directory || !*directory)
        return;
    sandbox_allow(rules, directory, SANDBOX_READ, arena);
    sandbox_allow(rules, arena_printf(arena, "%s/mesa_shader_cache/index", directory),
                  SANDBOX_UPDATE, arena);
}

void sandbox_allow_system(SandboxRules *rules, Arena *arena)
{
    static const char *const read[] = {"/proc",       "/sys",           "/run/opengl-driver",
                                       "/etc/glvnd",  "/etc/drirc",     "/etc/nvidia",
                                       "/etc/fonts",  "/etc/localtime", "/dev/urandom",
                                       "/dev/random", "/dev/zero"};
    static const char *const devices[] = {"/dev/null",          "/dev/dri",     "/dev/kfd",
                                          "/dev/nvidiactl",     "/dev/nvidia0", "/dev/nvidia-uvm",
                                          "/dev/nvidia-modeset"};
    static const char *const variables[] = {"LIBGL_DRIVERS_PATH", "GBM_BACKENDS_PATH",
                                            "__EGL_VENDOR_LIBRARY_DIRS",
                                            "__EGL_VENDOR_LIBRARY_FILENAMES"};
    sandbox_allow_libraries(rules, arena);
    sandbox_allow_shader_cache(rules, arena);
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        sandbox_allow(rules, read[i], SANDBOX_READ, arena);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        sandbox_allow(rules, devices[i], SANDBOX_DEVICE, arena);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        allow_variable(rules, variables[i], arena);
}

#ifdef ODORI_NO_SANDBOX

SandboxSupport sandbox_support(void)
{
    return (SandboxSupport){0};
}

#else

SandboxSupport sandbox_support(void)
{
    return (SandboxSupport){sandbox_files_version(), sandbox_calls_supported()};
}

#endif

/* Without it the kernel accepts no filter from a user without privileges. */
static bool prepare(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

static bool fail(const char *part, const char *reason, Diag *diag)
{
    return diag_fail(
        diag, DIAG_RESOURCE,
        "limits.sandbox: the sandbox cannot be entered: %s: %s; 'auto' runs without it", part,
        reason);
}

/* An error of the system is one in every mode: only what a kernel does not have may be missing. */
static bool finish(const char *part, int error, SandboxMode mode, Diag *diag)
{
    return !error || mode != SANDBOX_REQUIRE || fail(part, strerror(error), diag);
}

bool sandbox_restrict_calls(SandboxProfile profile, SandboxMode mode, Diag *diag)
{
    static const char part[] = "filter of system calls (seccomp)";
    if (mode == SANDBOX_OFF)
        return true;
    if (!sandbox_support().seccomp)
        return mode != SANDBOX_REQUIRE || fail(part, "not available", diag);
    return finish(part, prepare() ? sandbox_calls_restrict(profile) : ENOSYS, mode, diag);
}

bool sandbox_restrict_files(const SandboxRules *rules, SandboxMode mode, Diag *diag)
{
    static const char part[] = "restriction of files (Landlock)";
    if (mode == SANDBOX_OFF)
        return true;
    if (!sandbox_support().landlock)
        return mode != SANDBOX_REQUIRE || fail(part, "not available", diag);
    return finish(part, prepare() ? sandbox_files_restrict(rules) : ENOSYS, mode, diag);
}
