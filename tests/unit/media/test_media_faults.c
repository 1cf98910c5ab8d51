// SPDX-License-Identifier: MIT
/*
 * Decoding while reads, allocations and decoders fail: the definitions below replace those of the
 * C library and of libav, and fail at a chosen call.
 */

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

#include "base/file.h"
#include "diag_log.h"
#include "media/sound.h"
#include "media/video_reader.h"
#include "media/video_source.h"
#include "output/sink.h"
#include "scratch.h"
#include "unit_test.h"
#include "wav_fixture.h"

/* ---- calls that fail ---- */

typedef enum Call {
    NO_CALL,
    CALL_READ,       /* EIO */
    CALL_READ_SHORT, /* a part, after an interruption; from this call on */
    CALL_MALLOC,
    CALL_PACKET,
    CALL_FRAME,
    CALL_CODEC,
    CALL_FORMAT,
    CALL_SCALER,
    CALL_STREAM_INFO,
    CALL_SEND
} Call;

static Call failing;
static int calls_left; /* before it fails */

static bool fails(Call call)
{
    return failing == call && calls_left-- == 0;
}

/* The next definition of a function, as a pointer of its type. */
#define REAL(type, name)                          \
    type real;                                    \
    void *const symbol = dlsym(RTLD_NEXT, #name); \
    memcpy(&real, &symbol, sizeof real)

typedef ssize_t ReadFunction(int, void *, size_t);
ssize_t read(int fd, void *out, size_t size)
{
    static bool interrupt;
    REAL(ReadFunction *, read);
    if (fails(CALL_READ)) {
        errno = EIO;
        return -1;
    }
    if (failing != CALL_READ_SHORT)
        return real(fd, out, size);
    interrupt = !interrupt;
    if (interrupt) {
        errno = EINTR;
        return -1;
    }
    return real(fd, out, size > 3 ? size / 3 : size);
}

typedef void *MallocFunction(size_t);
void *av_malloc(size_t size)
{
    REAL(MallocFunction *, av_malloc);
    return fails(CALL_MALLOC) ? NULL : real(size);
}

typedef AVPacket *PacketFunction(void);
AVPacket *av_packet_alloc(void)
{
    REAL(PacketFunction *, av_packet_alloc);
    return fails(CALL_PACKET) ? NULL : real();
}

typedef AVFrame *FrameFunction(void);
AVFrame *av_frame_alloc(void)
{
    REAL(FrameFunction *, av_frame_alloc);
    return fails(CALL_FRAME) ? NULL : real();
}

typedef AVCodecContext *CodecFunction(const AVCodec *);
AVCodecContext *avcodec_alloc_context3(const AVCodec *codec)
{
    REAL(CodecFunction *, avcodec_alloc_context3);
    return fails(CALL_CODEC) ? NULL : real(codec);
}

typedef AVFormatContext *FormatFunction(void);
AVFormatContext *avformat_alloc_context(void)
{
    REAL(FormatFunction *, avformat_alloc_context);
    return fails(CALL_FORMAT) ? NULL : real();
}

typedef struct SwsContext *ScalerFunction(struct SwsContext *, int, int, enum AVPixelFormat, int,
                                          int, enum AVPixelFormat, int, SwsFilter *, SwsFilter *,
                                          const double *);
struct SwsContext *sws_getCachedContext(struct SwsContext *old, int width, int height,
                                        enum AVPixelFormat from, int to_width, int to_height,
                                        enum AVPixelFormat to, int flags, SwsFilter *in,
                                        SwsFilter *out, const double *param)
{
    REAL(ScalerFunction *, sws_getCachedContext);
    if (fails(CALL_SCALER)) {
        sws_freeContext(old);
        return NULL;
    }
    return real(old, width, height, from, to_width, to_height, to, flags, in, out, param);
}

typedef int InfoFunction(AVFormatContext *, AVDictionary **);
int avformat_find_stream_info(AVFormatContext *context, AVDictionary **options)
{
    REAL(InfoFunction *, avformat_find_stream_info);
    return fails(CALL_STREAM_INFO) ? AVERROR_INVALIDDATA : real(context, options);
}

typedef int SendFunction(AVCodecContext *, const AVPacket *);
int avcodec_send_packet(AVCodecContext *codec, const AVPacket *packet)
{
    REAL(SendFunction *, avcodec_send_packet);
    return fails(CALL_SEND) ? AVERROR_INVALIDDATA : real(codec, packet);
}

/* ---- films and sounds ---- */

enum { FRAMES = 12, RATE = 48000, SAMPLES = RATE / 2 };

static void make_film(const char *path, int width, int height)
{
    static uint8_t pixels[64 * 64 * 4];
    DiagLog log;
    diag_log_init(&log);
    const SinkOptions options = {.file = path,
                                 .width = width,
                                 .height = height,
                                 .fps_num = 25,
                                 .fps_den = 1,
                                 .frame_count = FRAMES,
                                 .video.codec = "h264",
                                 .video.preset = "fast",
                                 .video.crf = 20,
                                 .video.gop = 4,
                                 .video.pixel_format = "auto",
                                 .video.audio_codec = "auto",
                                 .threads = 1};
    const Image image = {width, height, false, pixels};
    Sink *sink = sink_create(&sink_ffmpeg, &options, &log.diag);
    if (!sink)
        fail_msg("%s", log.text);
    for (int i = 0; i < FRAMES; i++) {
        memset(pixels, 20 * i, sizeof pixels);
        assert_true(sink_write(sink, &image, i, &log.diag));
    }
    assert_true(sink_finish(sink, &log.diag));
    sink_destroy(sink);
}

static void make_sound(const char *path)
{
    static float samples[SAMPLES];
    DiagLog log;
    diag_log_init(&log);
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = (float)(i % 100) / 200;
    const Sound sound = {.samples = samples, .frames = SAMPLES, .channels = 1, .rate = RATE};
    assert_true(wav_fixture_save(&sound, path, &log.diag));
}

/* Each reads a whole file; the sums of what they read are the same in every run. */
typedef bool Work(uint64_t *sum, const char *path, Diag *diag);

static uint64_t sum_of(const Image *image)
{
    uint64_t sum = 0;
    for (int i = 0; i < image->width * image->height * 4; i++)
        sum = sum * 31 + image->pixels[i];
    return sum;
}

static bool read_film(uint64_t *sum, const char *path, Diag *diag)
{
    VideoReader *reader = video_reader_open(path, 1, diag);
    const Image *image = NULL;
    bool ok = reader != NULL;
    *sum = 0;
    while (ok && (ok = video_reader_read(&image, reader, diag)) && image)
        *sum += sum_of(image);
    video_reader_close(reader);
    return ok;
}

static bool read_source(uint64_t *sum, const char *path, Diag *diag)
{
    const VideoSourceSpec spec = {path, 16, 16, IMAGE_CONTAIN, true};
    VideoSource *source = video_source_open(&spec, diag);
    const Image *image;
    bool ok = source != NULL;
    *sum = 0;
    for (int i = 0; ok && i < 2 * FRAMES; i++) {
        ok = video_source_read(&image, source, i * 0.04, diag);
        *sum += ok ? sum_of(image) : 0;
    }
    video_source_close(source);
    return ok;
}

static bool read_sound(uint64_t *sum, const char *path, Diag *diag)
{
    Arena *arena = arena_create();
    Sound sound;
    const bool ok = sound_load_all(&sound, path, arena, diag);
    *sum = ok ? sound.frames : 0;
    arena_destroy(arena);
    return ok;
}

static const struct {
    const char *name;
    Work *work;
} works[] = {{"a.mp4", read_film}, {"a.mp4", read_source}, {"a.wav", read_sound}};
enum { WORKS = sizeof works / sizeof *works };

static void make_files(Scratch *scratch)
{
    scratch_make(scratch);
    make_film(scratch_path(scratch, "a.mp4"), 64, 32);
    make_sound(scratch_path(scratch, "a.wav"));
}

/* Runs the work with one call that fails; true if the work was done without an error. */
static bool run(DiagLog *log, uint64_t *sum, Scratch *scratch, int work, Call call, int before)
{
    diag_log_init(log);
    const char *path = scratch_path(scratch, works[work].name);
    failing = call;
    calls_left = before;
    const bool ok = works[work].work(sum, path, &log->diag);
    failing = NO_CALL;
    if (ok != (log->diag.errors == 0))
        fail_msg("work %d, call %d, %d: %s", work, (int)call, before, log->text);
    return ok;
}

/* ---- tests ---- */

/* Reads that fail are reported as such, wherever they are; none is ignored. */
static void reads_that_fail(void **state)
{
    (void)state;
    Scratch scratch;
    make_files(&scratch);
    for (int work = 0; work < WORKS; work++) {
        DiagLog log;
        uint64_t sum;
        int before = 0;
        while (!run(&log, &sum, &scratch, work, CALL_READ, before)) {
            if (!strstr(log.text, "cannot read: Input/output error"))
                fail_msg("work %d, read %d: %s", work, before, log.text);
            assert_int_equal(log.diag.kind, DIAG_IO);
            before++;
        }
        assert_true(before > 0);
    }
    scratch_remove(&scratch);
}

/* Short and interrupted reads change nothing. */
static void reads_that_are_short(void **state)
{
    (void)state;
    Scratch scratch;
    make_files(&scratch);
    for (int work = 0; work < WORKS; work++) {
        DiagLog log;
        uint64_t sum, again;
        assert_true(run(&log, &sum, &scratch, work, NO_CALL, 0));
        assert_true(sum != 0);
        assert_true(run(&log, &again, &scratch, work, CALL_READ_SHORT, 0));
        assert_true(sum == again);
    }
    scratch_remove(&scratch);
}

/* The first call of each of these is the program's own. */
static void calls_that_fail(void **state)
{
    (void)state;
    static const char memory[] = "out of memory for the decoder";
    static const struct {
        Call call;
        const char *words[WORKS]; /* "": any error; NULL: not called */
    } rows[] = {
        {CALL_MALLOC, {memory, memory, memory}},
        {CALL_FORMAT, {memory, memory, memory}},
        {CALL_STREAM_INFO,
         {"start of the video is damaged", "start of the video is damaged",
          "start of the sound file is damaged"}},
        {CALL_SCALER, {"cannot be converted to RGB", "", NULL}},
    };
    Scratch scratch;
    make_files(&scratch);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int work = 0; work < WORKS; work++) {
            DiagLog log;
            uint64_t sum;
            const char *words = rows[i].words[work];
            if (run(&log, &sum, &scratch, work, rows[i].call, 0) != !words)
                fail_msg("call %d, work %d: no error", (int)rows[i].call, work);
            if (words && !strstr(log.text, words))
                fail_msg("call %d, work %d: %s", (int)rows[i].call, work, log.text);
            if (words == memory)
                assert_int_equal(log.diag.kind, DIAG_RESOURCE);
        }
    scratch_remove(&scratch);
}

