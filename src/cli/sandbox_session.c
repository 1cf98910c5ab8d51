// SPDX-License-Identifier: MIT
#include "cli/sandbox_session.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/archive_path.h"
#include "base/file_calls.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "base/text.h"
#include "base/write_root.h"
#include "cli/shader_cache.h"
#include "format/file_kind.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/sandbox_paths.h"
#include "sandbox/file_broker.h"
#include "typesetting/font_catalog.h"

static const char KEY[] = "limits.sandbox=", VARIABLE[] = "ODORI_SANDBOX";

/* ---- the mode ---- */

/* The mode with a name, or -1. */
static int mode_find(const char *name)
{
    static const char *const names[] = {"auto", "require", "off"}; /* SandboxMode */
    return name ? text_find(TEXT_ARRAY(names), name) : -1;
}

/* The last --sandbox, or NULL. */
static const char *flag_value(const Arguments *args)
{
    const char *value = NULL;
    for (size_t i = 0; i < args->keys.count; i++)
        if (!strncmp(args->keys.items[i].set, KEY, sizeof KEY - 1))
            value = args->keys.items[i].set + sizeof KEY - 1;
    return value;
}

/* The mode that the host has chosen by --sandbox or else ODORI_SANDBOX; -1 if it leaves the choice
 * to the job. */
static int mode_of_host(const Arguments *args)
{
    const char *value = flag_value(args);
    return mode_find(value ? value : getenv(VARIABLE));
}

SandboxMode sandbox_session_mode(const Arguments *args)
{
    const int mode = mode_of_host(args);
    return mode < 0 ? SANDBOX_AUTO : (SandboxMode)mode;
}

bool sandbox_session_check_job(SandboxSession *s, Job *job, Diag *diag)
{
    const SandboxMode own = (SandboxMode)job->limits.sandbox;
    const bool requires = !s->decided && own == SANDBOX_REQUIRE;
    if (requires)
        s->mode = own;
    job->limits.sandbox = (int)s->mode;
    if (own == SANDBOX_OFF && !s->decided)
        return diag_warn(diag, WARN_JOB,
                         "limits.sandbox: a job cannot turn the sandbox off; use --sandbox off");
    return !requires || s->entered || sandbox_restrict_files(&s->rules, s->mode, diag);
}

static void choose_shader_cache(Arena *arena)
{
    const SandboxSupport has = sandbox_support();
    if ((!has.landlock && !has.seccomp) || shader_cache_prepare(arena))
        return;
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    unsetenv(SANDBOX_SHADER_CACHE);
}

void sandbox_session_init(SandboxSession *s, const Arguments *args, Arena *arena)
{
    *s = (SandboxSession){.mode = sandbox_session_mode(args),
                          .decided = mode_of_host(args) >= 0,
                          .verbose = args->verbose,
                          .arena = arena};
}

bool sandbox_session_begin(SandboxSession *s, bool draws, Diag *diag)
{
    if (draws && s->mode == SANDBOX_OFF)
        shader_cache_keep(s->arena);
    else if (draws)
        choose_shader_cache(s->arena);
    if (s->mode != SANDBOX_OFF)
        sandbox_clear_environment();
    return sandbox_restrict_calls(SANDBOX_READER, s->mode, diag);
}

bool sandbox_session_restricts_files(const SandboxSession *s)
{
    return s->mode != SANDBOX_OFF && sandbox_support().landlock;
}

void sandbox_session_export_to_children(const Arguments *args)
{
    if (flag_value(args))
        setenv(VARIABLE, flag_value(args), 1);
}

/* ---- files ---- */

static const char *directory_of(const char *file, Arena *arena)
{
    const char *directory = path_directory(file, arena);
    return *directory ? directory : ".";
}

/* The names beside an input are compared with its own if it does not exist, and in other
 * spellings; those beside its directories, too, if theirs are not UTF-8, because the job has them
 * as text. */
static void allow_input(SandboxSession *s, const char *file)
{
    for (const char *part = file, *slash; (slash = strchr(part, '/')); part = slash + 1)
        if (!text_is_utf8(part, (size_t)(slash - part)))
            sandbox_allow(&s->rules,
                          part == file ? "." : arena_strndup(s->arena, file, (size_t)(part - file)),
                          SANDBOX_LIST, s->arena);
    sandbox_allow(&s->rules, file, SANDBOX_READ, s->arena);
    sandbox_allow(&s->rules, directory_of(file, s->arena), SANDBOX_LIST, s->arena);
}

