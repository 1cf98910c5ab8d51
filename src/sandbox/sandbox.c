// SPDX-License-Identifier: MIT
#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/archive_path.h"
#include "base/program.h"
#include "sandbox/sandbox_calls.h"

void sandbox_allow_names(SandboxRules *rules, const char *path, const char *names, unsigned access,
                         Arena *arena)
{
    if (path && *path)
        *arena_push(arena, rules) =
            (SandboxRule){.path = arena_strdup(arena, archive_path_container(path, arena)),
                          .access = access,
                          .names = names ? arena_strdup(arena, names) : NULL};
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
    char bundle[PROGRAM_PATH_SIZE];
    if (program_bundle(bundle))
        sandbox_allow(rules, arena_strdup(arena, bundle), SANDBOX_READ, arena);
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

/* ---- files: Landlock; linux/landlock.h is older than the kernel on many systems ---- */

enum { CALL_CREATE_RULESET = 444, CALL_ADD_RULE = 445, CALL_RESTRICT_SELF = 446 };
enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

typedef struct RulesetAttributes {
    uint64_t files, network, scopes; /* rights that are refused unless a rule allows them */
} RulesetAttributes;

typedef struct PathBeneath { /* the kernel reads 12 bytes of it */
    uint64_t allowed;
    int32_t directory;
} PathBeneath;

#define BIT(n) (UINT64_C(1) << (n))
#define EXECUTE BIT(0)
#define WRITE_FILE BIT(1)
#define READ_FILE BIT(2)
#define READ_DIR BIT(3)
#define REMOVE_DIR BIT(4)
#define REMOVE_FILE BIT(5)
#define MAKE_DIR BIT(7)
#define MAKE_REG BIT(8)
#define ALL_OF_VERSION_1 (BIT(13) - 1)
#define REFER BIT(13)     /* version 2 */
#define TRUNCATE BIT(14)  /* version 3 */
#define IOCTL_DEV BIT(15) /* version 5 */
#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)
#define ALL_NETWORK (BIT(0) | BIT(1)) /* version 4: TCP bind, connect */
#define ALL_SCOPES (BIT(0) | BIT(1))  /* version 6: abstract Unix sockets, signals */

/* The version of the interface, 0 if the kernel has none. */
static int landlock_version(void)
{
    const long version = syscall(CALL_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static uint64_t handled_files(int version)
{
    return ALL_OF_VERSION_1 | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0) |
           (version >= 5 ? IOCTL_DEV : 0);
}

/* Moving files to another directory (REFER) is never allowed. */
static uint64_t rights(unsigned access)
{
    uint64_t bits = 0;
    if (access & SANDBOX_READ)
        bits |= READ_FILE | READ_DIR;
    if (access & SANDBOX_WRITE)
        bits |= WRITE_FILE | TRUNCATE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG;
    if (access & SANDBOX_DEVICE)
        bits |= READ_FILE | READ_DIR | WRITE_FILE | IOCTL_DEV;
    if (access & SANDBOX_UPDATE)
        bits |= READ_FILE | WRITE_FILE;
    if (access & SANDBOX_RMDIR)
        bits |= REMOVE_DIR;
    if (access & SANDBOX_LIST)
        bits |= READ_DIR;
    return bits;
}

/* Opens what is at a path below a directory, name by name: no name but the last is that of a link.
 */
static int open_below(const char *directory, const char *path)
{
    char name[NAME_MAX + 1];
    int fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && *(path += strspn(path, "/"))) {
        const int above = fd, size = (int)strcspn(path, "/");
        errno = ENAMETOOLONG;
        fd = snprintf(name, sizeof name, "%.*s", size, path) < (int)sizeof name
                 ? openat(above, name, O_PATH | O_NOFOLLOW | O_CLOEXEC)
                 : -1;
        path += size;
        close(above);
    }
    return fd;
}

int sandbox_open(char real[PATH_MAX], const char *path, const char *within)
{
    struct stat st;
    const size_t size = within && strcmp(within, "/") ? strlen(within) : 0;
    if (!realpath(path, real))
        return -1;
    if (size && (strncmp(real, within, size) != 0 || (real[size] && real[size] != '/'))) {
        errno = EACCES;
        return -1;
    }
    const int fd =
        within ? open_below(within, real + size) : open(real, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, &st) == 0 && !S_ISLNK(st.st_mode)))
        return fd;
    close(fd);
    errno = ELOOP;
    return -1;
}

