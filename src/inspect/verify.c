#include "inspect/verify.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "media/picture.h"
#include "media/video_reader.h"
#include "film/frame_ranges.h"
#include "checkpoint/checkpoint_files.h"
#include "checkpoint/checkpoint_read.h"

enum { THREADS = 4 };
static const double MOST_S = 0.1; /* between the ends of pictures and sound: a packet or two */

struct Verify {
    FILE *out;
    Json json;
    bool as_json;
    const volatile sig_atomic_t *stop;
    Arena *arena;
    int64_t whole, damaged, lacking; /* files and pictures; frames not drawn yet */
};

static bool is_stopped(const Verify *v)
{
    return v->stop && *v->stop;
}

/* ---- what is found ---- */

typedef enum Finding { FOUND_WHOLE, FOUND_DAMAGED, FOUND_LACKING } Finding;

static void put_finding(Verify *v, Finding finding, const char *file, const char *what)
{
    static const char *const words[] = {"whole", "damaged", "lacking"};
    if (!v->as_json) {
        fprintf(v->out, "%-8s %s: %s\n", words[finding], file, what);
        return;
    }
    json_newline(&v->json);
    json_open(&v->json, '{');
    json_pair_text(&v->json, "found", words[finding]);
    json_pair_text(&v->json, "file", file);
    json_pair_text(&v->json, "what", what);
    json_close(&v->json, '}');
}

