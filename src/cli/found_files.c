// SPDX-License-Identifier: MIT
#include "cli/found_files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "film/film_images.h"
#include "format/file_kind.h"
#include "job/job_visit.h"

/* ---- the child ---- */

void found_files_write(FILE *out, FoundKind kind, const char *path)
{
    if (!path || strlen(path) >= PATH_MAX)
        return;
    fputc((int)kind, out);
    fputs(path, out);
    fputc('\0', out);
}

static void write_file(void *user, const JobFile *file)
{
    const bool with_others =
        file->role == ROLE_INPUT_MODEL || file->role == ROLE_INPUT_EFFECT ||
        (file->role == ROLE_INPUT_MOTION && file_kind_serves(file->path, FILE_AS_ACCESSORY));
    const FoundKind kind = file->role == ROLE_OUTPUT ? FOUND_OUTPUT
                           : with_others             ? FOUND_MODEL
                                                     : FOUND_INPUT;
    found_files_write(user, kind, file->path);
}

void found_files_write_job(FILE *out, const Job *job, Arena *arena)
{
    if (job->limits.sandbox == SANDBOX_REQUIRE)
        found_files_write(out, FOUND_REQUIRE, "");
    if (job_uses_installed_fonts(job))
        found_files_write(out, FOUND_FONTS, "");
    job_visit_files(job, write_file, out);
    for (size_t i = 0; i < job->output_count; i++)
        if (job->outputs[i].pass != PASS_BEAUTY)
            found_files_write(out, FOUND_OUTPUT,
                              film_note_name(job->outputs[i].file, job->outputs[i].format,
                                             (Pass)job->outputs[i].pass, arena));
}

/* ---- the process that asks ---- */

static bool is_kind(char kind)
{
    static const char pathless[] = {FOUND_FONTS, FOUND_REQUIRE, FOUND_CONFINED};
    static const char with_path[] = {FOUND_INPUT, FOUND_MODEL, FOUND_JOB, FOUND_DIRECTORY,
                                     FOUND_OUTPUT};
    return memchr(pathless, kind, sizeof pathless) || memchr(with_path, kind, sizeof with_path);
}

static int compare(const void *a, const void *b)
{
    const FoundFile *x = a, *y = b;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : strcmp(x->path, y->path);
}

/* Records are a kind and a path that ends with a NUL.  All after a wrong one is ignored. */
void found_files_read(FoundFiles *found, Bytes bytes, Arena *arena)
{
    const char *at = (const char *)bytes.data, *end = at + bytes.size;
    FoundFiles all = {0};
    while (end - at >= 2) {
        const size_t left = (size_t)(end - at - 1), size = strnlen(at + 1, left);
        if (!is_kind(*at) || size == left || size >= PATH_MAX)
            break;
        *arena_push(arena, &all) = (FoundFile){.kind = (FoundKind)*at, .path = at + 1};
        at += 1 + size + 1;
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare);
    for (size_t i = 0; i < all.count; i++)
        if (!i || compare(&all.items[i - 1], &all.items[i]) != 0)
            *arena_push(arena, found) = all.items[i];
}

typedef struct Finding {
    IsolatedWork *work;
    void *user;
} Finding;

/* The errors of the work are found again by the process that asks. */
static bool find(FILE *out, void *user, Diag *diag)
{
    const Finding *finding = user;
    Diag quiet = diag_quiet();
    (void)diag;
    finding->work(out, finding->user, &quiet);
    return true;
}

bool found_files_run(FoundFiles *found, IsolatedWork *work, void *user, const SandboxRules *rules,
                     const IsolatedLimits *limits, Arena *arena, Diag *diag)
{
    SandboxRules reading = {0};
    IsolatedLimits own = *limits;
    Finding finding = {work, user};
    Bytes bytes;
    for (size_t i = 0; i < rules->count; i++)
        sandbox_allow(&reading, rules->items[i].path,
                      rules->items[i].access & (SANDBOX_READ | SANDBOX_LIST), arena);
    sandbox_allow_libraries(&reading, arena); /* iconv */
    own.files = &reading;
    if (!isolated_run(&bytes, find, &finding, &own, arena, diag))
        return false;
    found_files_read(found, bytes, arena);
    return true;
}
