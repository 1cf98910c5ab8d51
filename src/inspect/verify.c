// SPDX-License-Identifier: MIT
#include "inspect/verify.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_escape.h"
#include "base/text_stream.h"
#include "film/frame_ranges.h"
#include "media/picture.h"
#include "media/video_reader.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_read.h"

enum { THREADS = 4 };
static const double MAX_DIFFERENCE_S = 0.1; /* allowed difference of durations: a few packets */

/* ---- the results ---- */

typedef enum FindingStatus { FINDING_INTACT, FINDING_DAMAGED, FINDING_MISSING } FindingStatus;

static const char *const finding_words[] = {"intact", "damaged", "missing", NULL};

typedef struct Finding {
    FindingStatus status;
    const char *file, *message;
} Finding;

static const ResultField Finding_fields[] = {
    MEMBER_WORD(Finding, status, finding_words, "whether the file is as it was written"),
    MEMBER(Finding, file, "file, or a pattern for a file per frame"),
    MEMBER(Finding, message, "what the file contains, or what is wrong with it"),
};
RESULT(Finding, "a file, or several of an output");

typedef struct Verification {
    const Finding *findings;
    size_t finding_count;
    bool ok;
    int64_t damaged, missing;
} Verification;

static const ResultField Verification_fields[] = {
    MEMBER_LIST(Verification, findings, finding_count, Finding, "files in the order of reading"),
    MEMBER(Verification, ok, "nothing is damaged or missing"),
    MEMBER(Verification, damaged, "damaged files, stills included"),
    MEMBER(Verification, missing, "frames that are not rendered; 1 if they are not joined"),
};
const ResultTable verify_result = RESULT_TABLE(Verification, "damaged and missing output files");

struct Verify {
    FILE *out;
    ReportFormat format;
    ProblemList problems;
    ARENA_LIST(Finding) findings;
    const volatile sig_atomic_t *stop;
    Arena *arena;
    int64_t damaged, missing; /* as in a Verification */
};

static bool is_stopped(const Verify *v)
{
    return v->stop && *v->stop;
}

/* ---- findings ---- */

/* The rest of a finding is its text, as of printf. */
static void report_finding(Verify *v, FindingStatus status, const char *file, const char *format,
                           ...) __attribute__((format(printf, 4, 5)));
static void report_finding(Verify *v, FindingStatus status, const char *file, const char *format,
                           ...)
{
    va_list args;
    va_start(args, format);
    const Finding finding = {status, arena_strdup(v->arena, file),
                             arena_vprintf(v->arena, format, args)};
    va_end(args);
    const DiagMessage problem = {.level = DIAG_ERROR,
                                 .code = finding_words[status],
                                 .file = finding.file,
                                 .text = finding.message,
                                 .hint = ""};

    *arena_push(v->arena, &v->findings) = finding;
    if (v->format == REPORT_TEXT || (v->format == REPORT_GITHUB && status == FINDING_INTACT))
        text_printf(v->out, "%-8s %s: %s\n", finding_words[status], file, finding.message);
    if (status != FINDING_INTACT)
        problem_list_add(&v->problems, &problem);
    v->damaged += status == FINDING_DAMAGED;
}

/* Keeps the first error of a reader, without the file name, which the finding contains. */
typedef struct Capture {
    Diag diag;
    char message[1024];
} Capture;

static void capture_message(void *user, const DiagMessage *message)
{
    Capture *capture = user;
    const char *file = capture->diag.file, *text = message->shown;
    const size_t length = strlen(file);
    if (message->level != DIAG_ERROR || capture->message[0])
        return;
    if (length && !strncmp(text, file, length) && !strncmp(text + length, ": ", 2))
        text += length + 2;
    snprintf(capture->message, sizeof capture->message, "%s", text);
}

static void capture_init(Capture *capture, const char *file)
{
    capture->message[0] = '\0';
    diag_init(&capture->diag, capture_message, capture);
    diag_file(&capture->diag, file);
}

/* ---- one file ---- */

/*
 * Decodes all frames.  A container that cannot be read here is intact if its digest matches.
 *
 * frames   expected number, or -1 if it is not known
 */