/* A path that cannot be opened needs no rule: it cannot be used either. */
static int add_rule(int ruleset, const SandboxRule *rule, uint64_t handled)
{
    struct stat st;
    char real[PATH_MAX];
    PathBeneath beneath = {.directory = rule->within ? sandbox_open(real, rule->path, rule->within)
                                                     : open(rule->path, O_PATH | O_CLOEXEC)};
    if (beneath.directory < 0)
        return errno == EMFILE || errno == ENFILE ? errno : 0;
    beneath.allowed = rights(rule->access) & handled;
    if (fstat(beneath.directory, &st) == 0 && !S_ISDIR(st.st_mode))
        beneath.allowed &= OF_FILES;
    int error = 0;
    if (beneath.allowed && syscall(CALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &beneath, 0) != 0)
        error = errno == EBADFD ? 0 : errno; /* pipes and sockets cannot be restricted */
    close(beneath.directory);
    return error;
}

/* Restricts this thread to the rules.  Requires PR_SET_NO_NEW_PRIVS.  0 or an errno. */
static int restrict_files(const SandboxRules *rules)
{
    const int version = landlock_version();
    const RulesetAttributes attributes = {
        .files = handled_files(version),
        .network = version >= 4 ? ALL_NETWORK : 0,
        .scopes = version >= 6 ? ALL_SCOPES : 0,
    };
    const int ruleset = (int)syscall(CALL_CREATE_RULESET, &attributes, sizeof attributes, 0);
    if (ruleset < 0)
        return errno;
    int error = 0;
    for (size_t i = 0; !error && i < rules->count; i++)
        error = add_rule(ruleset, &rules->items[i], attributes.files);
    if (!error && syscall(CALL_RESTRICT_SELF, ruleset, 0) != 0)
        error = errno;
    close(ruleset);
    return error;
}

/* ---- entering ---- */

SandboxSupport sandbox_support(void)
{
#ifdef ODORI_NO_SANDBOX
    return (SandboxSupport){0};
#else
    return (SandboxSupport){landlock_version(), sandbox_calls_supported()};
#endif
}

/* Without it the kernel accepts no filter from a user without privileges. */
static bool prepare(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

static bool fail(const char *part, const char *reason, const char *hint, Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE, "limits.sandbox: the sandbox cannot be entered: %s: %s%s",
                     part, reason, hint);
}

static bool is_missing(const char *part, const char *reason, SandboxMode mode, Diag *diag)
{
    return mode != SANDBOX_REQUIRE || fail(part, reason, "; 'auto' runs without it", diag);
}

/* A lack of resources is an error in every mode: only what a kernel does not have may be missing.
 */
static bool finish(const char *part, int error, SandboxMode mode, Diag *diag)
{
    if (error == EMFILE || error == ENFILE || error == ENOMEM)
        return fail(part, strerror(error), "", diag);
    return !error || is_missing(part, strerror(error), mode, diag);
}

/* With them root reads the memory maps and environments of other processes in /proc, which
 * Landlock otherwise prevents.  Those for files of other users stay. */
static void drop_capabilities(void)
{
    enum { VERSION = 0x20080522 }; /* two words of each set */
    const uint32_t kept = BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH) | BIT(CAP_FOWNER);
    struct __user_cap_header_struct header = {VERSION, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &header, data) != 0)
        return;
    data[0].effective &= kept;
    data[0].permitted &= kept;
    data[0].inheritable = 0;
    data[1] = (struct __user_cap_data_struct){0};
    syscall(SYS_capset, &header, data);
}

/* Threads and processes of the user, not counted for root: as many more as an encoder on a machine
 * with many processors starts, but not without end. */
static void limit_processes(void)
{
    enum { MORE = 8192 };
    struct rlimit limit;
    struct sysinfo system;
    if (getrlimit(RLIMIT_NPROC, &limit) != 0 || sysinfo(&system) != 0)
        return;
    const rlim_t most = (rlim_t)system.procs + MORE;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > most) {
        limit.rlim_cur = limit.rlim_max = most;
        setrlimit(RLIMIT_NPROC, &limit);
    }
}

bool sandbox_restrict_calls(SandboxProfile profile, SandboxMode mode, Diag *diag)
{
    static const char part[] = "filter of system calls (seccomp)";
    if (mode == SANDBOX_OFF)
        return true;
    if (sandbox_support().seccomp &&
        profile == SANDBOX_READER) { /* the others are forked from one */
        drop_capabilities();
        limit_processes();
    }
    if (!sandbox_support().seccomp)
        return is_missing(part, "not available", mode, diag);
    return finish(part, prepare() ? sandbox_calls_restrict(profile) : ENOSYS, mode, diag);
}

bool sandbox_restrict_files(const SandboxRules *rules, SandboxMode mode, Diag *diag)
{
    static const char part[] = "restriction of files (Landlock)";
    if (mode == SANDBOX_OFF)
        return true;
    if (!sandbox_support().landlock)
        return is_missing(part, "not available", mode, diag);
    return finish(part, prepare() ? restrict_files(rules) : ENOSYS, mode, diag);
}