static void found(Verify *v, Finding finding, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void found(Verify *v, Finding finding, const char *file, const char *format, ...)
{
    Arena *arena = arena_create();
    va_list args;
    va_start(args, format);
    put_finding(v, finding, file, arena_vprintf(arena, format, args));
    va_end(args);
    arena_destroy(arena);
    v->whole += finding == FOUND_WHOLE;
    v->damaged += finding == FOUND_DAMAGED;
}

/* What a reader told, without its place, which the finding has. */
typedef struct Told {
    Diag diag;
    char message[1024];
} Told;

static void keep_message(void *user, DiagLevel level, const char *message)
{
    Told *told = user;
    const char *place = told->diag.file;
    const size_t length = strlen(place);
    if (level != DIAG_ERROR || told->message[0])
        return;
    if (length && !strncmp(message, place, length) && !strncmp(message + length, ": ", 2))
        message += length + 2;
    snprintf(told->message, sizeof told->message, "%s", message);
}

static void told_init(Told *told, const char *file)
{
    told->message[0] = '\0';
    diag_init(&told->diag, keep_message, told);
    diag_file(&told->diag, file);
}

static bool is_there(const char *file)
{
    struct stat st;
    return stat(file, &st) == 0 && S_ISREG(st.st_mode);
}

/* ---- videos ---- */

/* `pictures`: of the film that it must be; -1: of any. */
static void find_in_video(Verify *v, const char *file, const VideoInfo *facts, int64_t pictures)
{
    const bool sound = facts->sound_s >= 0;
    const double longest_s = fmax(facts->video_s, facts->sound_s);
    if (longest_s < facts->declared_s - MOST_S)
        found(v, FOUND_DAMAGED, file, "it ends after %.3f s, and says that it is %.3f s long",
              longest_s, facts->declared_s);
    else if (pictures >= 0 && facts->frames != pictures)
        found(v, FOUND_DAMAGED, file, "%" PRId64 " pictures instead of %" PRId64, facts->frames,
              pictures);
    else if (pictures >= 0 && sound && fabs(facts->sound_s - facts->video_s) > MOST_S)
        found(v, FOUND_DAMAGED, file, "%.3f s of sound for %.3f s of pictures", facts->sound_s,
              facts->video_s);
    else if (sound)
        found(v, FOUND_WHOLE, file, "%" PRId64 " pictures of %dx%d, %.3f s, sound %.3f s",
              facts->frames, facts->width, facts->height, facts->video_s, facts->sound_s);
    else
        found(v, FOUND_WHOLE, file, "%" PRId64 " pictures of %dx%d, %.3f s, no sound",
              facts->frames, facts->width, facts->height, facts->video_s);
}

/* `confirmed`: its digest is right, so that a container that is not read here is whole all the
 * same. */
static bool look_at_video(Verify *v, const char *file, int64_t pictures, bool confirmed)
{
    Told told;
    told_init(&told, file);
    VideoReader *reel = video_reader_open(file, THREADS, &told.diag);
    bool more = true, ok = reel != NULL;
    while (ok && more && !is_stopped(v))
        ok = video_reader_advance(&more, reel, &told.diag);
    if (!reel && confirmed)
        found(v, FOUND_WHOLE, file, "the bytes that were written");
    else if (!ok)
        found(v, FOUND_DAMAGED, file, "%s", told.message);
    else if (!is_stopped(v)) {
        const VideoInfo facts = video_reader_info(reel);
        find_in_video(v, file, &facts, pictures);
    }
    video_reader_close(reel);
    return !is_stopped(v);
}

/* ---- pictures and lists of digests ---- */

static bool load_whole(Bytes *bytes, const char *file, Told *told, Arena *arena)
{
    told_init(told, file);
    return file_load(bytes, file, FILE_MAX_SIZE, arena, &told->diag);
}

static void look_at_picture(Verify *v, const char *file)
{
    Arena *arena = arena_create();
    Told told;
    Bytes bytes;
    Image image;
    if (load_whole(&bytes, file, &told, arena) && picture_load(&image, bytes, arena, &told.diag))
        found(v, FOUND_WHOLE, file, "a picture of %dx%d", image.width, image.height);
    else
        found(v, FOUND_DAMAGED, file, "%s", told.message);
    arena_destroy(arena);
}

/* "120 64-hex-digits" */
static bool is_hash_line(const char *line, size_t length)
{
    char number[32];
    int64_t frame;
    Digest digest;
    const char *blank = memchr(line, ' ', length);
    const size_t digits = blank ? (size_t)(blank - line) : length;
    if (!blank || digits >= sizeof number || length - digits != DIGEST_TEXT_SIZE)
        return false;
    memcpy(number, line, digits);
    number[digits] = '\0';
    return text_to_int64(&frame, number) && digest_read(&digest, blank + 1);
}

static void look_at_hashes(Verify *v, const char *file, int64_t pictures)
{
    Arena *arena = arena_create();
    Told told;
    Bytes bytes;
    int64_t lines = 0;
    const bool loaded = load_whole(&bytes, file, &told, arena);
    const char *at = loaded ? (const char *)bytes.data : NULL, *end = at ? at + bytes.size : NULL;
    const char *newline = NULL;
    while (loaded && at < end && (newline = memchr(at, '\n', (size_t)(end - at))) &&
           is_hash_line(at, (size_t)(newline - at))) {
        at = newline + 1;
        lines++;
    }
    if (!loaded)
        found(v, FOUND_DAMAGED, file, "%s", told.message);
    else if (at < end)
        found(v, FOUND_DAMAGED, file, "line %" PRId64 " is no frame with its digest", lines + 1);
    else if (pictures >= 0 && lines != pictures)
        found(v, FOUND_DAMAGED, file, "%" PRId64 " digests instead of %" PRId64, lines, pictures);
    else
        found(v, FOUND_WHOLE, file, "digests of %" PRId64 " pictures", lines);
    arena_destroy(arena);
}

static void say_nothing(void *user, DiagLevel level, const char *message)
{
    (void)user;
    (void)level;
    (void)message;
}

static const SinkKind *kind_of(const char *file)
{
    Diag trial;
    diag_init(&trial, say_nothing, NULL);
    return sink_find(file, &trial);
}

/* An animated WebP, which libav does not decode: its length stands at its start. */
static void look_at_webp(Verify *v, const char *file)
{
    Arena *arena = arena_create();
    Told told;
    Bytes bytes;
    const bool loaded = load_whole(&bytes, file, &told, arena);
    const uint8_t *head = loaded && bytes.size >= 12 ? bytes.data : NULL;
    const bool riff = head && !memcmp(head, "RIFF", 4) && !memcmp(head + 8, "WEBP", 4);
    const size_t size = riff ? (size_t)head[4] | (size_t)head[5] << 8 | (size_t)head[6] << 16 |
                                   (size_t)head[7] << 24
                             : 0;
    if (!loaded)
        found(v, FOUND_DAMAGED, file, "%s", told.message);
    else if (!riff || size + 8 != bytes.size)
        found(v, FOUND_DAMAGED, file, "no whole WebP");
    else
        found(v, FOUND_WHOLE, file, "a WebP, which was not decoded");
    arena_destroy(arena);
}

static bool look_at_file(Verify *v, const char *file, int64_t pictures, bool confirmed)
{
    const SinkKind *kind = kind_of(file);
    if (kind == &sink_ffmpeg || kind == &sink_undivided)
        return look_at_video(v, file, pictures, confirmed);
    if (kind == &sink_hash)
        look_at_hashes(v, file, pictures);
    else if (text_equal_ignoring_case(path_extension(file), "webp"))
        look_at_webp(v, file);
    else
        look_at_picture(v, file);
    return !is_stopped(v);
}

bool verify_file(Verify *v, const char *file, Diag *diag)
{
    struct stat st;
    if (stat(file, &st) != 0)
        return diag_fail(diag, file_problem(errno, DIAG_MISSING), "%s: cannot open: %s", file,
                         strerror(errno));
    if (!S_ISREG(st.st_mode))
        return diag_fail(diag, DIAG_MISSING, "%s: neither a file nor a folder with a job.json",
                         file);
    return look_at_file(v, file, -1, false);
}

/* ---- a state folder ---- */

static bool records_equal(const SinkRecord *a, const SinkRecord *b)
{
    return a->bytes == b->bytes && digest_equal(&a->digest, &b->digest);
}

static void look_at_still(Verify *v, const FilmOutput *out, int64_t frame,
                          const CompletedRecord *record)
{
    char name[4096];
    SinkRecord there;
    if (!sink_png_name(name, sizeof name, out->options.file, frame))
        return;
    if (!is_there(name))
        found(v, FOUND_DAMAGED, name, "it is gone");
    else if (!out->kind->inspect(&there, &out->options, frame) ||
             !records_equal(&there, &record->record))
        found(v, FOUND_DAMAGED, name, "not the bytes that were written");
}

static bool look_at_stills(Verify *v, const CheckpointContent *look, size_t output,
                           FrameRangeList *lacking)
{
    const Film *film = &look->film;
    const FilmOutput *out = &film->outputs[output];
    const int64_t before = v->damaged;
    int64_t claimed = 0;
    for (int64_t p = 0; p < film->frame_count && !is_stopped(v); p++) {
        const CompletedRecord *record = completed_set_find(&look->done[output], p);
        const int64_t frame = film_frame_at(film, p);
        claimed += record != NULL;
        if (record)
            look_at_still(v, out, frame, record);
        else
            frame_ranges_add(lacking, (JobRange){frame, frame}, v->arena);
    }
    if (v->damaged == before && claimed)
        found(v, FOUND_WHOLE, out->options.file, "%" PRId64 " pictures, as they were written",
              claimed);
    return !is_stopped(v);
}

static bool is_claimed(const CompletedSet *done, FilmSpan places)
{
    for (int64_t p = places.first; p < places.end; p++)
        if (!completed_set_find(done, p))
            return false;
    return true;
}

static bool is_piece_whole(const CheckpointContent *look, size_t output, FilmSpan places,
                           const char *file, Arena *arena)
{
    const size_t count = (size_t)(places.end - places.first);
    SinkRecord *there = arena_array(arena, SinkRecord, count);
    if (!look->film.outputs[output].kind->pieces->inspect(there, count, file))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!records_equal(
                &there[i],
                &completed_set_find(&look->done[output], places.first + (int64_t)i)->record))
            return false;
    return true;
}

