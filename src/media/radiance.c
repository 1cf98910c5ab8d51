// SPDX-License-Identifier: MIT
#include "media/radiance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parser_entry.h"
#include "base/reader.h"
#include "base/text.h"

enum {
    MAX_LINE = 256,
    MAX_LINES = 256,
    MAX_PIXELS = 1 << 25, /* 8192 x 4096: 512 MiB */
    MIN_RUN_WIDTH = 8,    /* narrower and wider lines are never run-length coded by channels */
    MAX_RUN_WIDTH = 32767
};

typedef struct Header {
    int width, height;
    bool bottom_up, right_to_left;
    size_t size;
} Header;

bool radiance_is(Bytes bytes)
{
    static const char *const marks[] = {"#?RADIANCE\n", "#?RADIANCE\r\n", "#?RGBE\n", "#?RGBE\r\n"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (bytes.size >= strlen(marks[i]) && !memcmp(bytes.data, marks[i], strlen(marks[i])))
            return true;
    return false;
}

/* A line without its end; false at the end of the data or if it is too long. */
static bool read_line(char out[MAX_LINE], Reader *r)
{
    size_t size = 0;
    for (uint8_t byte = read_u8(r); byte != '\n'; byte = read_u8(r)) {
        if (r->failed || size == MAX_LINE - 1)
            return false;
        out[size++] = (char)byte;
    }
    while (size && out[size - 1] == '\r')
        size--;
    out[size] = '\0';
    return true;
}

/* "-Y 512 +X 1024" */
static bool read_size(Header *h, const char *line)
{
    char y, x;
    int end = 0;
    if (sscanf(line, "%cY %5d %cX %5d%n", &y, &h->height, &x, &h->width, &end) != 4 || line[end])
        return false;
    h->bottom_up = y == '+';
    h->right_to_left = x == '-';
    return strchr("+-", y) && strchr("+-", x) && h->width > 0 && h->height > 0;
}

static bool read_header(Header *h, Bytes bytes, Diag *diag)
{
    Reader r = reader_init(bytes.data, bytes.size);
    char line[MAX_LINE];
    int lines = 0;
    do {
        if (!read_line(line, &r) || ++lines > MAX_LINES)
            return diag_error(diag, "the header of the Radiance picture is damaged");
        if (!strncmp(line, "FORMAT=", 7) && strcmp(line + 7, "32-bit_rle_rgbe") != 0)
            return diag_error(diag, "a Radiance picture with '%s' is not supported", line);
    } while (*line);
    if (!read_line(line, &r) || !read_size(h, line))
        return diag_error(diag, "the size of the Radiance picture is damaged or has X before Y");
    if (h->width > IMAGE_MAX_SIDE || h->height > IMAGE_MAX_SIDE ||
        (int64_t)h->width * h->height > MAX_PIXELS)
        return diag_error(diag, "a Radiance picture of %dx%d is too large (at most %d pixels)",
                          h->width, h->height, MAX_PIXELS);
    h->size = r.at;
    return true;
}

uint64_t radiance_decoded_size(Bytes bytes)
{
    Diag quiet = diag_quiet();
    Header h = {0};
    parser_enter("radiance");
    return radiance_is(bytes) && read_header(&h, bytes, &quiet)
               ? (uint64_t)h.width * (uint64_t)h.height * texture_file_pixel_size(PIXEL_FLOAT4)
               : 0;
}

/* One channel of a line, in runs: a count above 128 repeats a byte, others precede literals. */
static bool read_runs(uint8_t *line, int width, Reader *r)
{
    for (int x = 0; x < width;) {
        const int code = read_u8(r), count = code > 128 ? code - 128 : code;
        const uint8_t *bytes = read_bytes(r, code > 128 ? 1 : (size_t)count);
        if (!bytes || !count || count > width - x)
            return false;
        for (int i = 0; i < count; i++)
            line[4 * (x + i)] = bytes[code > 128 ? 0 : i];
        x += count;
    }
    return true;
}

/* Pixels as they are; 1 1 1 n repeats the one before, n times 256 to the number of such codes in a
 * row. */
static bool read_pixels(uint8_t *line, int width, Reader *r)
{
    int shift = 0;
    for (int x = 0; x < width;) {
        const uint8_t *pixel = read_bytes(r, 4);
        if (!pixel)
            return false;
        if (pixel[0] != 1 || pixel[1] != 1 || pixel[2] != 1) {
            memcpy(line + 4 * x++, pixel, 4);
            shift = 0;
            continue;
        }
        const int64_t count = shift < 24 ? (int64_t)pixel[3] << shift : INT32_MAX;
        if (!x || count > width - x)
            return false;
        for (int64_t i = 0; i < count; i++, x++)
            memcpy(line + 4 * x, line + 4 * (x - 1), 4);
        shift += 8;
    }
    return true;
}

static bool read_pixel_line(uint8_t *line, int width, Reader *r)
{
    const uint8_t *mark = reader_left(r) >= 4 ? r->data + r->at : NULL;
    const bool runs = mark && width >= MIN_RUN_WIDTH && width <= MAX_RUN_WIDTH && mark[0] == 2 &&
                      mark[1] == 2 && mark[2] * 256 + mark[3] == width;
    if (!runs)
        return read_pixels(line, width, r);
    read_bytes(r, 4);
    for (int c = 0; c < 4; c++)
        if (!read_runs(line + c, width, r))
            return false;
    return true;
}

/* The mantissas are fractions of 256; Radiance adds a half when it reads them, the pictures of
 * effects are made for readers of Direct3D, which do not. */
static void to_floats(float *out, const uint8_t *line, int width, bool right_to_left)
{
    for (int x = 0; x < width; x++, line += 4) {
        float *pixel = out + 4 * (right_to_left ? width - 1 - x : x);
        for (int c = 0; c < 3; c++)
            pixel[c] = line[3] ? ldexpf(line[c], line[3] - 136) : 0;
        pixel[3] = 1;
    }
}

bool radiance_load(TextureFile *texture, Bytes bytes, Arena *arena, Diag *diag)
{
    Header h = {0};
    parser_enter("radiance");
    if (!radiance_is(bytes))
        return diag_error(diag, "not a Radiance picture");
    if (!read_header(&h, bytes, diag))
        return false;
    Reader r = reader_init(bytes.data, bytes.size);
    read_bytes(&r, h.size);
    float *pixels = arena_calloc(arena, (size_t)h.width * (size_t)h.height, 4 * sizeof *pixels);
    Arena *scratch = arena_create();
    uint8_t *line = arena_alloc(scratch, 4 * (size_t)h.width);
    bool good = true;
    for (int y = 0; good && y < h.height; y++) {
        good = read_pixel_line(line, h.width, &r);
        to_floats(pixels + 4 * (size_t)(h.bottom_up ? h.height - 1 - y : y) * (size_t)h.width, line,
                  h.width, h.right_to_left);
    }
    arena_destroy(scratch);
    *texture = (TextureFile){.width = h.width,
                             .height = h.height,
                             .faces = 1,
                             .levels = 1,
                             .frames = 1,
                             .format = PIXEL_FLOAT4,
                             .pixels = (const uint8_t *)pixels};
    return good || diag_error(diag, "the Radiance picture is damaged or truncated");
}
