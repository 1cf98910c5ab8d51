#include "run/checkpoint/checkpoint_clean.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_calls.h"
#include "base/path.h"
#include "film/film.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/written_files.h"

/* True for the names in a directory to remove. */
typedef bool Predicate(const void *user, const char *name);

static void remove_if(const char *directory, Predicate *matches, const void *user)
{
    DIR *list = checkpoint_open_list(*directory ? directory : ".");
    if (!list)
        return;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;)
        if (matches(user, entry->d_name))
            file_calls_unlink(dirfd(list), entry->d_name);
    closedir(list);
}

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

/* ---- files of the checkpoint directory ---- */

typedef struct Kind {
    bool (*is)(const char *name);
} Kind;

static bool is_written_files_name(const char *name)
{
    return !strcmp(name, WRITTEN_FILES_NAME);
}

static const Kind segments = {checkpoint_is_segment_name}, bakes = {checkpoint_is_bake_name},
                  ledgers = {checkpoint_is_ledger_name}, records = {checkpoint_is_record_name},
                  written = {is_written_files_name};

static bool is_of_kind(const void *user, const char *name)
{
    return ((const Kind *)user)->is(name);
}

static bool is_temporary(const void *user, const char *name)
{
    char of[CHECKPOINT_CLEAN_NAME_SIZE];
    return parse_temporary_name(of, name) && ((const Kind *)user)->is(of);
}

static void remove_kind(const char *directory, const char *below, const Kind *kind)
{
    char path[CHECKPOINT_CLEAN_NAME_SIZE];
    snprintf(path, sizeof path, "%s/%s", directory, below);
    remove_if(path, is_of_kind, kind);
    remove_if(path, is_temporary, kind);
    if (*below)
        file_calls_rmdir(path); /* fails if other files are in it */
}

void checkpoint_clean_work(const char *directory)
{
    remove_kind(directory, "segment", &segments);
    remove_kind(directory, "bake", &bakes);
}

/* Removes the report first, then the ledgers, so that no record outlives what it describes. */
void checkpoint_clean_all(const char *directory)
{
    remove_kind(directory, "", &records);
    remove_kind(directory, "ledger", &ledgers);
    remove_kind(directory, "piece", &segments); /* of format version 1 */
    checkpoint_clean_work(directory);
}

/* ---- temporaries of a shard ---- */

typedef struct Shard {
    const Film *film;
    const FilmOutput *output;
    FilmSpan segments, indices;
} Shard;

static bool is_shard_segment_temporary(const void *user, const char *name)
{
    const Shard *s = user;
    char of[CHECKPOINT_CLEAN_NAME_SIZE];
    size_t output;
    int64_t segment;
    return parse_temporary_name(of, name) && checkpoint_parse_segment_name(&output, &segment, of) &&
           segment >= s->segments.first && segment < s->segments.end;
}

/* The frame number in the name of a still; -1 if the name does not match the pattern. */
static int64_t frame_of(const char *pattern, const char *name)
{
    enum { MAX_DIGITS = 18 };
    const char *base = path_name(pattern), *percent = strchr(base, '%');
    const size_t start = percent ? (size_t)(percent - base) : 0;
    char full[CHECKPOINT_CLEAN_NAME_SIZE];
    int64_t frame = 0;
    if (!percent || strncmp(base, name, start) != 0)
        return -1;
    for (size_t i = 0; i < MAX_DIGITS && name[start + i] >= '0' && name[start + i] <= '9'; i++) {
        frame = 10 * frame + (name[start + i] - '0');
        if (sink_png_name(full, sizeof full, pattern, frame) && !strcmp(path_name(full), name))
            return frame;
    }
    return -1;
}

static bool is_shard_still_temporary(const void *user, const char *name)
{
    const Shard *s = user;
    char of[CHECKPOINT_CLEAN_NAME_SIZE];
    const int64_t frame =
        parse_temporary_name(of, name) ? frame_of(s->output->options.file, of) : -1;
    const int64_t index = frame < 0 ? -1 : film_index_of(s->film, frame);
    return index >= s->indices.first && index < s->indices.end;
}

static bool is_temporary_of(const void *user, const char *name)
{
    char of[CHECKPOINT_CLEAN_NAME_SIZE];
    return parse_temporary_name(of, name) && !strcmp(of, user);
}

/* Removes the temporary files of one output, of any process. */
static void clean_beside(const char *file)
{
    char directory[CHECKPOINT_CLEAN_NAME_SIZE];
    const char *name = path_name(file);
    snprintf(directory, sizeof directory, "%.*s", (int)(name - file), file);
    remove_if(directory, is_temporary_of, name);
}

static void clean_stills(const Shard *s)
{
    const char *pattern = s->output->options.file, *name = path_name(pattern);
    char path[CHECKPOINT_CLEAN_NAME_SIZE];
    snprintf(path, sizeof path, "%.*s", (int)(name - pattern), pattern);
    if (!strchr(path, '%') && strchr(name, '%')) {
        remove_if(path, is_shard_still_temporary, s);
        return;
    }
    /* a single still, or a directory per still */
    for (int64_t p = s->indices.first; p < s->indices.end; p++)
        if (sink_png_name(path, sizeof path, pattern, film_frame_at(s->film, p)))
            clean_beside(path);
}

/* In the checkpoint directory; not bakes, which another process may be writing. */
static void clean_directory(const char *directory, const Shard *s, bool all)
{
    char path[CHECKPOINT_CLEAN_NAME_SIZE];
    snprintf(path, sizeof path, "%s/segment", directory);
    remove_if(path, all ? is_temporary : is_shard_segment_temporary,
              all ? (const void *)&segments : s);
    if (all) {
        remove_if(directory, is_temporary, &records);
        remove_if(directory, is_temporary, &written);
    }
}

void checkpoint_clean_temporaries(const char *directory, const Film *film, FilmShard shard)
{
    const bool all = shard.count == 1;
    Shard s = {.film = film,
               .segments = film_shard_segments(film, shard),
               .indices = film_shard_span(film, shard)};
    clean_directory(directory, &s, all);
    for (size_t i = 0; i < film->output_count; i++) {
        s.output = &film->outputs[i];
        if (checkpoint_kind(s.output) == CHECKPOINT_STILLS)
            clean_stills(&s);
        else if (all)
            clean_beside(s.output->options.file);
    }
    for (size_t i = 0; all && i < film->preview_count; i++)
        clean_beside(film->previews[i].output.options.file);
}