/* Pieces that are not joined yet. */
static bool look_at_pieces(Verify *v, const CheckpointContent *look, size_t output,
                           FrameRangeList *lacking)
{
    const Film *film = &look->film;
    const char *extension = film->outputs[output].kind->pieces->extension;
    Arena *scratch = arena_create();
    for (int64_t piece = 0; piece < film_segment_count(film) && !is_stopped(v); piece++) {
        const FilmSpan places = film_segment(film, piece);
        const char *file = arena_printf(scratch, "%s/piece/%s", look->folder,
                                        checkpoint_segment_name(output, piece, extension, scratch));
        const JobFrames frames = frame_ranges_of_span(film, places, scratch);
        if (!is_claimed(&look->done[output], places)) {
            for (size_t i = 0; i < frames.count; i++)
                frame_ranges_add(lacking, frames.items[i], v->arena);
        } else if (!is_there(file)) {
            found(v, FOUND_DAMAGED, file, "it is gone");
        } else if (!is_piece_whole(look, output, places, file, scratch)) {
            found(v, FOUND_DAMAGED, file, "not the pictures that were written");
        } else {
            found(v, FOUND_WHOLE, file, "%" PRId64 " pictures, as they were written",
                  places.end - places.first);
        }
        arena_reset(scratch);
    }
    arena_destroy(scratch);
    return !is_stopped(v);
}

