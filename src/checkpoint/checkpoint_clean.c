#include "checkpoint/checkpoint_clean.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "checkpoint/checkpoint_files.h"

/* Whether a name in a folder may go. */
typedef bool MayGo(const void *user, const char *name);

static void remove_if(const char *folder, MayGo *may_go, const void *user)
{
    DIR *list = file_open_folder(*folder ? folder : ".");
    if (!list)
        return;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;)
        if (may_go(user, entry->d_name))
            unlinkat(dirfd(list), entry->d_name, 0);
    closedir(list);
}

/* NAME of ".NAME.PID.tmp"; false for any other name. */
static bool temporary_of(char out[CHECKPOINT_CLEAN_NAME_SIZE], const char *name)
{
    static const char end[] = ".tmp";
    const size_t size = strlen(name), tail = sizeof end - 1;
    if (name[0] != '.' || size < tail + 4 || size >= CHECKPOINT_CLEAN_NAME_SIZE ||
        strcmp(name + size - tail, end) != 0)
        return false;
    size_t digits = size - tail;
    while (digits > 1 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
        digits--;
    if (digits == size - tail || name[digits - 1] != '.' || digits < 3)
        return false;
    snprintf(out, CHECKPOINT_CLEAN_NAME_SIZE, "%.*s", (int)(digits - 2), name + 1);
    return true;
}

/* ---- of the folder's own files ---- */

typedef struct Kind {
    bool (*is)(const char *name);
} Kind;

static const Kind pieces = {checkpoint_is_segment_name}, bakes = {checkpoint_is_bake_name},
                  ledgers = {checkpoint_is_ledger_name}, records = {checkpoint_is_record_name};

static bool is_of_kind(const void *user, const char *name)
{
    return ((const Kind *)user)->is(name);
}

static bool is_temporary(const void *user, const char *name)
{
    char of[CHECKPOINT_CLEAN_NAME_SIZE];
    return temporary_of(of, name) && ((const Kind *)user)->is(of);
}

static void remove_kind(const char *folder, const char *below, const Kind *kind)
{
    char path[CHECKPOINT_CLEAN_NAME_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, below);
    remove_if(path, is_of_kind, kind);
    remove_if(path, is_temporary, kind);
    if (*below)
        rmdir(path); /* unless something else is in it */
}

void checkpoint_clean_work(const char *folder)
{
    remove_kind(folder, "piece", &pieces);
    remove_kind(folder, "bake", &bakes);
}

/* First what says that all is done, then what says so of pictures. */
void checkpoint_clean_all(const char *folder)
{
    remove_kind(folder, "", &records);
    remove_kind(folder, "ledger", &ledgers);
    checkpoint_clean_work(folder);
}

/* ---- temporaries of a shard ---- */

typedef struct Shard {
    const Film *film;
    const FilmOutput *output;
    FilmSpan pieces, places;
} Shard;

static bool is_dead_piece(const void *user, const char *name)
{
    const Shard *s = user;
    char of[CHECKPOINT_CLEAN_NAME_SIZE];
    size_t output;
    int64_t piece;
    return temporary_of(of, name) && checkpoint_read_segment_name(&output, &piece, of) &&
           piece >= s->pieces.first && piece < s->pieces.end;
}

/* The picture of a still's name; -1 when it is none of this output's. */
static int64_t frame_of(const char *pattern, const char *name)
{
    enum { MOST_DIGITS = 18 };
    const char *base = path_name(pattern), *percent = strchr(base, '%');
    const size_t start = percent ? (size_t)(percent - base) : 0;
    char full[CHECKPOINT_CLEAN_NAME_SIZE];
    int64_t frame = 0;
    if (!percent || strncmp(base, name, start) != 0)
        return -1;
    for (size_t i = 0; i < MOST_DIGITS && name[start + i] >= '0' && name[start + i] <= '9'; i++) {
        frame = 10 * frame + (name[start + i] - '0');
        if (sink_png_name(full, sizeof full, pattern, frame) && !strcmp(path_name(full), name))
            return frame;
    }
    return -1;
}

static bool is_dead_still(const void *user, const char *name)
{
    const Shard *s = user;
    char of[CHECKPOINT_CLEAN_NAME_SIZE];
    const int64_t frame = temporary_of(of, name) ? frame_of(s->output->options.file, of) : -1;
    const int64_t place = frame < 0 ? -1 : film_index_of(s->film, frame);
    return place >= s->places.first && place < s->places.end;
}

static bool is_temporary_of(const void *user, const char *name)
{
    char of[CHECKPOINT_CLEAN_NAME_SIZE];
    return temporary_of(of, name) && !strcmp(of, user);
}

/* Of one file, whoever made them. */
static void sweep_beside(const char *file)
{
    char folder[CHECKPOINT_CLEAN_NAME_SIZE];
    const char *name = path_name(file);
    snprintf(folder, sizeof folder, "%.*s", (int)(name - file), file);
    remove_if(folder, is_temporary_of, name);
}

static void sweep_stills(const Shard *s)
{
    const char *pattern = s->output->options.file, *name = path_name(pattern);
    char path[CHECKPOINT_CLEAN_NAME_SIZE];
    snprintf(path, sizeof path, "%.*s", (int)(name - pattern), pattern);
    if (!strchr(path, '%') && strchr(name, '%')) {
        remove_if(path, is_dead_still, s);
        return;
    }
    /* one picture, or each in a folder of its own */
    for (int64_t p = s->places.first; p < s->places.end; p++)
        if (sink_png_name(path, sizeof path, pattern, film_frame_at(s->film, p)))
            sweep_beside(path);
}

/* In the folder: of all, but of a bake, which may be in the making. */
static void sweep_folder(const char *folder, const Shard *s, bool all)
{
    char path[CHECKPOINT_CLEAN_NAME_SIZE];
    snprintf(path, sizeof path, "%s/piece", folder);
    remove_if(path, all ? is_temporary : is_dead_piece, all ? (const void *)&pieces : s);
    if (all)
        remove_if(folder, is_temporary, &records);
}

void checkpoint_clean_temporaries(const char *folder, const Film *film, FilmShard shard)
{
    const bool all = shard.count == 1;
    Shard s = {.film = film,
               .pieces = film_shard_segments(film, shard),
               .places = film_shard_span(film, shard)};
    sweep_folder(folder, &s, all);
    for (size_t i = 0; i < film->output_count; i++) {
        s.output = &film->outputs[i];
        if (checkpoint_kind(s.output) == CHECKPOINT_STILLS)
            sweep_stills(&s);
        else if (all)
            sweep_beside(s.output->options.file);
    }
    for (size_t i = 0; all && i < film->preview_count; i++)
        sweep_beside(film->previews[i].output.options.file);
}