void sandbox_session_read(SandboxSession *s, const char *file)
{
    enum { WITH_OTHERS = FILE_AS_MODEL | FILE_AS_ACCESSORY | FILE_AS_PROJECT | FILE_AS_EFFECT };
    if (!file || !*file)
        return;
    allow_input(s, file);
    if (name_pattern_has_number(file) || file_kind_serves(file, WITH_OTHERS))
        sandbox_session_read_below(s, directory_of(file, s->arena));
}

void sandbox_session_read_below(SandboxSession *s, const char *directory)
{
    sandbox_allow(&s->rules, directory, SANDBOX_READ, s->arena);
}

static bool make_directory(const char *parent, const char *path, const char *within)
{
    char real[PATH_MAX];
    const int above = sandbox_open(real, parent, within);
    const bool made = above >= 0 && mkdirat(above, path_name(path), 0777) == 0;
    if (above >= 0)
        close(above);
    return made;
}

/* mkdir -p; an error is reported when the file is created. */
static void make_directories(SandboxSession *s, const char *file, const char *within)
{
    char *path = arena_strdup(s->arena, file);
    char *end = strrchr(path, '/');
    struct stat st;
    for (char *at = path; end && at <= end; at++) {
        if (*at != '/' || at == path)
            continue;
        *at = '\0';
        if (stat(path, &st) != 0) {
            const char *parent = path_directory(path, s->arena);
            if (!make_directory(*parent ? parent : ".", path, within))
                return;
            sandbox_allow_names(&s->rules, *parent ? parent : ".", path_name(path), SANDBOX_RMDIR,
                                s->arena);
            *arena_push(s->arena, &s->created) = arena_strdup(s->arena, path);
        }
        *at = '/';
    }
}

/* A checkpoint directory that is a link to another place, or that of a FIFO, whose own rule is for
 * nothing beside it: a preview of its job has one. */
static void allow_checkpoint(SandboxSession *s, const char *file)
{
    const char *directory = checkpoint_directory_beside(file, s->arena);
    char within[PATH_MAX];
    struct stat st;
    if (lstat(directory, &st) == 0 && S_ISLNK(st.st_mode)) {
        sandbox_allow(&s->rules, directory, SANDBOX_READ | SANDBOX_WRITE, s->arena);
        if (write_root_beside(within, directory))
            s->rules.items[s->rules.count - 1].within = arena_strdup(s->arena, within);
    } else if (stat(file, &st) == 0 && S_ISFIFO(st.st_mode)) {
        sandbox_paths_add_file(&s->rules, directory, SANDBOX_READ | SANDBOX_WRITE, s->arena);
    }
}

static void allow_file(SandboxSession *s, const char *file)
{
    make_directories(s, file, write_root_of(file));
    sandbox_paths_add_file(&s->rules, file, SANDBOX_READ | SANDBOX_WRITE, s->arena);
    allow_checkpoint(s, file);
}

static void allow_below(SandboxSession *s, const SandboxWrite *write)
{
    char within[PATH_MAX];
    const bool is_restricted = !write->follows_links && write_root_beside(within, write->path);
    make_directories(s, arena_printf(s->arena, "%s/", write->path),
                     is_restricted ? write_root_of(write->path) : NULL);
    sandbox_allow(&s->rules, write->path, SANDBOX_READ | SANDBOX_WRITE, s->arena);
    if (is_restricted)
        s->rules.items[s->rules.count - 1].within = arena_strdup(s->arena, within);
}

/* When it is known where they may lead (write_root.h). */
static void allow_writes(SandboxSession *s)
{
    for (size_t i = 0; i < s->writes.count; i++) {
        const SandboxWrite *write = &s->writes.items[i];
        const size_t first = s->rules.count;
        const char *within = write->follows_links ? NULL : write_root_of(write->path);
        if (write->is_directory)
            allow_below(s, write);
        else
            allow_file(s, write->path);
        for (size_t k = first; k < s->rules.count; k++)
            if (!s->rules.items[k].within)
                s->rules.items[k].within = within;
    }
    s->writes.count = 0;
}

static void add_write(SandboxSession *s, SandboxWrite write)
{
    if (!write.path || !*write.path || s->mode == SANDBOX_OFF)
        return;
    write.path = arena_strdup(s->arena, write.path);
    *arena_push(s->arena, &s->writes) = write;
}

void sandbox_session_write(SandboxSession *s, const char *file)
{
    add_write(s, (SandboxWrite){.path = file});
}

void sandbox_session_write_below(SandboxSession *s, const char *directory)
{
    add_write(s, (SandboxWrite){.path = directory, .is_directory = true});
}