static void verify_video(Verify *v, const char *file, int64_t frames, bool digest_matches)
{
    Capture capture;
    capture_init(&capture, file);
    VideoReader *reader = video_reader_open(file, THREADS, &capture.diag);
    bool more = true, ok = reader != NULL;
    while (ok && more && !is_stopped(v))
        ok = video_reader_advance(&more, reader, &capture.diag);
    const VideoInfo info = reader ? video_reader_info(reader) : (VideoInfo){0};
    const bool sound = info.sound_s >= 0;
    const double longest_s = fmax(info.video_s, info.sound_s);
    video_reader_close(reader);

    if (!reader && digest_matches)
        report_finding(v, FINDING_INTACT, file, "digest matches");
    else if (!ok)
        report_finding(v, FINDING_DAMAGED, file, "%s", capture.message);
    else if (is_stopped(v))
        return;
    else if (longest_s < info.declared_s - MAX_DIFFERENCE_S)
        report_finding(v, FINDING_DAMAGED, file, "ends after %.3f s, but its header says %.3f s",
                       longest_s, info.declared_s);
    else if (frames >= 0 && info.frames != frames)
        report_finding(v, FINDING_DAMAGED, file, "%s, expected %" PRId64,
                       text_frames(info.frames).text, frames);
    else if (frames >= 0 && sound && fabs(info.sound_s - info.video_s) > MAX_DIFFERENCE_S)
        report_finding(v, FINDING_DAMAGED, file, "%.3f s of sound for %.3f s of video",
                       info.sound_s, info.video_s);
    else if (sound)
        report_finding(v, FINDING_INTACT, file, "%s of %dx%d, %.3f s, sound %.3f s",
                       text_frames(info.frames).text, info.width, info.height, info.video_s,
                       info.sound_s);
    else
        report_finding(v, FINDING_INTACT, file, "%s of %dx%d, %.3f s, no sound",
                       text_frames(info.frames).text, info.width, info.height, info.video_s);
}

/* "120 " and 64 hexadecimal digits */
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
    return text_to_int64(&frame, number) && digest_parse(&digest, blank + 1);
}

static void verify_hash_list(Verify *v, const char *file, Bytes bytes, int64_t frames)
{
    const char *at = (const char *)bytes.data, *end = at + bytes.size, *newline;
    int64_t lines = 0;
    while (at < end && (newline = memchr(at, '\n', (size_t)(end - at))) &&
           is_hash_line(at, (size_t)(newline - at))) {
        at = newline + 1;
        lines++;
    }
    if (at < end)
        report_finding(v, FINDING_DAMAGED, file,
                       "line %" PRId64 ": expected a frame number and its digest", lines + 1);
    else if (frames >= 0 && lines != frames)
        report_finding(v, FINDING_DAMAGED, file, "%" PRId64 " digests, expected %" PRId64, lines,
                       frames);
    else
        report_finding(v, FINDING_INTACT, file, "digests of %s", text_frames(lines).text);
}

/* Animated WebP, which libav does not decode: only the length in its RIFF header is checked. */
static void verify_webp(Verify *v, const char *file, Bytes bytes)
{
    const uint8_t *head = bytes.data;
    const bool riff = bytes.size >= 12 && !memcmp(head, "RIFF", 4) && !memcmp(head + 8, "WEBP", 4);
    const size_t size = riff ? (size_t)head[4] | (size_t)head[5] << 8 | (size_t)head[6] << 16 |
                                   (size_t)head[7] << 24
                             : 0;
    if (!riff || size + 8 != bytes.size)
        report_finding(v, FINDING_DAMAGED, file, "truncated or damaged WebP");
    else
        report_finding(v, FINDING_INTACT, file, "WebP, not decoded");
}

/* Whether a tar archive ends as it must: with two empty blocks. */
static bool is_whole_archive(const char *file)
{
    enum { END = 1024, BLOCK = 512 };
    uint8_t end[END];
    FILE *in = fopen(file, "rbe");
    bool whole = in && fseeko(in, -END, SEEK_END) == 0 && ftello(in) % BLOCK == 0 &&
                 fread(end, 1, END, in) == END;
    for (size_t i = 0; whole && i < END; i++)
        whole = end[i] == 0;
    if (in)
        fclose(in);
    return whole;
}

