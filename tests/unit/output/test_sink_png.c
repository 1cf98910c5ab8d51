// SPDX-License-Identifier: MIT
/* sink, sink_png, sink_hash, sink_null: names, images read by libpng, digests, full disks */

#include <png.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "diag_log.h"
#include "output/sink.h"
#include "scratch.h"
#include "unit_test.h"

enum { WIDTH = 37, HEIGHT = 21 };

static Image noise(int seed)
{
    static uint8_t pixels[HEIGHT * WIDTH * 4];
    uint32_t value = (uint32_t)seed;
    for (size_t i = 0; i < sizeof pixels; i++) {
        value = value * 1664525u + 1013904223u;
        pixels[i] = (uint8_t)(value >> 24);
    }
    return (Image){WIDTH, HEIGHT, true, pixels};
}

static SinkOptions options_for(const char *file)
{
    return (SinkOptions){
        .file = file, .width = WIDTH, .height = HEIGHT, .fps_num = 30, .fps_den = 1};
}

/* A number in the name of a video or of a preview is part of it. */
static void test_sequences(void **state)
{
    (void)state;
    static const struct {
        const char *file, *format;
        bool is_sequence;
    } rows[] = {
        {"a/%05d.png", NULL, true}, {"%d.exr", NULL, true},     {"%d", "png", true},
        {"100%d.mp4", NULL, false}, {"%d.sha256", NULL, false}, {"%d.png", "mp4", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sink_is_sequence(rows[i].file, rows[i].format) != rows[i].is_sequence)
            fail_msg("'%s'", rows[i].file);
}

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const SinkKind *kind;
    } rows[] = {
        {"out/%05d.png", &sink_png},
        {"A.PNG", &sink_png},
        {"frames.sha256", &sink_hash},
        {"null:", &sink_null},
        {"a/dance.mp4", &sink_ffmpeg},
        {"dance.webm", &sink_ffmpeg},
        {"dance.mkv", &sink_ffmpeg},
        {"dance.mov", &sink_ffmpeg},
        {"dance.gif", &sink_gif},
        {"dance.apng", &sink_ffmpeg_unsegmented},
        {"dance.y4m", &sink_ffmpeg_unsegmented},
        {"song.mp3", NULL},
        {"song.wav", NULL},
        {"dance.txt", NULL},
        {"dance", NULL},
        {"live.m3u8", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        diag_log_init(&log);
        const SinkKind *kind = sink_find(rows[i].file, NULL, &log.diag);
        if (kind != rows[i].kind || log.diag.kind != (rows[i].kind ? DIAG_NONE : DIAG_JOB))
            fail_msg("'%s' is %s", rows[i].file, kind ? kind->name : log.text);
    }
}

static void test_refused_patterns(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        int64_t frames;
        const char *message;
    } rows[] = {
        {"out.png", 2, "would overwrite each other"},
        {"out.png", 0, "would overwrite each other"},
        {"%d-%d.png", 2, "one number such as %05d, not 2"},
        {"%d/a.png", 2, "would overwrite each other"},
        {"%s.png", 2, "would overwrite each other"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SinkOptions options = options_for(rows[i].file);
        DiagLog log;
        diag_log_init(&log);
        options.frame_count = rows[i].frames;
        if (sink_create(&sink_png, &options, &log.diag) || log.diag.kind != DIAG_JOB ||
            !strstr(log.text, rows[i].message))
            fail_msg("'%s': %s", rows[i].file, log.text);
    }
}

/* Reads the file with libpng's simplified API, as RGBA.  *info: whether it has alpha, an sRGB
 * chunk, a time chunk. */
typedef struct Found {
    uint8_t pixels[HEIGHT * WIDTH * 4];
    bool alpha, srgb, time;
} Found;

static bool has_chunk(const char *path, const char *name)
{
    static char bytes[65536];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    return memmem(bytes, n, name, 4) != NULL;
}

static void read_png(Found *out, const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        fail_msg("%s: %s", path, image.message);
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    out->alpha = image.format & PNG_FORMAT_FLAG_ALPHA;
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, out->pixels, 0, NULL));
    out->srgb = has_chunk(path, "sRGB");
    out->time = has_chunk(path, "tIME");
}

