#include "checkpoint/checkpoint_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_read.h"
#include "base/text.h"
#include "film/frame_ranges.h"
#include "job/option_read.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/checkpoint_files.h"

enum { MOST_BYTES = 16 << 20 };

/* ---- job.json ---- */

static void read_facts(CheckpointContent *look, JsonReader *r)
{
    json_read_open(r, '{');
    for (const char *key; json_read_key(&key, r);) {
        const CheckpointFact fact = {key, json_read_text(r)};
        *arena_push(r->arena, &look->facts) = fact;
    }
}

static CheckpointInput read_input(JsonReader *r)
{
    CheckpointInput input = {.file = ""};
    json_read_open(r, '{');
    for (const char *key; json_read_key(&key, r);)
        if (!strcmp(key, "file"))
            input.file = json_read_text(r);
        else if (!strcmp(key, "bytes"))
            input.bytes = (uint64_t)json_read_int(r);
        else if (!strcmp(key, "sha256"))
            r->failed |= !digest_parse(&input.digest, json_read_text(r));
        else
            json_read_skip(r);
    return input;
}

static void read_inputs(CheckpointContent *look, JsonReader *r)
{
    json_read_open(r, '[');
    while (json_read_item(r)) {
        const CheckpointInput input = read_input(r);
        *arena_push(r->arena, &look->inputs) = input;
    }
}

typedef struct Head {
    bool is_ours, has_digest;
    int64_t version;
} Head;

static void read_record(CheckpointContent *look, Head *head, JsonReader *r)
{
    json_read_open(r, '{');
    for (const char *key; json_read_key(&key, r);)
        if (!strcmp(key, "format"))
            head->is_ours = !strcmp(json_read_text(r), "odori-state");
        else if (!strcmp(key, "version"))
            head->version = json_read_int(r);
        else if (!strcmp(key, "digest"))
            head->has_digest = digest_parse(&look->digest, json_read_text(r));
        else if (!strcmp(key, "job") && head->version == CHECKPOINT_VERSION) {
            read_facts(look, r);
            look->covered = look->facts.count;
        } else if (!strcmp(key, "apart") && head->version == CHECKPOINT_VERSION)
            read_facts(look, r);
        else if (!strcmp(key, "inputs") && head->version == CHECKPOINT_VERSION)
            read_inputs(look, r);
        else
            json_read_skip(r);
}

static bool parse_record(CheckpointContent *look, Bytes bytes, Arena *arena, Diag *diag)
{
    Head head = {0};
    JsonReader reader = json_read_init(bytes.data, bytes.size, arena);
    read_record(look, &head, &reader);
    const bool failed = json_read_failed(&reader);
    if (!failed && head.is_ours && head.version != CHECKPOINT_VERSION)
        return diag_error(diag, "format version %lld, and this odori knows %d",
                          (long long)head.version, CHECKPOINT_VERSION);
    if (failed || !head.is_ours || !head.has_digest)
        return diag_error(diag, "line %u: no job.json of a state folder", json_read_line(&reader));
    return true;
}

/* ---- the film, from its facts ---- */

const char *checkpoint_read_fact(const CheckpointContent *look, const char *key)
{
    for (size_t i = 0; i < look->facts.count; i++)
        if (!strcmp(look->facts.items[i].key, key))
            return look->facts.items[i].value;
    return NULL;
}

/* A fact that is a text, which stands there as JSON; NULL when it is none. */
const char *checkpoint_read_text(const CheckpointContent *look, const char *key, Arena *arena)
{
    const char *value = checkpoint_read_fact(look, key);
    if (!value || value[0] != '"')
        return NULL;
    JsonReader reader = json_read_init(value, strlen(value), arena);
    const char *text = json_read_text(&reader);
    return json_read_failed(&reader) ? NULL : text;
}

static bool find_number(int64_t *out, const CheckpointContent *look, const char *key, int64_t least,
                        int64_t most)
{
    const char *value = checkpoint_read_fact(look, key);
    return value && text_to_int64(out, value) && *out >= least && *out <= most;
}