/* format: as in SinkOptions; NULL: by the file name */
static void verify_contents(Verify *v, const char *file, const char *format, int64_t frames,
                            bool digest_matches)
{
    Diag trial = diag_quiet();
    const SinkKind *kind = sink_find(file, format, &trial);
    if (sink_is_video(kind)) {
        verify_video(v, file, frames, digest_matches);
        return;
    }
    if (kind == &sink_tar) {
        const bool whole = is_whole_archive(file);
        report_finding(v, whole ? FINDING_INTACT : FINDING_DAMAGED, file,
                       whole ? "archive, not decoded" : "truncated archive");
        return;
    }
    Arena *arena = arena_create();
    Capture capture;
    Bytes bytes;
    Image image;
    capture_init(&capture, file);
    if (!file_load(&bytes, file, FILE_MAX_SIZE, arena, &capture.diag))
        report_finding(v, FINDING_DAMAGED, file, "%s", capture.message);
    else if (kind == &sink_hash)
        verify_hash_list(v, file, bytes, frames);
    else if (text_equal_ignoring_case(path_extension(file), "webp"))
        verify_webp(v, file, bytes);
    else if (picture_load(&image, bytes, arena, &capture.diag))
        report_finding(v, FINDING_INTACT, file, "image of %dx%d", image.width, image.height);
    else
        report_finding(v, FINDING_DAMAGED, file, "%s", capture.message);
    arena_destroy(arena);
}

bool verify_file(Verify *v, const char *file, Diag *diag)
{
    struct stat st;
    if (stat(file, &st) != 0)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_MISSING), "%s: cannot open: %s", file,
                         strerror(errno));
    if (!S_ISREG(st.st_mode))
        return diag_fail(diag, DIAG_MISSING, "%s: neither a file nor a directory with a job.json",
                         file);
    verify_contents(v, file, NULL, -1, false);
    return !is_stopped(v);
}

/* ---- checkpoint directory ---- */

/* Adds the frames that no ledger records to `missing`, and checks the files of the others. */
static void verify_stills(Verify *v, const CheckpointContent *content, size_t output,
                          FrameRangeList *missing)
{
    const Film *film = &content->film;
    const FilmOutput *out = &film->outputs[output];
    const int64_t before = v->damaged;
    int64_t recorded = 0;
    for (int64_t p = 0; p < film->frame_count && !is_stopped(v); p++) {
        const CompletedRecord *record = completed_set_find(&content->completed[output], p);
        const int64_t frame = film_frame_at(film, p);
        char name[4096];
        SinkRecord actual;
        recorded += record != NULL;
        if (!record)
            frame_ranges_add(missing, (FrameRange){frame, frame}, v->arena);
        else if (!name_pattern_file(name, sizeof name, out->options.file, frame))
            continue;
        else if (!path_is_file(name))
            report_finding(v, FINDING_DAMAGED, name, "file is missing");
        else if (!out->kind->inspect(&actual, &out->options, frame) ||
                 !sink_records_equal(&actual, &record->record))
            report_finding(v, FINDING_DAMAGED, name, "digest differs from the recorded one");
    }
    if (v->damaged == before && recorded && !is_stopped(v))
        report_finding(v, FINDING_INTACT, out->options.file, "%s, digests match",
                       text_frames(recorded).text);
}

/* Segments that are not joined yet. */
static void verify_segments(Verify *v, const CheckpointContent *content, size_t output,
                            FrameRangeList *missing)
{
    const Film *film = &content->film;
    const SinkSegments *kind = film->outputs[output].kind->segments;
    Arena *scratch = arena_create();
    for (int64_t segment = 0; segment < film_segment_count(film) && !is_stopped(v); segment++) {
        const FilmSpan span = film_segment(film, segment);
        const char *file =
            checkpoint_segment_path(content->directory, output, segment, kind->extension, scratch);
        const FrameRanges frames = frame_ranges_of_span(film, span, scratch);
        bool recorded;
        const bool intact = completed_set_has_segment(&recorded, &content->completed[output], span,
                                                      kind, file, scratch);
        if (!recorded)
            for (size_t i = 0; i < frames.count; i++)
                frame_ranges_add(missing, frames.items[i], v->arena);
        else if (!path_is_file(file))
            report_finding(v, FINDING_DAMAGED, file, "file is missing");
        else if (!intact)
            report_finding(v, FINDING_DAMAGED, file, "digests differ from the recorded ones");
        else
            report_finding(v, FINDING_INTACT, file, "%s, digests match",
                           text_frames(span.end - span.first).text);
        arena_reset(scratch);
    }
    arena_destroy(scratch);
}