/* A file of the report. */
static bool look_at_reported(Verify *v, const ReportFile *entry, const char *file, int64_t pictures)
{
    if (!is_there(file))
        found(v, FOUND_DAMAGED, file, "it is gone");
    else if (checkpoint_report_confirms(entry, file, v->stop))
        return look_at_file(v, file, pictures, true);
    else if (!is_stopped(v))
        found(v, FOUND_DAMAGED, file, "not the bytes that were written");
    return !is_stopped(v);
}

static bool look_at_output(Verify *v, const CheckpointContent *look, size_t i,
                           FrameRangeList *lacking)
{
    const Film *film = &look->film;
    const FilmOutput *out = &film->outputs[i];
    switch (checkpoint_kind(out)) {
    case CHECKPOINT_NOTHING:
        return true;
    case CHECKPOINT_STILLS:
        return look_at_stills(v, look, i, lacking);
    case CHECKPOINT_SEGMENTS:
        if (!look->has_report)
            return look_at_pieces(v, look, i, lacking);
        break;
    case CHECKPOINT_WHOLE:
        break;
    }
    if (!look->has_report) {
        *arena_push(v->arena, lacking) = (JobRange){
            film->frames.items[0].first, film->frames.items[film->frames.count - 1].last};
        return true;
    }
    return look_at_reported(v, &look->report.outputs.items[i], out->options.file,
                            film->frame_count);
}

static bool look_at_previews(Verify *v, const CheckpointContent *look)
{
    const ReportFiles *previews = &look->report.previews;
    bool ok = true;
    for (size_t i = 0; ok && look->has_report && i < previews->count; i++) {
        const char *file =
            checkpoint_read_text(look, arena_printf(v->arena, "previews.%zu.file", i), v->arena);
        if (file)
            ok = look_at_reported(v, &previews->items[i], file, -1);
    }
    return ok;
}

static void find_lacking(Verify *v, const char *file, const FrameRangeList *lacking)
{
    const JobFrames frames = {lacking->items, lacking->count};
    TextStream stream;
    if (!frames.count)
        return;
    frame_ranges_write(text_stream_open(&stream, v->arena), &frames);
    found(v, FOUND_LACKING, file, "frames %s are not drawn yet", text_stream_close(&stream));
    v->lacking += film_frame_count(&frames);
}

bool verify_folder(Verify *v, const char *folder, Diag *diag)
{
    CheckpointContent look;
    if (!checkpoint_read_is_folder(folder))
        return diag_fail(diag, DIAG_MISSING, "%s: no job.json is there", folder);
    if (!checkpoint_read(&look, folder, v->arena, diag))
        return false;
    for (size_t i = 0; i < look.film.output_count; i++) {
        FrameRangeList lacking = {0};
        if (!look_at_output(v, &look, i, &lacking))
            return false;
        find_lacking(v, look.film.outputs[i].options.file, &lacking);
    }
    if (!look.has_report && !v->lacking) {
        found(v, FOUND_LACKING, look.film.outputs[0].options.file, "all is drawn, not joined yet");
        v->lacking++;
    }
    return look_at_previews(v, &look);
}

/* ---- */

Verify *verify_begin(FILE *out, bool json, const volatile sig_atomic_t *stop, Arena *arena)
{
    Verify *v = arena_array(arena, Verify, 1);
    *v =
        (Verify){.out = out, .json = json_init(out), .as_json = json, .stop = stop, .arena = arena};
    if (json) {
        json_open(&v->json, '{');
        json_key(&v->json, "found");
        json_open(&v->json, '[');
    }
    return v;
}

bool verify_end(Verify *v, Diag *diag)
{
    const bool good = !v->damaged && !v->lacking && !diag->errors;
    if (v->as_json) {
        json_close(&v->json, ']');
        json_pair_bool(&v->json, "ok", good);
        json_pair_int(&v->json, "damaged", v->damaged);
        json_pair_int(&v->json, "lacking", v->lacking);
        json_close(&v->json, '}');
        json_newline(&v->json);
    }
    if (!good && diag->kind == DIAG_NONE)
        diag->kind = v->damaged ? DIAG_FAILED : DIAG_INCOMPLETE;
    return good;
}