static void test_images(void **state)
{
    (void)state;
    for (int alpha = 0; alpha < 2; alpha++) {
        Scratch scratch;
        DiagLog log;
        char pattern[256];
        static Found found;

        scratch_make(&scratch);
        diag_log_init(&log);
        snprintf(pattern, sizeof pattern, "%s", scratch_path(&scratch, "new/f%04d.png"));
        SinkOptions options = options_for(pattern);
        options.alpha = alpha;
        options.frame_count = 3;
        Sink *sink = sink_create(&sink_png, &options, &log.diag);
        assert_non_null(sink);
        for (int frame = 9; frame >= 7; frame--) { /* any order */
            const Image image = noise(frame);
            assert_true(sink_write(sink, &image, frame, &log.diag));
        }
        if (!sink_finish(sink, &log.diag))
            fail_msg("%s", log.text);
        sink_destroy(sink);
        assert_int_equal(scratch_count(&scratch), 3);

        read_png(&found, scratch_path(&scratch, "new/f0008.png"));
        const Image image = noise(8);
        assert_int_equal(found.alpha, alpha);
        assert_true(found.srgb);
        assert_false(found.time);
        for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
            if (found.pixels[i] != (i % 4 == 3 && !alpha ? 255 : image.pixels[i]))
                fail_msg("alpha %d: byte %d differs", alpha, i);
        scratch_remove(&scratch);
    }
}