static void find_credits(CheckpointContent *look, Arena *arena)
{
    struct {
        const char **items;
        size_t count, capacity;
    } credits = {0};
    const char *value = checkpoint_read_fact(look, "credits");
    if (!value)
        return;
    JsonReader reader = json_read_init(value, strlen(value), arena);
    json_read_open(&reader, '[');
    while (json_read_item(&reader)) {
        const char *text = json_read_text(&reader);
        *arena_push(arena, &credits) = text;
    }
    look->job.credits = credits.items;
    look->job.credit_count = json_read_failed(&reader) ? 0 : credits.count;
}

static bool find_outputs(CheckpointContent *look, Arena *arena, Diag *diag)
{
    Film *film = &look->film;
    int64_t count;
    if (!find_number(&count, look, "outputs", 1, JOB_MAX_OUTPUTS))
        return diag_error(diag, "it does not say which outputs there are");
    film->output_count = (size_t)count;
    film->outputs = arena_array(arena, FilmOutput, film->output_count);
    for (size_t i = 0; i < film->output_count; i++) {
        FilmOutput *out = &film->outputs[i];
        out->options.file =
            checkpoint_read_text(look, arena_printf(arena, "outputs.%zu.file", i), arena);
        if (!out->options.file)
            return diag_error(diag, "it does not say where output %zu is", i);
        out->kind = sink_find(out->options.file, diag);
        if (!out->kind)
            return false;
        out->options.frame_count = film->frame_count;
    }
    return true;
}

static bool find_film(CheckpointContent *look, Arena *arena, Diag *diag)
{
    Film *film = &look->film;
    const char *frames = checkpoint_read_fact(look, "frames drawn");
    const char *name = checkpoint_read_text(look, "name", arena);
    look->job.name = name ? name : "";
    film->job = &look->job;
    if (!frames || !option_parse_frames(&film->frames, frames, arena) || !film->frames.count ||
        !find_number(&film->segment_frames, look, "frames of a piece", 1, JOB_MAX_FRAME))
        return diag_error(diag, "it does not say which frames are drawn");
    film->frame_count = film_frame_count(&film->frames);
    find_credits(look, arena);
    return find_outputs(look, arena, diag);
}

/* ---- ledgers ---- */

static void take_picture(void *user, const LedgerPicture *picture)
{
    CheckpointContent *look = user;
    const int64_t place = film_index_of(&look->film, picture->frame);
    if (place >= 0 && picture->output < look->film.output_count)
        completed_set_claim(&look->done[picture->output], place, &picture->record);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const CheckpointShard *)a)->name, ((const CheckpointShard *)b)->name);
}

static int by_change(const void *a, const void *b)
{
    const CheckpointShard *left = a, *right = b;
    return left->changed != right->changed ? (left->changed < right->changed ? -1 : 1)
                                           : strcmp(left->name, right->name);
}

static bool find_ledgers(CheckpointContent *look, const char *folder, Arena *arena, Diag *diag)
{
    DIR *list = file_open_folder(folder);
    if (!list)
        return errno == ENOENT ||
               diag_fail(diag, DIAG_IO, "cannot read '%s': %s", folder, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        struct stat st;
        if (!checkpoint_is_ledger_name(entry->d_name) ||
            fstatat(dirfd(list), entry->d_name, &st, 0) != 0 || !S_ISREG(st.st_mode))
            continue;
        const size_t length = strlen(entry->d_name) - strlen(".jsonl");
        *arena_push(arena, &look->shards) = (CheckpointShard){
            .name = arena_strndup(arena, entry->d_name, length), .changed = st.st_mtim.tv_sec};
    }
    closedir(list);
    return true;
}

/* In the order in which they were written: where two speak of one picture the later one is right.
 */
static bool read_ledgers(CheckpointContent *look, Arena *arena, Diag *diag)
{
    const char *folder = arena_printf(arena, "%s/ledger", look->folder);
    bool ok = find_ledgers(look, folder, arena, diag);
    const size_t count = ok ? look->shards.count : 0;
    if (count)
        qsort(look->shards.items, count, sizeof *look->shards.items, by_change);
    for (size_t i = 0; ok && i < count; i++) {
        CheckpointShard *shard = &look->shards.items[i];
        ok = ledger_read(arena_printf(arena, "%s/%s.jsonl", folder, shard->name), take_picture,
                         look, &shard->tail, diag);
    }
    if (count)
        qsort(look->shards.items, count, sizeof *look->shards.items, by_name);
    return ok;
}