void sandbox_session_write_state(SandboxSession *s, const char *directory)
{
    add_write(s, (SandboxWrite){.path = directory, .is_directory = true, .follows_links = true});
}

/* An error is reported when the directory is used. */
void sandbox_session_add_scratch(SandboxSession *s)
{
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = "/tmp";
    char *directory = arena_printf(s->arena, "%s/odori-XXXXXX", parent);
    if (s->mode == SANDBOX_OFF || !mkdtemp(directory))
        return;
    setenv("TMPDIR", directory, 1);
    sandbox_allow_names(&s->rules, parent, path_name(directory), SANDBOX_RMDIR, s->arena);
    sandbox_allow(&s->rules, directory, SANDBOX_READ | SANDBOX_WRITE, s->arena);
    s->scratch = directory;
    *arena_push(s->arena, &s->created) = directory;
}

/* Which of them are needed is known later, when text is read. */
void sandbox_session_add_fonts(SandboxSession *s)
{
    font_catalog_prepare();
    const char **directories = font_catalog_directories(s->arena);
    for (size_t i = 0; directories[i]; i++)
        sandbox_allow(&s->rules, directories[i], SANDBOX_READ, s->arena);
}

void sandbox_session_read_job(SandboxSession *s, const char *file)
{
    sandbox_session_read(s, file);
    sandbox_allow(&s->rules, arena_printf(s->arena, "%s..", path_directory(file, s->arena)),
                  SANDBOX_LIST, s->arena);
}

static void add_found(SandboxSession *s, const FoundFile *file, bool writes)
{
    switch (file->kind) {
    case FOUND_INPUT:
        allow_input(s, file->path);
        break;
    case FOUND_MODEL: /* the file is perhaps a link to another directory */
        allow_input(s, file->path);
        if (!archive_path_is_archive(file->path))
            sandbox_session_read_below(s, directory_of(file->path, s->arena));
        break;
    case FOUND_JOB:
        sandbox_session_read_job(s, file->path);
        break;
    case FOUND_DIRECTORY:
        sandbox_session_read_below(s, file->path);
        break;
    case FOUND_OUTPUT:
        sandbox_paths_add_file(&s->rules, file->path, SANDBOX_READ, s->arena);
        if (writes)
            sandbox_session_write(s, file->path);
        break;
    case FOUND_FONTS:
        sandbox_session_add_fonts(s);
        break;
    case FOUND_REQUIRE:
        if (!s->decided)
            s->mode = SANDBOX_REQUIRE;
        break;
    case FOUND_CONFINED:
    default:
        break;
    }
}

void sandbox_session_add_found(SandboxSession *s, const FoundFiles *found, bool writes)
{
    for (size_t i = 0; i < found->count; i++) {
        size_t rule = s->rules.count;
        add_found(s, &found->items[i], writes);
        for (; rule < s->rules.count; rule++)
            s->rules.items[rule].within = found->items[i].within;
    }
}

/* ---- entering and leaving ---- */

static bool report(const SandboxSession *s, Diag *diag)
{
    const SandboxSupport has = sandbox_support();
    if (s->mode == SANDBOX_OFF)
        diag_note(diag, "sandbox: off");
    else if (has.landlock)
        diag_note(diag, "sandbox: files restricted (Landlock %d), system calls %s", has.landlock,
                  has.seccomp ? "filtered (seccomp)" : "not filtered");
    else
        diag_note(diag, "sandbox: files not restricted (no Landlock), system calls %s",
                  has.seccomp ? "filtered (seccomp)" : "not filtered");
    return true;
}

const SandboxRules *sandbox_session_lend(SandboxSession *s)
{
    if (s->mode == SANDBOX_OFF)
        return NULL;
    allow_writes(s);
    return sandbox_support().landlock && file_broker_is_needed(&s->rules) ? &s->rules : NULL;
}

bool sandbox_session_enter(SandboxSession *s, Diag *diag)
{
    SandboxRules remaining;
    if (s->mode == SANDBOX_OFF)
        return !s->verbose || report(s, diag);
    allow_writes(s);
    if (!file_broker_start(&s->rules, diag))
        return false;
    remaining = file_broker_remaining(&s->rules, s->arena);
    sandbox_allow(&remaining, s->scratch, SANDBOX_WRITE, s->arena);
    sandbox_allow_system(&remaining, s->arena);
    s->entered = sandbox_restrict_files(&remaining, s->mode, diag);
    return s->entered && (!s->verbose || report(s, diag));
}

void sandbox_session_end(const SandboxSession *s)
{
    for (size_t i = s->created.count; i-- > 0;)
        file_calls_rmdir(s->created.items[i]);
}
