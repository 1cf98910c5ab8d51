#include "output/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"

enum { NAME_SIZE = 4096, MAX_DIGITS = 18 };

/* A file of its own for each picture; the sink remembers which, to look at them at the end. */
struct Sink {
    Arena *arena;
    SinkOptions options;
    struct {
        int64_t *items;
        size_t count, room;
    } frames;
    SinkRecord record; /* of the last picture */
};

/* ---- names ----------------------------------------------------------------------------------- */

/* Where the number goes in a pattern: [start, end) is "%d", "%05d" or the like. */
typedef struct Number {
    const char *start, *end;
    int digits;
} Number;

/* Reads the one number of a pattern; false if there is another '%' than that, or none. */
static bool find_number(Number *number, const char *pattern)
{
    const char *p = strchr(pattern, '%');
    if (!p)
        return false;
    number->start = p++;
    number->digits = 0;
    if (*p != 'd' && *p != '0') /* as in printf: a width without 0 would pad with spaces */
        return false;
    while (*p >= '0' && *p <= '9' && number->digits <= MAX_DIGITS)
        number->digits = 10 * number->digits + (*p++ - '0');
    number->end = p + 1;
    return *p == 'd' && number->digits <= MAX_DIGITS && !strchr(number->end, '%');
}

bool sink_png_name(char *out, size_t size, const char *pattern, int64_t frame)
{
    Number number;
    int n;

    if (find_number(&number, pattern))
        n = snprintf(out, size, "%.*s%0*" PRId64 "%s", (int)(number.start - pattern), pattern,
                     number.digits, frame, number.end);
    else if (!strchr(pattern, '%'))
        n = snprintf(out, size, "%s", pattern);
    else
        return false;
    return n >= 0 && (size_t)n < size;
}

