#include "cli/confinement.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/path.h"
#include "cli/shader_cache.h"
#include "film/film_images.h"
#include "film/sandbox_paths.h"
#include "run/checkpoint/checkpoint_files.h"
#include "sandbox/file_broker.h"
#include "typesetting/font_catalog.h"

static const char KEY[] = "limits.sandbox=", VARIABLE[] = "ODORI_SANDBOX";

/* ---- the mode ---- */

/* The mode with a name, or -1. */
static int mode_find(const char *name)
{
    static const char *const names[] = {"auto", "require", "off"}; /* SandboxMode */
    for (int i = 0; name && i < (int)(sizeof names / sizeof *names); i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
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

/* What the host decides: --sandbox, else ODORI_SANDBOX; -1 if it leaves it to the job. */
static int mode_of_host(const Arguments *args)
{
    const char *value = flag_value(args);
    return mode_find(value ? value : getenv(VARIABLE));
}

SandboxMode confinement_mode(const Arguments *args)
{
    const int mode = mode_of_host(args);
    return mode < 0 ? SANDBOX_AUTO : (SandboxMode)mode;
}

static bool choose_mode(Confinement *c, Job *job, Diag *diag)
{
    const SandboxMode own = (SandboxMode)job->limits.sandbox;
    if (!c->decided && own == SANDBOX_REQUIRE)
        c->mode = own;
    job->limits.sandbox = (int)c->mode;
    return own != SANDBOX_OFF || c->decided ||
           diag_warn(diag, WARN_JOB,
                     "limits.sandbox: a job cannot turn the sandbox off; use --sandbox off");
}

static void choose_shader_cache(Arena *arena)
{
    const SandboxSupport has = sandbox_support();
    if ((!has.landlock && !has.seccomp) || shader_cache_prepare(arena))
        return;
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    unsetenv(SANDBOX_SHADER_CACHE);
}

bool confinement_begin(Confinement *c, const Arguments *args, bool draws, Arena *arena, Diag *diag)
{
    *c = (Confinement){.mode = confinement_mode(args),
                       .decided = mode_of_host(args) >= 0,
                       .verbose = args->verbose,
                       .arena = arena};
    if (draws && c->mode != SANDBOX_OFF)
        choose_shader_cache(arena);
    return sandbox_restrict_calls(SANDBOX_READER, c->mode, diag);
}

void confinement_pass_on(const Arguments *args)
{
    if (flag_value(args))
        setenv(VARIABLE, flag_value(args), 1);
}

/* ---- files ---- */

void confinement_read(Confinement *c, const char *file)
{
    sandbox_allow(&c->rules, file, SANDBOX_READ, c->arena);
    sandbox_paths_add_file(&c->rules, file, SANDBOX_READ, c->arena);
}

/* mkdir -p; an error is reported when the file is created. */
static void make_directories(Confinement *c, const char *file)
{
    char *path = arena_strndup(c->arena, file, strcspn(file, "%"));
    char *end = strrchr(path, '/');
    struct stat st;
    for (char *at = path; end && at <= end; at++) {
        if (*at != '/' || at == path)
            continue;
        *at = '\0';
        if (stat(path, &st) != 0) {
            const char *parent = path_directory(path, c->arena);
            if (mkdir(path, 0777) != 0)
                return;
            sandbox_allow_names(&c->rules, *parent ? parent : ".", path_name(path), SANDBOX_RMDIR,
                                c->arena);
            *arena_push(c->arena, &c->created) = arena_strdup(c->arena, path);
        }
        *at = '/';
    }
}

/* A checkpoint directory that is a link to another place. */
static void allow_linked_checkpoint(Confinement *c, const char *file)
{
    const char *directory = checkpoint_directory_beside(file, c->arena);
    struct stat st;
    if (lstat(directory, &st) == 0 && S_ISLNK(st.st_mode))
        sandbox_allow(&c->rules, directory, SANDBOX_READ | SANDBOX_WRITE, c->arena);
}

void confinement_write(Confinement *c, const char *file)
{
    if (!file || c->mode == SANDBOX_OFF)
        return;
    make_directories(c, file);
    sandbox_paths_add_file(&c->rules, file, SANDBOX_READ | SANDBOX_WRITE, c->arena);
    allow_linked_checkpoint(c, file);
}

void confinement_write_below(Confinement *c, const char *directory)
{
    if (c->mode == SANDBOX_OFF)
        return;
    make_directories(c, arena_printf(c->arena, "%s/", directory));
    sandbox_allow(&c->rules, directory, SANDBOX_READ | SANDBOX_WRITE, c->arena);
}

/* An error is reported when the directory is used. */
void confinement_add_scratch(Confinement *c)
{
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = "/tmp";
    char *directory = arena_printf(c->arena, "%s/odori-XXXXXX", parent);
    if (c->mode == SANDBOX_OFF || !mkdtemp(directory))
        return;
    setenv("TMPDIR", directory, 1);
    sandbox_allow_names(&c->rules, parent, path_name(directory), SANDBOX_RMDIR, c->arena);
    sandbox_allow(&c->rules, directory, SANDBOX_READ | SANDBOX_WRITE, c->arena);
    c->scratch = directory;
    *arena_push(c->arena, &c->created) = directory;
}

/* Which of them are needed is known later, when text is read. */
void confinement_add_fonts(Confinement *c)
{
    font_catalog_prepare();
    const char **directories = font_catalog_directories(c->arena);
    for (size_t i = 0; directories[i]; i++)
        sandbox_allow(&c->rules, directories[i], SANDBOX_READ, c->arena);
}

bool confinement_add_job(Confinement *c, Job *job, bool writes, Diag *diag)
{
    if (!choose_mode(c, job, diag))
        return false;
    sandbox_paths_add_inputs(&c->rules, job, c->arena);
    if (job_uses_installed_fonts(job))
        confinement_add_fonts(c);
    sandbox_paths_add_outputs(&c->rules, job, SANDBOX_READ, c->arena);
    for (size_t i = 0; writes && i < job->output_count; i++) {
        confinement_write(c, job->outputs[i].file);
        if (job->outputs[i].pass != PASS_BEAUTY)
            confinement_write(
                c, film_note_name(job->outputs[i].file, (Pass)job->outputs[i].pass, c->arena));
    }
    for (size_t i = 0; writes && i < job->preview_count; i++)
        confinement_write(c, job->previews[i].file);
    return true;
}

/* ---- entering and leaving ---- */

static bool report(const Confinement *c, Diag *diag)
{
    const SandboxSupport has = sandbox_support();
    if (c->mode == SANDBOX_OFF)
        diag_note(diag, "sandbox: off");
    else if (has.landlock)
        diag_note(diag, "sandbox: files restricted (Landlock %d), system calls %s", has.landlock,
                  has.seccomp ? "filtered (seccomp)" : "not filtered");
    else
        diag_note(diag, "sandbox: files not restricted (no Landlock), system calls %s",
                  has.seccomp ? "filtered (seccomp)" : "not filtered");
    return true;
}

bool confinement_enter(const Confinement *c, Diag *diag)
{
    Confinement own = *c;
    if (c->mode == SANDBOX_OFF)
        return !c->verbose || report(c, diag);
    if (!file_broker_start(&c->rules, diag))
        return false;
    own.rules = file_broker_remaining(&c->rules, c->arena);
    sandbox_allow(&own.rules, c->scratch, SANDBOX_WRITE, c->arena);
    sandbox_allow_system(&own.rules, c->arena);
    return sandbox_restrict_files(&own.rules, c->mode, diag) && (!c->verbose || report(c, diag));
}

bool confinement_enter_job(Confinement *c, Job *job, const char *file, bool writes, Diag *diag)
{
    if (!confinement_add_job(c, job, writes, diag))
        return false;
    confinement_write(c, file);
    return confinement_enter(c, diag);
}

bool confinement_end(const Confinement *c, bool good)
{
    for (size_t i = c->created.count; i-- > 0;)
        file_calls_rmdir(c->created.items[i]);
    return good;
}