/* Some of these are allocated by demuxers, which report a damaged file or go on without. */
static void decoders_without_memory(void **state)
{
    (void)state;
    enum { MOST = 20 };
    static const Call calls[] = {CALL_PACKET, CALL_FRAME, CALL_CODEC};
    Scratch scratch;
    make_files(&scratch);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int work = 0; work < WORKS; work++) {
            DiagLog log;
            uint64_t sum;
            bool reported = false;
            for (int before = 0; before < MOST; before++)
                if (!run(&log, &sum, &scratch, work, calls[i], before))
                    reported |= strstr(log.text, "out of memory for the decoder") != NULL;
            if (!reported)
                fail_msg("call %d, work %d: no error", (int)calls[i], work);
        }
    scratch_remove(&scratch);
}

/* A reader reports each packet that cannot be decoded.  The first ones that are sent may be those
 * with which libav looks at the stream. */
static void packets_that_cannot_be_decoded(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    uint64_t sum;
    int damaged = 0;
    make_files(&scratch);
    for (int before = 0; before < 4 * FRAMES; before++)
        if (!run(&log, &sum, &scratch, 0, CALL_SEND, before)) {
            if (!strstr(log.text, " is damaged"))
                fail_msg("packet %d: %s", before, log.text);
            damaged++;
        }
    assert_true(damaged >= FRAMES);
    scratch_remove(&scratch);
}