static bool check_options(const SinkOptions *options, Diag *diag)
{
    Number number;

    if (strchr(options->file, '%') && !find_number(&number, options->file))
        return diag_fail(diag, DIAG_JOB,
                         "'%s': one number such as %%05d may stand in the name, and no "
                         "other %%",
                         options->file);
    if (!strchr(options->file, '%') && options->frame_count != 1)
        return diag_fail(diag, DIAG_JOB,
                         "'%s' lacks a number such as %%05d: the pictures would "
                         "overwrite each other",
                         options->file);
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct Target {
    FileOut out;
    Hash *hash; /* of what was written */
    uint64_t bytes;
    Diag *diag;
    bool told;          /* an error reached the Diag already */
    uint8_t held[2048]; /* libpng writes a dozen pieces of some bytes each: they go out together */
    size_t held_count;
} Target;

static void write_out(png_structp png, const uint8_t *bytes, size_t size)
{
    Target *target = png_get_io_ptr(png);
    if (file_out_write(&target->out, bytes, size, target->diag))
        return;
    target->told = true;
    png_error(png, "write");
}

static void write_held(png_structp png)
{
    Target *target = png_get_io_ptr(png);
    write_out(png, target->held, target->held_count);
    target->held_count = 0;
}

static void put_bytes(png_structp png, png_bytep bytes, size_t size)
{
    Target *target = png_get_io_ptr(png);
    hash_add(target->hash, bytes, size);
    target->bytes += size;
    if (size > sizeof target->held - target->held_count)
        write_held(png);
    if (size > sizeof target->held) {
        write_out(png, bytes, size);
        return;
    }
    memcpy(target->held + target->held_count, bytes, size);
    target->held_count += size;
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

static void on_error(png_structp png, png_const_charp message)
{
    Target *target = png_get_error_ptr(png);
    if (!target->told)
        diag_fail(target->diag, DIAG_INTERNAL, "cannot write '%s': %s", target->out.path, message);
    target->told = true;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* Level 1 with the SUB filter: a sixth of the time of libpng's defaults for files an eighth larger
 * (1080p: 39 ms against 248).  No time chunk: same picture, same bytes. */
static void put_picture(png_structp png, png_infop info, const Image *image, bool alpha)
{
    const png_uint_32 width = (png_uint_32)image->width, height = (png_uint_32)image->height;

    png_set_compression_level(png, 1);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_compression_buffer_size(png, 1 << 18);
    png_set_IHDR(png, info, width, height, 8, alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    if (!alpha)
        png_set_filler(png, 0, PNG_FILLER_AFTER); /* takes the fourth byte out */
    for (png_uint_32 y = 0; y < height; y++)
        png_write_row(png, image->pixels + 4 * (size_t)width * y);
    png_write_end(png, NULL);
    write_held(png);
}

static bool encode(Target *target, const Image *image, bool alpha)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, target, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        png_destroy_write_struct(&png, NULL);
        return diag_fail(target->diag, DIAG_RESOURCE, "out of memory for libpng");
    }
    if (setjmp(png_jmpbuf(png))) { /* nothing that changed since is looked at here */
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, target, put_bytes, flush_bytes);
    put_picture(png, info, image, alpha);
    png_destroy_write_struct(&png, &info);
    return true;
}

/* ---- looking at what was written ------------------------------------------------------------- */

static bool read_at(int fd, void *out, size_t size, off_t at)
{
    uint8_t *bytes = out;
    while (size) {
        const ssize_t n = pread(fd, bytes, size, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
        at += n;
    }
    return true;
}

static uint32_t big_endian(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Signature, size and the closing chunk.  What is between went through checked writes and a sync.
 */
static bool looks_whole(int fd, const SinkOptions *options)
{
    static const uint8_t start[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                    0,    0,   0,   13,  'I',  'H',  'D',  'R'};
    static const uint8_t end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
    uint8_t head[sizeof start + 8], tail[sizeof end];
    struct stat st;

    return fstat(fd, &st) == 0 && st.st_size > (off_t)sizeof tail &&
           read_at(fd, head, sizeof head, 0) &&
           read_at(fd, tail, sizeof tail, st.st_size - (off_t)sizeof tail) &&
           !memcmp(head, start, sizeof start) && !memcmp(tail, end, sizeof end) &&
           big_endian(head + sizeof start) == (uint32_t)options->width &&
           big_endian(head + sizeof start + 4) == (uint32_t)options->height;
}

static bool check_file(const SinkOptions *options, int64_t frame, Diag *diag)
{
    char name[NAME_SIZE];
    if (!sink_png_name(name, sizeof name, options->file, frame))
        return diag_fail(diag, DIAG_INTERNAL, "'%s': no name for picture %" PRId64, options->file,
                         frame);
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return diag_fail(diag, DIAG_IO, "cannot read '%s' back: %s", name, strerror(errno));
    const bool whole = looks_whole(fd, options);
    close(fd);
    return whole || diag_fail(diag, DIAG_IO, "'%s' is not whole when read back", name);
}

/* ---- the sink -------------------------------------------------------------------------------- */

static bool matches(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && !strcasecmp(dot, ".png");
}

static bool make_name(char out[NAME_SIZE], const SinkOptions *options, int64_t frame, Diag *diag)
{
    return sink_png_name(out, NAME_SIZE, options->file, frame) ||
           diag_fail(diag, DIAG_CREATE, "'%s': the path is too long", options->file);
}

static Sink *create(const SinkOptions *options, Diag *diag)
{
    char name[NAME_SIZE];
    if (!check_options(options, diag) || !make_name(name, options, options->first_frame, diag) ||
        !sink_check_writable(name, diag))
        return NULL;
    Arena *arena = arena_create();
    Sink *sink = arena_alloc(arena, sizeof *sink);
    sink->arena = arena;
    sink->options = *options;
    return sink;
}

static bool write_file(SinkRecord *record, const char *name, const Image *image, bool alpha,
                       Diag *diag)
{
    Target target = {.diag = diag};

    if (!file_out_open(&target.out, name, diag))
        return false;
    target.hash = hash_create();
    const bool ok = encode(&target, image, alpha);
    *record = (SinkRecord){target.bytes, hash_finish(target.hash)};
    if (!ok) {
        file_out_abort(&target.out);
        return false;
    }
    return file_out_commit(&target.out, diag);
}

static bool write_picture(Sink *sink, const Image *image, int64_t frame, Diag *diag)
{
    const SinkOptions *options = &sink->options;
    char name[NAME_SIZE];

    if (!sink_check_image(options, image, diag) || !make_name(name, options, frame, diag) ||
        !write_file(&sink->record, name, image, options->alpha, diag))
        return false;
    *arena_push(sink->arena, &sink->frames) = frame;
    return true;
}

static SinkRecord record(const Sink *sink)
{
    return sink->record;
}

static bool inspect(SinkRecord *out, const SinkOptions *options, int64_t frame)
{
    char name[NAME_SIZE];
    Diag diag;

    diag_init(&diag, diag_ignore, NULL);
    return sink_png_name(name, sizeof name, options->file, frame) &&
           file_digest(&out->digest, &out->bytes, name, NULL, &diag);
}

static bool finish(Sink *sink, Diag *diag)
{
    for (size_t i = 0; i < sink->frames.count; i++)
        if (!check_file(&sink->options, sink->frames.items[i], diag))
            return false;
    return sink_check_count(&sink->options, (int64_t)sink->frames.count, diag);
}

static void destroy(Sink *sink)
{
    if (sink)
        arena_destroy(sink->arena);
}

const SinkKind sink_png = {.name = "png",
                           .ordered = false,
                           .matches = matches,
                           .check = check_options,
                           .create = create,
                           .write = write_picture,
                           .finish = finish,
                           .destroy = destroy,
                           .verify = check_file,
                           .record = record,
                           .inspect = inspect};