/* A file truncated after it was written is detected at the end. */
static void test_truncated_file(void **state)
{
    (void)state;
    Scratch scratch;
    DiagLog log;
    scratch_make(&scratch);
    diag_log_init(&log);
    SinkOptions options = options_for(scratch_path(&scratch, "one.png"));
    options.frame_count = 1;
    Sink *sink = sink_create(&sink_png, &options, &log.diag);
    const Image image = noise(1);
    assert_true(sink_write(sink, &image, 0, &log.diag));
    assert_int_equal(truncate(scratch.path, 200), 0);
    assert_false(sink_finish(sink, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_IO);
    sink_destroy(sink);
    scratch_remove(&scratch);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* A limit on the file size simulates a full disk. */
static void test_full_disk(void **state)
{
    (void)state;
    static const struct {
        const SinkKind *kind;
        const char *name;
    } rows[] = {{&sink_png, "%d.png"}, {&sink_hash, "all.sha256"}};

    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const SinkKind *kind = rows[i].kind;
        Scratch scratch;
        DiagLog log;
        bool ok = true;

        scratch_make(&scratch);
        diag_log_init(&log);
        const SinkOptions options = options_for(scratch_path(&scratch, rows[i].name));
        Sink *sink = sink_create(kind, &options, &log.diag);
        assert_non_null(sink);
        limit_files(100);
        for (int frame = 0; ok && frame < 3; frame++) {
            const Image image = noise(frame);
            ok = sink_write(sink, &image, frame, &log.diag);
        }
        limit_files(RLIM_INFINITY);
        sink_destroy(sink);
        if (ok || log.diag.kind != DIAG_IO || !strstr(log.text, "File too large"))
            fail_msg("%s: %s", kind->name, log.text);
        assert_int_equal(log.diag.errors, 1);
        assert_int_equal(scratch_count(&scratch), 0);
        scratch_remove(&scratch);
    }
}

/* The SHA-256 of 64 zero bytes and of 64 bytes of 0xff, as sha256sum prints them. */
static void test_digests(void **state)
{
    (void)state;
    static const char expected[] =
        "5 f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b\n"
        "6 8667e718294e9e0df1d30600ba3eeb201f764aad2dad72748643e4a285e1d1f7\n";
    uint8_t pixels[2][64];
    Scratch scratch;
    DiagLog log;
    char text[256] = "";

    memset(pixels[0], 0, 64);
    memset(pixels[1], 0xff, 64);
    scratch_make(&scratch);
    diag_log_init(&log);
    SinkOptions options = {.file = scratch_path(&scratch, "a.sha256"), .width = 4, .height = 4};
    Sink *sink = sink_create(&sink_hash, &options, &log.diag);
    for (int i = 0; i < 2; i++)
        assert_true(sink_write(sink, &(Image){4, 4, false, pixels[i]}, 5 + i, &log.diag));
    assert_true(sink_finish(sink, &log.diag));
    sink_destroy(sink);
    FILE *f = fopen(scratch.path, "rb");
    assert_non_null(f);
    (void)!fread(text, 1, sizeof text - 1, f);
    fclose(f);
    assert_string_equal(text, expected);
    scratch_remove(&scratch);
}

/* The record of a file when it is written equals the record of the file read again. */
static void test_record(void **state)
{
    (void)state;
    static uint8_t bytes[65536];
    Scratch scratch;
    DiagLog log;
    SinkRecord found;

    scratch_make(&scratch);
    diag_log_init(&log);
    SinkOptions options = options_for(scratch_path(&scratch, "%d.png"));
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s", scratch.path);
    options.file = pattern;
    Sink *sink = sink_create(&sink_png, &options, &log.diag);
    for (int i = 3; i < 5; i++) {
        const Image image = noise(i);
        assert_true(sink_write(sink, &image, i, &log.diag));
    }
    const SinkRecord record = sink->record;
    FILE *f = fopen(scratch_path(&scratch, "4.png"), "r+b");
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    const Digest digest = hash_bytes(bytes, size);
    assert_int_equal(record.bytes, size);
    assert_memory_equal(&record.digest, &digest, sizeof digest);
    assert_true(sink_png.inspect(&found, &options, 4));
    assert_int_equal(found.bytes, size);
    assert_memory_equal(&found.digest, &digest, sizeof digest);

    rewind(f);
    fputc(~bytes[0] & 0xff, f);
    fclose(f);
    assert_true(sink_png.inspect(&found, &options, 4));
    assert_memory_not_equal(&found.digest, &digest, sizeof digest);
    assert_false(sink_png.inspect(&found, &options, 5));
    assert_int_equal(log.diag.errors, 0);
    sink_destroy(sink);
    scratch_remove(&scratch);
}

/* ---- digests in segments ---- */

#define ZEROS "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"
#define ONES "8667e718294e9e0df1d30600ba3eeb201f764aad2dad72748643e4a285e1d1f7"

/* Two segments of two frames, and the result of joining them. */
static const struct {
    const char *what, *first, *second;
    bool fine;
    const char *message;
} hash_segment_rows[] = {
    {"good", "0 " ZEROS "\n7 " ONES "\n", "8 " ZEROS "\n99 " ZEROS "\n", true, ""},
    {"repeated", "0 " ZEROS "\n7 " ONES "\n", "7 " ZEROS "\n99 " ZEROS "\n", true,
     "'1' is damaged"},
    {"falling", "7 " ZEROS "\n0 " ONES "\n", "8 " ZEROS "\n9 " ZEROS "\n", false, "'0' is damaged"},
    {"cut", "0 " ZEROS "\n7 " ONES, "8 " ZEROS "\n9 " ZEROS "\n", false, "'0' is damaged"},
    {"short", "0 " ZEROS "\n", "8 " ZEROS "\n9 " ZEROS "\n", false, "3 of 4 frames were written"},
    {"long", "0 " ZEROS "\n1 " ONES "\n2 " ONES "\n", "8 " ZEROS "\n9 " ZEROS "\n", false,
     "5 of 4"},
    {"no number", " " ZEROS "\n7 " ONES "\n", "8 " ZEROS "\n9 " ZEROS "\n", false,
     "'0' is damaged"},
    {"negative", "-1 " ZEROS "\n7 " ONES "\n", "8 " ZEROS "\n9 " ZEROS "\n", false,
     "'0' is damaged"},
    {"65 digits", "0 1" ZEROS "\n7 " ONES "\n", "8 " ZEROS "\n9 " ZEROS "\n", false,
     "'0' is damaged"},
    {"long line", "0 " ZEROS ZEROS "\n7 " ONES "\n", "8 " ZEROS "\n", false, "'0' is damaged"},
    {"empty", "", "8 " ZEROS "\n9 " ZEROS "\n", false, "2 of 4 frames were written"},
    {"missing", NULL, "8 " ZEROS "\n9 " ZEROS "\n", false, "'0' is missing"},
};

static void save_text(const char *path, const char *text)
{
    remove(path);
    if (!text)
        return;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void test_hash_segment_rows(void **state)
{
    (void)state;
    static const volatile sig_atomic_t never, already = 1;
    static const char *const names[] = {"0", "1"};
    char directory[4096], text[512] = "", wanted[512];
    Scratch scratch;
    scratch_make(&scratch);
    assert_non_null(getcwd(directory, sizeof directory));
    assert_int_equal(chdir(scratch.directory), 0);

    const SinkOptions options = {.file = "a.sha256", .width = 4, .height = 4, .frame_count = 4};
    for (size_t i = 0; i < sizeof hash_segment_rows / sizeof *hash_segment_rows; i++) {
        DiagLog log;
        SinkRecord records[2];
        diag_log_init(&log);
        save_text(names[0], hash_segment_rows[i].first);
        save_text(names[1], hash_segment_rows[i].second);
        if (sink_hash.segments->inspect(records, 2, names[0]) != hash_segment_rows[i].fine)
            fail_msg("%s: inspect", hash_segment_rows[i].what);
        const bool good = !*hash_segment_rows[i].message;
        if (sink_hash.segments->join(&options, names, 2, &never, &log.diag) != good ||
            log.diag.kind != (good ? DIAG_NONE : DIAG_INCOMPLETE) ||
            (!good && !strstr(log.text, hash_segment_rows[i].message)))
            fail_msg("%s: %s", hash_segment_rows[i].what, log.text);
        if (!good)
            continue;
        assert_int_equal(records[1].bytes, strlen("7 " ONES "\n"));
        const Digest line = hash_bytes("7 " ONES "\n", strlen("7 " ONES "\n"));
        assert_memory_equal(&records[1].digest, &line, sizeof line);
        FILE *f = fopen("a.sha256", "rb");
        (void)!fread(text, 1, sizeof text - 1, f);
        fclose(f);
        snprintf(wanted, sizeof wanted, "%s%s", hash_segment_rows[i].first,
                 hash_segment_rows[i].second);
        assert_string_equal(text, wanted);
        remove("a.sha256");
        assert_false(sink_hash.segments->join(&options, names, 2, &already, &log.diag));
        assert_int_equal(log.diag.errors, 0);
        assert_int_equal(scratch_count(&scratch), 2);
    }
    assert_int_equal(chdir(directory), 0);
    scratch_remove(&scratch);
}

/* Every sink rejects images of another size, and fewer frames than expected. */
static void test_incomplete(void **state)
{
    (void)state;
    static const struct {
        const SinkKind *kind;
        const char *name;
        size_t files; /* that remain */
    } rows[] = {{&sink_png, "%d.png", 1}, {&sink_hash, "a.sha256", 0}, {&sink_null, "null:", 0}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const SinkKind *kind = rows[i].kind;
        Scratch scratch;
        DiagLog log;
        scratch_make(&scratch);
        diag_log_init(&log);
        SinkOptions options = options_for(scratch_path(&scratch, rows[i].name));
        options.frame_count = 2;
        Sink *sink = sink_create(kind, &options, &log.diag);
        Image image = noise(1);
        assert_true(sink_write(sink, &image, 0, &log.diag));
        if (sink_finish(sink, &log.diag) || log.diag.kind != DIAG_INCOMPLETE)
            fail_msg("%s: fewer frames: %s", kind->name, log.text);
        image.width--;
        diag_log_init(&log);
        if (sink_write(sink, &image, 1, &log.diag) || log.diag.kind != DIAG_INTERNAL)
            fail_msg("%s: other size: %s", kind->name, log.text);
        sink_destroy(sink);
        assert_int_equal(scratch_count(&scratch), rows[i].files);
        scratch_remove(&scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_refused_patterns),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_truncated_file),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_digests),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_hash_segment_rows),
        cmocka_unit_test(test_incomplete),
    };
    return cmocka_run_group_tests_name("sink_png", tests, NULL, NULL);
}
