// SPDX-License-Identifier: MIT
/*
 * sandbox.h - a process gives up what it does not need: files, network, other programs
 *
 * Linux enforces it for the calling thread and everything that it forks, for good.  Two parts:
 *
 *   files   Landlock (Linux 5.13): only files below the paths of the rules can be opened, created,
 *           renamed or removed.  Names and attributes of other files stay visible (stat), because
 *           Landlock does not restrict them.
 *   calls   seccomp: a filter of system calls.  Refused calls fail with EPERM, or with ENOSYS where
 *           libraries have a substitute, so nothing is killed.
 *
 * The headers of old distributions lack parts of Landlock: its structs and bits are defined in
 * sandbox.c, and masked by the version that the kernel has.
 *
 * Landlock binds the calling thread and those that it starts later, a filter all threads.  Builds
 * with sanitizers or coverage cannot be confined (LeakSanitizer traces its own process, gcov writes
 * files at exit): ODORI_NO_SANDBOX is defined.
 */
#pragma once

#include <limits.h>

#include "base/arena.h"
#include "base/diag.h"

typedef enum SandboxMode {
    SANDBOX_AUTO,    /* as far as the kernel can */
    SANDBOX_REQUIRE, /* an error if the kernel cannot */
    SANDBOX_OFF
} SandboxMode;

typedef enum SandboxAccess {
    SANDBOX_READ = 1,    /* open for reading, list */
    SANDBOX_WRITE = 2,   /* create, write, rename and remove files and directories below the path */
    SANDBOX_DEVICE = 4,  /* open for reading and writing, ioctl; nothing can be created */
    SANDBOX_RMDIR = 8,   /* remove empty directories */
    SANDBOX_UPDATE = 16, /* read and write existing files; nothing can be cut, created or removed */
    SANDBOX_LIST = 32    /* list directories */
} SandboxAccess;

/* Everything below a directory, or a single file.  A path that does not exist is skipped. */
typedef struct SandboxRule {
    const char *path;
    unsigned access;    /* SandboxAccess bits */
    const char *names;  /* those a file broker may write below the path (file_names.h); NULL: all */
    const char *within; /* real path of a directory: the rule is for nothing outside of it, also if
                         * the path has become a link meanwhile; NULL: any */
} SandboxRule;

typedef ARENA_LIST(SandboxRule) SandboxRules;

/* Adds a rule; the path is copied.  path NULL or "" is skipped. */
void sandbox_allow(SandboxRules *rules, const char *path, unsigned access, Arena *arena);

/* The same for some names below a directory (file_names.h). */
void sandbox_allow_names(SandboxRules *rules, const char *path, const char *names, unsigned access,
                         Arena *arena);

/*
 * Opens what is at a path (O_PATH), if it is below a directory.  Links are resolved first; then
 * none is followed below the directory, so that others who rename files there cannot lead out of
 * it.
 *
 * real     the real path, if it could be opened
 * within   the real path of the directory; NULL: any
 * returns  -1 with errno set, also if it is not below the directory
 */
int sandbox_open(char real[PATH_MAX], const char *path, const char *within);

/* The environment variable with the directory of Mesa's compiled shaders. */
#define SANDBOX_SHADER_CACHE "MESA_SHADER_CACHE_DIR"

/* Adds rules for compiled shaders, which can be read, and the index that Mesa writes. */
void sandbox_allow_shader_cache(SandboxRules *rules, Arena *arena);

/* Adds rules for shared libraries and the list of processors; for OpenGL drivers, devices and
 * everything in /proc and /sys, too. */
void sandbox_allow_libraries(SandboxRules *rules, Arena *arena);
void sandbox_allow_system(SandboxRules *rules, Arena *arena);

/* Each profile refuses other programs (execve), network and named sockets, tracing and reading of
 * other processes, mounts, namespaces, keys, io_uring and changes of attributes (chmod, utime). */
typedef enum SandboxProfile {
    SANDBOX_READER,  /* may fork, and send signals to processes */
    SANDBOX_ENCODER, /* may start threads, but neither fork nor send signals to others */
    SANDBOX_WORKER,  /* may use open files, memory and sockets, and open files; nothing else */
    SANDBOX_SPAWNER, /* a worker that forks workers, and ends them */
    SANDBOX_GPU      /* a worker whose driver talks to a device: as SANDBOX_ENCODER */
} SandboxProfile;

/* The support of the kernel for sandboxes. */
typedef struct SandboxSupport {
    int landlock; /* version of the interface; 0: not available */
    bool seccomp;
} SandboxSupport;

SandboxSupport sandbox_support(void);

/* Removes the variables of the environment that neither this program nor its libraries need, such
 * as credentials, and their texts from memory.  Before the process starts threads. */
void sandbox_clear_environment(void);

/*
 * Confines this process.  Both return false only after an error: DIAG_RESOURCE if the mode is
 * SANDBOX_REQUIRE and the kernel cannot do it.  With SANDBOX_OFF they do nothing.
 */
bool sandbox_restrict_calls(SandboxProfile profile, SandboxMode mode, Diag *diag);
bool sandbox_restrict_files(const SandboxRules *rules, SandboxMode mode, Diag *diag);