/* A file that is listed in the report. */
static void verify_reported_file(Verify *v, const FileRecord *entry, const char *file,
                                 const char *format, int64_t frames)
{
    if (file_is_stream(file)) /* nothing is left of it */
        return;
    if (!path_is_file(file))
        report_finding(v, FINDING_DAMAGED, file, "file is missing");
    else if (file_record_confirms(entry, file, v->stop))
        verify_contents(v, file, format, frames, true);
    else if (!is_stopped(v))
        report_finding(v, FINDING_DAMAGED, file, "digest differs from the recorded one");
}

/* Adds the frames that are not rendered to `missing`. */
static void verify_output(Verify *v, const CheckpointContent *content, size_t i,
                          FrameRangeList *missing)
{
    const Film *film = &content->film;
    const FilmOutput *out = &film->outputs[i];
    const CheckpointKind kind = checkpoint_kind(out);
    if (kind == CHECKPOINT_STILLS) {
        verify_stills(v, content, i, missing);
    } else if (kind == CHECKPOINT_NOTHING) {
        for (int64_t p = 0; checkpoint_leaves_no_file(film) && p < film->frame_count; p++) {
            const int64_t frame = film_frame_at(film, p);
            if (!completed_set_find(&content->completed[i], p))
                frame_ranges_add(missing, (FrameRange){frame, frame}, v->arena);
        }
    } else if (content->has_report) {
        verify_reported_file(v, &content->report.outputs.items[i], out->options.file,
                             out->options.format, film->frame_count);
    } else if (kind == CHECKPOINT_SEGMENTS) {
        verify_segments(v, content, i, missing);
    } else {
        *arena_push(v->arena, missing) = (FrameRange){
            film->frames.items[0].first, film->frames.items[film->frames.count - 1].last};
    }
}

bool verify_directory(Verify *v, const char *directory, Diag *diag)
{
    CheckpointContent content;
    if (!checkpoint_read_is_directory(directory))
        return diag_fail(diag, DIAG_MISSING, "%s: no job.json found", directory);
    if (!checkpoint_read(&content, directory, v->arena, diag))
        return false;

    for (size_t i = 0; i < content.film.output_count; i++) {
        FrameRangeList list = {0};
        TextStream ranges;
        verify_output(v, &content, i, &list);
        if (is_stopped(v))
            return false;
        const FrameRanges missing = {list.items, list.count};
        frame_ranges_write(text_stream_open(&ranges, v->arena), &missing);
        text_stream_close(&ranges);
        if (missing.count)
            report_finding(v, FINDING_MISSING, content.film.outputs[i].options.file,
                           "frames %s are not rendered", ranges.text);
        v->missing += film_frame_count(&missing);
    }
    if (!content.has_report && !v->missing) {
        report_finding(v, FINDING_MISSING, content.film.outputs[0].options.file,
                       "all frames are rendered, not joined");
        v->missing++;
    }
    for (size_t i = 0; content.has_report && i < content.report.previews.count; i++) {
        const char *key = arena_printf(v->arena, "previews.%zu.file", i);
        const char *file = checkpoint_read_text(&content, key, v->arena);
        if (file && !is_stopped(v))
            verify_reported_file(v, &content.report.previews.items[i], file, NULL, -1);
    }
    return !is_stopped(v);
}

/* ---- entry points ---- */

Verify *verify_begin(FILE *out, ReportFormat format, const volatile sig_atomic_t *stop,
                     Arena *arena)
{
    Verify *v = arena_array(arena, Verify, 1);
    *v = (Verify){
        .out = out, .format = format, .problems = {.arena = arena}, .stop = stop, .arena = arena};
    return v;
}

bool verify_end(Verify *v, Diag *diag)
{
    const bool good = !v->damaged && !v->missing && !diag->errors;
    if (v->format == REPORT_GITHUB)
        problem_list_write_github(v->out, &v->problems);
    const Verification result = {v->findings.items, v->findings.count, good, v->damaged,
                                 v->missing};
    if (v->format == REPORT_JSON)
        result_print(v->out, &verify_result, &result);
    if (!good && diag->kind == DIAG_NONE)
        diag->kind = v->damaged ? DIAG_FAILED : DIAG_INCOMPLETE;
    return good;
}

bool verify_save_junit(Verify *v, const char *path, Diag *diag)
{
    const char **intact = arena_array(v->arena, const char *, v->findings.count);
    size_t count = 0;
    for (size_t i = 0; i < v->findings.count; i++)
        if (v->findings.items[i].status == FINDING_INTACT)
            intact[count++] = v->findings.items[i].file;
    const JunitReport report = {"verify", intact, count, false};
    return problem_list_save_junit(path, &v->problems, &report, diag);
}
