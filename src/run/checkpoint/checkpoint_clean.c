// SPDX-License-Identifier: MIT
#include "run/checkpoint/checkpoint_clean.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_calls.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "film/film.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/lock.h"
#include "run/checkpoint/written_files.h"

/* The size of a name without an end; 0 if it ends differently. */
static size_t size_before(const char *name, size_t size, const char *end)
{
    const size_t tail = strlen(end);
    return size >= tail && !memcmp(name + size - tail, end, tail) ? size - tail : 0;
}

/* Extracts NAME from ".NAME.PID.tmp", or the same with FILE_RENAMED; false for any other name. */
static bool parse_temporary_name(char out[CHECKPOINT_CLEAN_NAME_SIZE], const char *name)
{
    static const char end[] = ".tmp";
    const size_t full = strlen(name), renamed = size_before(name, full, FILE_RENAMED);
    const size_t size = renamed ? renamed : full, tail = sizeof end - 1;
    if (name[0] != '.' || size < tail + 4 || full >= CHECKPOINT_CLEAN_NAME_SIZE ||
        !size_before(name, size, end))
        return false;
    size_t digits = size - tail;
    while (digits > 1 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
        digits--;
    if (digits == size - tail || name[digits - 1] != '.' || digits < 3)
        return false;
    snprintf(out, CHECKPOINT_CLEAN_NAME_SIZE, "%.*s", (int)(digits - 2), name + 1);
    return true;
}

/* Names of files to remove; what is NULL or {0, 0} does not restrict them. */
typedef struct Names {
    bool (*is)(const char *name);
    const char *exact, *except;
    const char *output; /* an output, or stills by what is before the number */
    const Film *film;   /* stills, by their pattern, of the frame indices in `span` */
    const char *pattern;
    FilmSpan span;       /* without a film: segments */
    bool only_temporary; /* not the files themselves */
    bool dry;            /* nothing is removed */
    uint64_t *bytes;     /* the size of the files is added; or NULL */
} Names;

static bool is_of_output(const char *name, const char *output)
{
    const size_t size = strcspn(output, "%");
    return output[size] ? !strncmp(name, output, size) : !strcmp(name, output);
}

static bool is_in_span(const Names *names, const char *name)
{
    size_t output;
    int64_t number = -1;
    if (names->film) {
        const int64_t frame = name_pattern_frame(path_name(names->pattern), name);
        number = frame < 0 ? -1 : film_index_of(names->film, frame);
    } else if (!checkpoint_parse_segment_name(&output, &number, name)) {
        return false;
    }
    return number >= names->span.first && number < names->span.end;
}

static void remove_file(int directory, const char *name, const Names *names)
{
    struct stat st;
    if (names->bytes &&
        (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode)))
        return;
    if ((names->dry || file_calls_unlink(directory, name) == 0) && names->bytes)
        *names->bytes += (uint64_t)st.st_size;
}

/* Removes files, and temporary files of them.  False if there is no such directory. */
static bool remove_names(const char *directory, const Names *names)
{
    DIR *list = checkpoint_open_list(*directory ? directory : ".");
    if (!list)
        return false;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        char of[CHECKPOINT_CLEAN_NAME_SIZE];
        const bool is_temporary = parse_temporary_name(of, entry->d_name);
        const char *name = is_temporary ? of : entry->d_name;
        if ((is_temporary || !names->only_temporary) && (!names->is || names->is(name)) &&
            (!names->exact || !strcmp(name, names->exact)) &&
            (!names->output || is_of_output(name, names->output)) &&
            (!names->except || strcmp(name, names->except) != 0) &&
            (!names->span.end || is_in_span(names, name)))
            remove_file(dirfd(list), entry->d_name, names);
    }
    closedir(list);
    return true;
}

/* ---- files of the checkpoint directory ---- */

static bool is_own_file(const char *name)
{
    return !strcmp(name, "job.json") || !strcmp(name, "lock") || !strcmp(name, WRITTEN_FILES_NAME);
}

/* All files of a directory in the order of their removal: reports first, then the ledgers, so that
 * no record outlives what it describes; last what identifies the directory, so that a removal that
 * was interrupted can be repeated. */
static const struct {
    const char *below;
    bool (*is)(const char *name);
} parts[] = {{"", checkpoint_is_record_name},
             {"ledger", checkpoint_is_ledger_name},
             {"piece", checkpoint_is_segment_name}, /* segments of format version 1 */
             {"segment", checkpoint_is_segment_name},
             {"bake", checkpoint_is_bake_name},
             {"", is_own_file}};
enum { PART_WORK = 3, PART_OWN = 5, PARTS = sizeof parts / sizeof *parts };

/* dry, bytes: as in Names */
static void remove_parts(const char *directory, size_t first, size_t end, bool dry, uint64_t *bytes)
{
    char path[CHECKPOINT_CLEAN_NAME_SIZE];
    for (size_t i = first; i < end; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, parts[i].below);
        if (remove_names(path, &(Names){.is = parts[i].is, .dry = dry, .bytes = bytes}) && !dry &&
            *parts[i].below)
            file_calls_rmdir(path); /* fails if other files are in it */
    }
}