/* ---- locks ---- */

/* The next run of pieces that somebody has locked, from `first` on; false when there is none. */
static bool next_held(FilmSpan *held, int fd, int64_t first, int64_t pieces)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = first, .l_len = 0};
    if (first >= pieces || fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
        return false;
    held->first = lock.l_start > first ? lock.l_start : first;
    held->end =
        lock.l_len && lock.l_start + lock.l_len < pieces ? lock.l_start + lock.l_len : pieces;
    return held->first < held->end;
}

static void find_held(CheckpointContent *look, Arena *arena)
{
    const Film *film = &look->film;
    const int fd = open(arena_printf(arena, "%s/lock", look->folder), O_RDWR | O_CLOEXEC);
    FrameRangeList set = {0};
    FilmSpan held = {0, 0};
    while (fd >= 0 && next_held(&held, fd, held.end, film_segment_count(film))) {
        const FilmSpan places = {film_segment(film, held.first).first,
                                 film_segment(film, held.end - 1).end};
        const JobFrames frames = frame_ranges_of_span(film, places, arena);
        for (size_t i = 0; i < frames.count; i++)
            frame_ranges_add(&set, frames.items[i], arena);
    }
    if (fd >= 0)
        close(fd);
    look->held = (JobFrames){set.items, set.count};
}

/* ---- */

bool checkpoint_read_is_folder(const char *folder)
{
    char file[4096];
    struct stat st;
    return snprintf(file, sizeof file, "%s/job.json", folder) < (int)sizeof file &&
           stat(file, &st) == 0 && S_ISREG(st.st_mode);
}

bool checkpoint_read_parse(CheckpointContent *look, Bytes bytes, Arena *arena, Diag *diag)
{
    return parse_record(look, bytes, arena, diag) && find_film(look, arena, diag);
}

static bool load_record(CheckpointContent *look, Arena *arena, Diag *diag)
{
    const char *file = arena_printf(arena, "%s/job.json", look->folder);
    Bytes bytes;
    diag_file(diag, file);
    return file_load(&bytes, file, MOST_BYTES, arena, diag) &&
           checkpoint_read_parse(look, bytes, arena, diag);
}

bool checkpoint_read(CheckpointContent *look, const char *folder, Arena *arena, Diag *diag)
{
    size_t size = strlen(folder);
    while (size > 1 && folder[size - 1] == '/')
        size--;
    *look = (CheckpointContent){.folder = arena_strndup(arena, folder, size)};
    if (!load_record(look, arena, diag))
        return false;
    diag_file(diag, NULL);
    look->done = arena_array(arena, CompletedSet, look->film.output_count);
    for (size_t i = 0; i < look->film.output_count; i++)
        look->done[i] = completed_set_init(look->film.frame_count, arena);
    if (!read_ledgers(look, arena, diag))
        return false;
    find_held(look, arena);
    look->has_report =
        checkpoint_report_load(&look->report, look->folder, &look->film, arena, diag) &&
        digest_equal(&look->report.digest, &look->digest) &&
        look->report.outputs.count == look->film.output_count;
    return true;
}

const char *checkpoint_read_folder_of_job(const Job *job, Arena *arena, Diag *diag)
{
    Film film = {.job = job, .output_count = job->output_count};
    film.outputs = arena_array(arena, FilmOutput, job->output_count);
    for (size_t i = 0; i < job->output_count; i++) {
        film.outputs[i].options.file = job->outputs[i].file;
        film.outputs[i].kind = sink_find(job->outputs[i].file, diag);
        if (!film.outputs[i].kind)
            return NULL;
    }
    const char *folder = checkpoint_folder(&film, arena);
    if (!folder)
        diag_fail(diag, DIAG_USAGE,
                  "no output of this job is made in pieces or pictures: nothing is kept of it");
    return folder;
}
