// SPDX-License-Identifier: MIT
#include "cli/shader_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/embedded_text.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/program.h"
#include "cli/session.h"
#include "cli/stop.h"
#include "sandbox/sandbox.h"

enum { PRIVATE = 0700, PATH_SIZE = 4096 };

/* ---- the directory ---- */

static const char *directory_of_cache(Arena *arena)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        return arena_printf(arena, "%s/odori", cache);
    return home && home[0] == '/' ? arena_printf(arena, "%s/.cache/odori", home) : NULL;
}

/* No other user may write what this user runs. */
static bool is_private(const char *directory)
{
    struct stat st;
    return stat(directory, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
           !(st.st_mode & (S_IWGRP | S_IWOTH));
}

static bool make_directory(const char *directory)
{
    Diag quiet = diag_quiet();
    return is_private(directory) || (file_make_parent_dirs(directory, &quiet) &&
                                     mkdir(directory, PRIVATE) == 0 && is_private(directory));
}

/* ---- filling it ---- */

/* Installing libraries changes the cache of the loader; another driver needs other code. */
static bool is_complete(const char *stamp)
{
    struct stat st, libraries;
    return stat(stamp, &st) == 0 &&
           (stat("/etc/ld.so.cache", &libraries) != 0 || libraries.st_mtime <= st.st_mtime);
}

/* All directories of Mesa's cache: it reports each that it cannot create. */
static void make_all_directories(const char *directory)
{
    enum { COUNT = 256 };
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/mesa_shader_cache", directory);
    mkdir(path, PRIVATE);
    for (unsigned i = 0; i < COUNT; i++) {
        snprintf(path, sizeof path, "%s/mesa_shader_cache/%02x", directory, i);
        mkdir(path, PRIVATE);
    }
}

/* What is drawn of the demo: kinds of shaders differ between jobs with and without a stage, opaque
 * and transparent films, and what a camera sees at which size. */
static const struct Drawing {
    const char *frames, *settings[2];
} drawings[] = {
    {"0,100,600", {"render.size=[64,36]"}},
    {"0,600", {"render.size=[64,36]", "background.alpha=true"}},
    {"600", {"render.size=[1920,1080]"}},
    {"0,600", {"render.size=[64,36]", "stage=[]"}},
    {"0", {"render.size=[64,36]", "render.quality=draft"}},
};

enum {
    DRAWINGS = sizeof drawings / sizeof *drawings,
    SETTINGS = sizeof drawings->settings / sizeof *drawings->settings
};

/* Draws a job, or the demo in a directory.  Mesa stores in a thread, so that what it compiled for
 * the last frame may be lost: the next drawing repeats it. */
static bool draw(const char *verb, const char *directory, const char *job,
                 const struct Drawing *drawing)
{
    Arena *arena = arena_create();
    Progress progress;
    Diag diag = diag_quiet();
    Arguments args = {.verb = verb_find(verb),
                      .output = "null:",
                      .demo_dir = directory,
                      .frames = drawing->frames};
    Session session;
    progress_init(&progress, stderr, PROGRESS_NONE, COLOR_NEVER);
    if (job)
        *arena_push(arena, &args.operands) = job;
    for (size_t i = 0; i < SETTINGS && drawing->settings[i]; i++)
        *arena_push(arena, &args.sets) = drawing->settings[i];
    *arena_push(arena, &args.sets) = "models.0.physics=false";
    *arena_push(arena, &args.keys) = (JobFlag){"--workers", "render.workers=1"};
    *arena_push(arena, &args.keys) = (JobFlag){"--sandbox", "limits.sandbox=off"};
    session_begin(&session, &args, NULL, &progress, arena, &diag);
    const bool good = session.args.verb->run(&session);
    session_end(&session);
    arena_destroy(arena);
    return good;
}

static bool draw_demo(const char *directory)
{
    char assets[PATH_SIZE], job[PATH_SIZE + 16];
    snprintf(assets, sizeof assets, "%s/demo", directory);
    snprintf(job, sizeof job, "%s/demo.yaml", assets);
    bool good = draw("demo", assets, NULL, &drawings[0]);
    for (size_t i = 1; i < DRAWINGS; i++)
        good = good && draw("render", NULL, job, &drawings[i]);
    return good;
}

static void set_variables(const char *directory)
{
    setenv("MESA_SHADER_CACHE_DIR", directory, 1);
    setenv("MESA_DISK_CACHE_MULTI_FILE", "true", 1); /* the only form that can be read-only */
    unsetenv("MESA_SHADER_CACHE_DISABLE");
}

static bool fill(const char *directory)
{
    int status = -1;
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        prctl(PR_SET_NAME, "odori-shaders");
        const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        for (int fd = 0; null >= 0 && fd < 3; fd++)
            dup2(null, fd);
        set_variables(directory);
        make_all_directories(directory);
        _exit(draw_demo(directory) ? 0 : 1);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        if (stop_signal_number())
            kill(pid, SIGKILL);
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Named after the shaders and what is drawn with them, which differ between versions of the
 * program, and after the bundle, which has a driver of its own. */
static const char *stamp_of(const char *directory, Arena *arena)
{
    enum { DIGITS = 16 };
    char text[DIGEST_TEXT_SIZE], bundle[PROGRAM_PATH_SIZE];
    Hash *hash = hash_create();
    if (program_bundle(bundle))
        hash_add(hash, bundle, strlen(bundle));
    for (const EmbeddedText *shader = embedded_shaders; shader->name; shader++)
        hash_add(hash, shader->text, strlen(shader->text));
    for (size_t i = 0; i < DRAWINGS; i++)
        for (size_t k = 0; k < SETTINGS && drawings[i].settings[k]; k++)
            hash_add(hash, drawings[i].settings[k], strlen(drawings[i].settings[k]));
    const Digest digest = hash_finish(hash);
    digest_text(text, &digest);
    return arena_printf(arena, "%s/complete-%.*s", directory, DIGITS, text);
}

static bool save_stamp(const char *stamp)
{
    Diag quiet = diag_quiet();
    return file_save(stamp, "", 0, &quiet);
}

ShaderCacheState shader_cache_state(Arena *arena)
{
    enum { CAN_REFUSE_TO_TRUNCATE = 3 };
    const char *directory = directory_of_cache(arena);
    return (ShaderCacheState){.directory = directory,
                              .complete = directory && is_complete(stamp_of(directory, arena)),
                              .confined = sandbox_support().landlock >= CAN_REFUSE_TO_TRUNCATE};
}

const char *shader_cache_prepare(Arena *arena)
{
    const ShaderCacheState state = shader_cache_state(arena);
    const char *directory = state.directory;
    if (!state.confined || !directory || !make_directory(directory))
        return NULL;
    if (!state.complete && !(fill(directory) && save_stamp(stamp_of(directory, arena))))
        return NULL;
    set_variables(directory);
    return directory;
}

void shader_cache_keep(Arena *arena)
{
    const char *directory = directory_of_cache(arena);
    if (!getenv(SANDBOX_SHADER_CACHE) && !getenv("MESA_SHADER_CACHE_DISABLE") && directory &&
        make_directory(directory))
        set_variables(directory);
}