void checkpoint_clean_work(const char *directory)
{
    remove_parts(directory, PART_WORK, PART_OWN, false, NULL);
}

void checkpoint_clean_all(const char *directory)
{
    remove_parts(directory, 0, PART_OWN, false, NULL);
}

void checkpoint_clean_ledgers(const char *directory, const char *kept)
{
    char path[CHECKPOINT_CLEAN_NAME_SIZE];
    snprintf(path, sizeof path, "%s/ledger", directory);
    remove_names(path, &(Names){.is = checkpoint_is_ledger_name, .except = kept});
}

/* ---- temporaries of a shard ---- */

/* Removes the temporary files of one output, of any process. */
static void clean_beside(const char *file)
{
    char directory[CHECKPOINT_CLEAN_NAME_SIZE];
    const char *name = path_name(file);
    snprintf(directory, sizeof directory, "%.*s", (int)(name - file), file);
    remove_names(directory, &(Names){.exact = name, .only_temporary = true});
}

static void clean_stills(const Film *film, const char *pattern, FilmSpan indices)
{
    char path[CHECKPOINT_CLEAN_NAME_SIZE];
    snprintf(path, sizeof path, "%.*s", (int)(path_name(pattern) - pattern), pattern);
    if (indices.first >= indices.end)
        return;
    if (!name_pattern_has_number(pattern))
        clean_beside(pattern);
    else
        remove_names(
            path,
            &(Names){.film = film, .pattern = pattern, .span = indices, .only_temporary = true});
}

void checkpoint_clean_temporaries(const char *directory, const Film *film, FilmShard shard)
{
    const bool all = shard.count == 1;
    const FilmSpan segments = film_shard_segments(film, shard);
    char path[CHECKPOINT_CLEAN_NAME_SIZE];
    snprintf(path, sizeof path, "%s/segment", directory);
    if (all || segments.end)
        remove_names(path, &(Names){.is = checkpoint_is_segment_name,
                                    .span = all ? (FilmSpan){0, 0} : segments,
                                    .only_temporary = true});
    if (all) {
        remove_names(directory, &(Names){.is = checkpoint_is_record_name, .only_temporary = true});
        remove_names(directory, &(Names){.exact = WRITTEN_FILES_NAME, .only_temporary = true});
    }
    for (size_t i = 0; i < film->output_count; i++) {
        const FilmOutput *output = &film->outputs[i];
        if (checkpoint_kind(output) == CHECKPOINT_STILLS)
            clean_stills(film, output->options.file, film_shard_span(film, shard));
        else if (all)
            clean_beside(output->options.file);
    }
    for (size_t i = 0; all && i < film->preview_count; i++)
        clean_beside(film->previews[i].output.options.file);
}

/* NULL: another run has it.  Processes that were killed need a moment to end. */
static OutputLocks *lock_killed_output(const char *file, Arena *arena)
{
    static const volatile sig_atomic_t at_once = 1;
    const struct timespec step = {.tv_nsec = 5000000};
    FilmOutput *output = arena_array(arena, FilmOutput, 1);
    const Film film = {.outputs = output, .output_count = 1};
    OutputLocks *locks = NULL;
    Diag quiet = diag_quiet();
    output->options.file = file;
    for (int i = 0; i < 20 && !locks; i++) {
        if (i)
            nanosleep(&step, NULL);
        locks = output_locks_acquire(&film, (FilmSpan){0, LOCK_TO_END}, &at_once, arena, &quiet);
    }
    return locks;
}

void checkpoint_clean_output(const char *file)
{
    Arena *arena = arena_create();
    OutputLocks *locks = lock_killed_output(file, arena);
    const char *directory = checkpoint_directory_beside(file, arena);
    if (locks) {
        remove_parts(directory, 0, PARTS, false, NULL);
        file_calls_rmdir(directory);
        remove_names(path_directory(file, arena),
                     &(Names){.output = path_name(file), .only_temporary = true});
    }
    output_locks_release(locks);
    arena_destroy(arena);
}

bool checkpoint_remove(uint64_t *bytes, const char *directory, bool dry, Arena *arena, Diag *diag)
{
    const char *path = checkpoint_without_slash(directory, arena);
    struct stat st;
    int lock = -1;
    *bytes = 0;
    if (lstat(path, &st) != 0)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_IO), "cannot read '%s': %s", path,
                         strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return diag_fail(diag, DIAG_CREATE, "'%s' is no directory", path);
    if (!checkpoint_check_links(path, diag) ||
        (!dry && !lock_acquire(&lock, arena_printf(arena, "%s/lock", path),
                               (FilmSpan){0, LOCK_TO_END}, 0, "", NULL, diag)))
        return false;
    remove_parts(path, 0, PARTS, dry, bytes);
    lock_release(&lock);
    if (!dry)
        file_calls_rmdir(path);
    return true;
}