/* Two films of other sizes in one stream: the reader refuses them, a source scales them. */
static void frames_that_change_their_size(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    Bytes parts[2];
    uint64_t sum;
    Arena *arena = arena_create();
    scratch_make(&scratch);
    diag_log_init(&log);
    for (int i = 0; i < 2; i++) {
        const char *path = scratch_path(&scratch, i ? "b.ts" : "a.ts");
        make_film(path, i ? 48 : 64, 32);
        assert_true(file_load(&parts[i], path, FILE_MAX_SIZE, arena, &log.diag));
    }
    FILE *out = fopen(scratch_path(&scratch, "a.ts"), "ab");
    assert_non_null(out);
    assert_int_equal(fwrite(parts[1].data, 1, parts[1].size, out), parts[1].size);
    fclose(out);
    assert_false(read_film(&sum, scratch_path(&scratch, "a.ts"), &log.diag));
    assert_non_null(strstr(log.text, "has a different size than the frames before"));
    diag_log_init(&log);
    if (!read_source(&sum, scratch_path(&scratch, "a.ts"), &log.diag))
        fail_msg("%s", log.text);
    arena_destroy(arena);
    scratch_remove(&scratch);
}

/* What is no file, and files that are no films. */
static void files_that_are_refused(void **state)
{
    (void)state;
    Scratch scratch;
    make_files(&scratch);
    for (int work = 0; work < WORKS; work++) {
        DiagLog log;
        uint64_t sum;
        diag_log_init(&log);
        assert_false(works[work].work(&sum, scratch.directory, &log.diag));
        assert_non_null(strstr(log.text, "not a regular file"));
        diag_log_init(&log);
        assert_false(works[work].work(&sum, scratch_path(&scratch, "missing"), &log.diag));
        assert_int_equal(log.diag.kind, DIAG_MISSING);
        diag_log_init(&log); /* a film without sound, a sound without a film */
        assert_false(works[work].work(&sum, scratch_path(&scratch, work < 2 ? "a.wav" : "a.mp4"),
                                      &log.diag));
        assert_int_equal(log.diag.kind, DIAG_DATA);
    }
    scratch_remove(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_that_fail),
        cmocka_unit_test(reads_that_are_short),
        cmocka_unit_test(calls_that_fail),
        cmocka_unit_test(decoders_without_memory),
        cmocka_unit_test(packets_that_cannot_be_decoded),
        cmocka_unit_test(frames_that_change_their_size),
        cmocka_unit_test(files_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
