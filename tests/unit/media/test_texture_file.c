// SPDX-License-Identifier: MIT
#include "media/texture_file.h"

#include <math.h>
#include <string.h>

#include "byte_list.h"
#include "diag_log.h"
#include "media/animation.h"
#include "media/dds.h"
#include "scratch.h"
#include "shared_data.h"
#include "tiny_picture.h"
#include "unit_test.h"

enum { CUBE = 0xFE00, VOLUME = 0x200000, FOURCC_FLAG = 4 };

typedef struct Header {
    uint32_t width, height, depth, levels, flags, bits, masks[4], caps2;
    const char *four; /* NULL: none */
    uint32_t dxgi, misc, count;
} Header;

static void put_header(ByteList *b, const Header *h)
{
    b->size = 0;
    bytes_text(b, "DDS ", 4);
    bytes_u32(b, 124);
    bytes_u32(b, 0x1007);
    bytes_u32(b, h->height);
    bytes_u32(b, h->width);
    bytes_zeros(b, 4);
    bytes_u32(b, h->depth);
    bytes_u32(b, h->levels);
    bytes_zeros(b, 44);
    bytes_u32(b, 32);
    bytes_u32(b, h->flags);
    bytes_text(b, h->four ? h->four : "\0\0\0", 4);
    bytes_u32(b, h->bits);
    for (int i = 0; i < 4; i++)
        bytes_u32(b, h->masks[i]);
    bytes_u32(b, 0x1000);
    bytes_u32(b, h->caps2);
    bytes_zeros(b, 12);
    if (h->four && !memcmp(h->four, "DX10", 4)) {
        bytes_u32(b, h->dxgi);
        bytes_u32(b, 3);
        bytes_u32(b, h->misc);
        bytes_u32(b, h->count);
        bytes_u32(b, 0);
    }
}

static TextureFile load(Bytes bytes, Arena *arena)
{
    DiagLog log;
    TextureFile texture;
    diag_log_init(&log);
    if (!texture_file_load(&texture, bytes, arena, &log.diag))
        fail_msg("reported '%s'", log.text);
    uint64_t size = 0;
    for (int i = 0; i < texture.levels; i++)
        size += (uint64_t)(texture.width >> i ? texture.width >> i : 1) *
                (uint64_t)(texture.height >> i ? texture.height >> i : 1);
    assert_int_equal(texture_file_decoded_size(bytes),
                     size * (uint64_t)texture.faces * texture_file_pixel_size(texture.format));
    return texture;
}

static void expect_refused(Bytes bytes, const char *expected)
{
    Arena *arena = arena_create();
    DiagLog log;
    TextureFile texture;
    diag_log_init(&log);
    if (texture_file_load(&texture, bytes, arena, &log.diag) || !strstr(log.text, expected) ||
        log.diag.kind != DIAG_DATA)
        fail_msg("reported '%s', not '%s'", log.text, expected);
    arena_destroy(arena);
}

static Bytes bytes_of(const ByteList *b)
{
    return (Bytes){b->data, b->size};
}

/* ---- one pixel of each format ---- */

static void test_integers(void **state)
{
    static const struct {
        const char *what;
        Header header;
        uint32_t pixel;
        uint8_t expected[4];
        bool alpha;
    } rows[] = {
        {"A8R8G8B8",
         {.flags = 0x41, .bits = 32, .masks = {0xFF0000, 0xFF00, 0xFF, 0xFF000000}},
         0x04010203,
         {1, 2, 3, 4},
         true},
        {"X8R8G8B8 ignores the mask of alpha",
         {.flags = 0x40, .bits = 32, .masks = {0xFF0000, 0xFF00, 0xFF, 0xFF000000}},
         0x04010203,
         {1, 2, 3, 255},
         false},
        {"R5G6B5",
         {.flags = 0x40, .bits = 16, .masks = {0xF800, 0x7E0, 0x1F, 0}},
         0x8 << 11 | 0x20 << 5 | 31,
         {66, 130, 255, 255},
         false},
        {"L8", {.flags = 0x20000, .bits = 8, .masks = {0xFF}}, 77, {77, 77, 77, 255}, false},
        {"A8L8",
         {.flags = 0x20001, .bits = 16, .masks = {0xFF, 0, 0, 0xFF00}},
         0x054D,
         {77, 77, 77, 5},
         true},
        {"A8", {.flags = 0x2, .bits = 8, .masks = {0, 0, 0, 0xFF}}, 9, {0, 0, 0, 9}, true},
        {"DXGI B8G8R8A8",
         {.flags = FOURCC_FLAG, .four = "DX10", .dxgi = 87, .count = 1, .bits = 32},
         0x04010203,
         {1, 2, 3, 4},
         true},
        {"DXGI R8",
         {.flags = FOURCC_FLAG, .four = "DX10", .dxgi = 61, .count = 1, .bits = 8},
         200,
         {200, 0, 0, 255},
         false},
    };
    Arena *arena = arena_create();
    ByteList *b = arena_array(arena, ByteList, 1);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Header header = rows[i].header;
        header.width = header.height = 1;
        put_header(b, &header);
        for (uint32_t k = 0; k < header.bits / 8; k++)
            bytes_u8(b, rows[i].pixel >> 8 * k & 255);
        const TextureFile texture = load(bytes_of(b), arena);
        if (texture.format != PIXEL_RGBA8 || texture.has_alpha != rows[i].alpha ||
            memcmp(texture.pixels, rows[i].expected, 4) != 0)
            fail_msg("%s: %d %d %d %d", rows[i].what, texture.pixels[0], texture.pixels[1],
                     texture.pixels[2], texture.pixels[3]);
    }
    arena_destroy(arena);
}

static void test_wide_numbers(void **state)
{
    static const struct {
        const char *what;
        Header header;
        uint8_t data[16];
        PixelFormat format;
        float expected[4]; /* a half is its bits */
    } rows[] = {
        {"R16F: what is absent is 1",
         {.flags = FOURCC_FLAG, .four = "\x6F\0\0\0"},
         {0x00, 0x40},
         PIXEL_HALF4,
         {0x4000, 0x3C00, 0x3C00, 0x3C00}},
        {"A16B16G16R16F",
         {.flags = FOURCC_FLAG, .four = "\x71\0\0\0"},
         {1, 0, 2, 0, 3, 0, 4, 0},
         PIXEL_HALF4,
         {1, 2, 3, 4}},
        {"G32R32F",
         {.flags = FOURCC_FLAG, .four = "\x73\0\0\0"},
         {0, 0, 0x80, 0x3E, 0, 0, 0, 0xC0},
         PIXEL_FLOAT4,
         {0.25f, -2, 1, 1}},
        {"A16B16G16R16",
         {.flags = FOURCC_FLAG, .four = "\x24\0\0\0"},
         {0xFF, 0xFF, 0, 0, 0x33, 0x33, 0xFF, 0xFF},
         PIXEL_FLOAT4,
         {1, 0, 0.2f, 1}},
        {"L16",
         {.flags = 0x20000, .bits = 16, .masks = {0xFFFF}},
         {0x33, 0x33},
         PIXEL_FLOAT4,
         {0.2f, 0.2f, 0.2f, 1}},
        {"DXGI R10G10B10A2",
         {.flags = FOURCC_FLAG, .four = "DX10", .dxgi = 24, .count = 1},
         {0xFF, 0x03, 0, 0xC0},
         PIXEL_FLOAT4,
         {1, 0, 0, 1}},
    };
    Arena *arena = arena_create();
    ByteList *b = arena_array(arena, ByteList, 1);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Header header = rows[i].header;
        header.width = header.height = 1;
        put_header(b, &header);
        for (size_t k = 0; k < sizeof rows[i].data; k++)
            bytes_u8(b, rows[i].data[k]);
        const TextureFile texture = load(bytes_of(b), arena);
        assert_int_equal(texture.format, rows[i].format);
        for (size_t k = 0; k < 4; k++) {
            const float value = texture.format == PIXEL_HALF4
                                    ? (float)((const uint16_t *)(const void *)texture.pixels)[k]
                                    : ((const float *)(const void *)texture.pixels)[k];
            if (fabsf(value - rows[i].expected[k]) > 1e-7f)
                fail_msg("%s: channel %zu is %g", rows[i].what, k, (double)value);
        }
    }
    arena_destroy(arena);
}

/* ---- blocks ---- */

static void test_blocks(void **state)
{
    /* Colors: red and blue at the ends; the first pixels have the numbers 0 1 2 3. */
    static const uint8_t red_blue[8] = {0x00, 0xF8, 0x1F, 0x00, 0xE4, 0, 0, 0};
    static const uint8_t blue_red[8] = {0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0};
    static const struct {
        const char *four;
        uint8_t first[8];
        const uint8_t *second; /* NULL: `first` is the block */
        uint8_t expected[16];
    } rows[] = {
        {"DXT3",
         {0x50, 0xFA, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
         red_blue,
         {255, 0, 0, 0, 0, 0, 255, 85, 170, 0, 85, 170, 85, 0, 170, 255}},
        {"DXT3", /* never three colors */
         {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
         blue_red,
         {0, 0, 255, 255, 255, 0, 0, 255, 85, 0, 170, 255, 170, 0, 85, 255}},
        {"DXT5",
         {240, 30, 0x88, 0x0E, 0, 0, 0, 0},
         red_blue,
         {255, 0, 0, 240, 0, 0, 255, 30, 170, 0, 85, 210, 85, 0, 170, 60}},
        {"DXT5", /* the smaller end first: 0 and 255 are numbers 6 and 7 */
         {30, 240, 0x80, 0x0F, 0, 0, 0, 0},
         red_blue,
         {255, 0, 0, 30, 0, 0, 255, 30, 170, 0, 85, 0, 85, 0, 170, 255}},
        {"DXT1",
         {0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0},
         NULL,
         {0, 0, 255, 255, 255, 0, 0, 255, 127, 0, 127, 255, 0, 0, 0, 0}},
        {"ATI1",
         {240, 30, 0x88, 0x0E, 0, 0, 0, 0},
         NULL,
         {240, 0, 0, 255, 30, 0, 0, 255, 210, 0, 0, 255, 60, 0, 0, 255}},
    };
    Arena *arena = arena_create();
    ByteList *b = arena_array(arena, ByteList, 1);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_header(b,
                   &(Header){.width = 4, .height = 1, .flags = FOURCC_FLAG, .four = rows[i].four});
        for (size_t k = 0; k < 16 && (k < 8 || rows[i].second); k++)
            bytes_u8(b, k < 8 ? rows[i].first[k] : rows[i].second[k - 8]);
        const TextureFile texture = load(bytes_of(b), arena);
        for (size_t k = 0; k < 16; k++)
            if (texture.pixels[k] != rows[i].expected[k])
                fail_msg("row %zu, %s: byte %zu is %d, not %d", i, rows[i].four, k,
                         texture.pixels[k], rows[i].expected[k]);
    }
    arena_destroy(arena);
}

/* ---- levels and faces ---- */

static void test_cube_with_levels(void **state)
{
    Arena *arena = arena_create();
    ByteList *b = arena_array(arena, ByteList, 1);
    (void)state;
    const Header header = {.width = 2,
                           .height = 2,
                           .levels = 9, /* the chain has two */
                           .flags = 0x20000,
                           .bits = 8,
                           .masks = {0xFF},
                           .caps2 = CUBE};
    put_header(b, &header);
    for (unsigned i = 0; i < 6 * 5; i++)
        bytes_u8(b, i);
    const TextureFile texture = load(bytes_of(b), arena);
    assert_int_equal(texture.faces, 6);
    assert_int_equal(texture.levels, 2);
    for (unsigned i = 0; i < 6 * 5; i++)
        assert_int_equal(texture.pixels[4 * i + 1], i);
    b->size--;
    expect_refused(bytes_of(b), "DDS is truncated: 157 bytes cannot hold 30 pixels");
    arena_destroy(arena);
}

/* The first level of a volume: 2 x 1 x 3 pixels of luminance, in a file with two levels. */
static void test_volume(void **state)
{
    Arena *arena = arena_create();
    ByteList *b = arena_array(arena, ByteList, 1);
    (void)state;
    put_header(b, &(Header){.width = 2,
                            .height = 1,
                            .depth = 3,
                            .levels = 2,
                            .flags = 0x20000,
                            .bits = 8,
                            .masks = {0xFF},
                            .caps2 = VOLUME});
    for (uint8_t i = 0; i < 7; i++)
        bytes_text(b, (const char *)&(char){(char)(10 * i)}, 1);
    TextureFile texture;
    Diag diag = diag_quiet();
    assert_true(texture_file_load(&texture, bytes_of(b), arena, &diag));
    assert_int_equal(texture.depth, 3);
    assert_int_equal(texture.faces, 1);
    assert_int_equal(texture.levels, 1);
    for (int i = 0; i < 6; i++)
        assert_int_equal(texture.pixels[4 * i], 10 * i);
    assert_int_equal(texture_file_decoded_size(bytes_of(b)), 24);
    arena_destroy(arena);
}

static void test_refused_dds(void **state)
{
    static const struct {
        Header header;
        const char *expected;
    } rows[] = {
        {{.width = 1, .height = 1, .flags = FOURCC_FLAG, .four = "UYVY"}, "0x59565955"},
        {{.width = 1, .height = 1, .flags = FOURCC_FLAG, .four = "DX10", .dxgi = 99, .count = 1},
         "DXGI format 99"},
        {{.width = 1, .height = 1, .flags = FOURCC_FLAG, .four = "DX10", .dxgi = 2, .count = 2},
         "not a plane or a cube"},
        {{.width = 1, .height = 1, .flags = 0x20, .bits = 8}, "a palette"},
        {{.width = 1, .height = 1, .flags = 0x40, .bits = 12}, "12 bits per pixel"},
        {{.width = 1, .height = 1, .flags = 0x20000, .bits = 8, .caps2 = VOLUME},
         "is a volume of 1x1x0 pixels (1..2048 a side)"},
        {{.width = 1, .height = 1, .depth = 99, .flags = 0x20000, .bits = 8, .caps2 = VOLUME},
         "144 bytes cannot hold 99 pixels"},
        {{.width = 1, .height = 1, .depth = 4096, .flags = 0x20000, .bits = 8, .caps2 = VOLUME},
         "is a volume of 1x1x4096 pixels"},
        {{.width = 1, .height = 1, .flags = 0x20000, .bits = 8, .caps2 = 0x600},
         "without all faces"},
        {{.width = 0, .height = 1, .flags = 0x20000, .bits = 8}, "0x1 pixels"},
        {{.width = 20000, .height = 1, .flags = 0x20000, .bits = 8}, "20000x1 pixels"},
        {{.width = 2, .height = 1, .flags = 0x20000, .bits = 8, .caps2 = CUBE}, "a face"},
        {{.width = 16384, .height = 16384, .flags = 0x20000, .bits = 8}, "cannot hold"},
    };
    Arena *arena = arena_create();
    ByteList *b = arena_array(arena, ByteList, 1);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_header(b, &rows[i].header);
        bytes_zeros(b, 16);
        expect_refused(bytes_of(b), rows[i].expected);
    }
    put_header(
        b,
        &(Header){
            .width = 1, .height = 1, .flags = FOURCC_FLAG, .four = "DX10", .dxgi = 2, .count = 1});
    b->size -= 4; /* inside the second header */
    expect_refused(bytes_of(b), "cannot hold 1 pixels");
    arena_destroy(arena);
}

/* ---- Radiance ---- */

static Bytes text_bytes(const char *text, size_t size)
{
    return (Bytes){(const uint8_t *)text, size};
}

#define BYTES(text) text_bytes("" text, sizeof text - 1)
#define HEAD "#?RADIANCE\n# made by hand\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=2\n\n"

static void expect_floats(Bytes bytes, const float *expected, size_t count)
{
    Arena *arena = arena_create();
    const TextureFile texture = load(bytes, arena);
    const float *pixels = (const float *)(const void *)texture.pixels;
    assert_int_equal(texture.format, PIXEL_FLOAT4);
    assert_int_equal((size_t)texture.width * (size_t)texture.height, count);
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 4; c++)
            if (pixels[4 * i + c] != (c == 3 ? 1 : expected[3 * i + c]))
                fail_msg("pixel %zu, channel %zu: %g", i, c, (double)pixels[4 * i + c]);
    arena_destroy(arena);
}

static void test_radiance(void **state)
{
    (void)state;
    /* 128 * 2^(129 - 136) is 1; exponent 0 is black. */
    expect_floats(BYTES(HEAD "-Y 2 +X 1\n\x80\x40\x00\x81\x09\x09\x09\x00"),
                  (const float[]){1, 0.5f, 0, 0, 0, 0}, 2);
    expect_floats(BYTES("#?RGBE\r\n\r\n+Y 2 +X 1\r\n\x80\x40\x00\x81\x09\x09\x09\x00"),
                  (const float[]){0, 0, 0, 1, 0.5f, 0}, 2);
    expect_floats(BYTES(HEAD "-Y 1 -X 2\n\x80\x40\x00\x81\x80\x80\x80\x80"),
                  (const float[]){0.5f, 0.5f, 0.5f, 1, 0.5f, 0}, 2);
    /* The old repetition: the pixel before, three times. */
    expect_floats(BYTES(HEAD "-Y 1 +X 4\n\x80\x80\x80\x81\x01\x01\x01\x03"),
                  (const float[]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 4);
    /* Channels one after the other: a run of 8; 7 literals and one; runs of 8. */
    expect_floats(BYTES(HEAD "-Y 1 +X 8\n\x02\x02\x00\x08\x88\x80\x07\x00\x10\x20\x30\x40\x50\x60"
                             "\x81\x70\x88\x00\x88\x81"),
                  (const float[]){1, 0,    0, 1, 0.125f, 0, 1, 0.25f, 0, 1, 0.375f, 0,
                                  1, 0.5f, 0, 1, 0.625f, 0, 1, 0.75f, 0, 1, 0.875f, 0},
                  8);
}

static void test_refused_radiance(void **state)
{
    static const char damaged[] = "the Radiance picture is damaged or truncated";
    (void)state;
    expect_refused(BYTES(HEAD "-Y 1 +X 2\n\x80\x40\x00\x81\x09"), damaged);
    expect_refused(BYTES(HEAD "-Y 1 +X 2\n\x01\x01\x01\x02"), damaged); /* nothing before */
    expect_refused(BYTES(HEAD "-Y 1 +X 2\n\x80\x40\x00\x81\x01\x01\x01\x02"), damaged);
    expect_refused(BYTES(HEAD "-Y 1 +X 8\n\x02\x02\x00\x08\x89\x80"), damaged);
    expect_refused(BYTES(HEAD "-Y 1 +X 8\n\x02\x02\x00\x08\x00\x80"), damaged);
    expect_refused(BYTES(HEAD "+X 2 -Y 1\n"), "has X before Y");
    expect_refused(BYTES(HEAD "-Y 0 +X 1\n"), "the size");
    expect_refused(BYTES(HEAD "-Y 99999 +X 1\n"), "too large");
    expect_refused(BYTES(HEAD "-Y 16384 +X 16384\n"), "too large");
    expect_refused(BYTES("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n\1\1\1\1"),
                   "'FORMAT=32-bit_rle_xyze' is not supported");
    expect_refused(BYTES("#?RADIANCE\nno end"), "the header");
}

/* ---- animations ---- */

static void test_gif(void **state)
{
    /* Two frames of 2 x 1, for 0.2 s and, without a duration, 0.1 s; colors 9 9 9 and 4 5 6. */
    static const uint8_t gif[] = "GIF89a\2\0\1\0\x80\0\0\11\11\11\4\5\6"
                                 "\x21\xF9\4\0\x14\0\0\0\x2C\0\0\0\0\2\0\1\0\0\2\2\x44\x0A\0"
                                 "\x21\xF9\4\0\0\0\0\0\x2C\0\0\0\0\2\0\1\0\0\2\2\x0C\x0A\0;";
    Scratch scratch;
    DiagLog log;
    TextureFile texture;
    bool animated;
    Arena *arena = arena_create();
    (void)state;
    diag_log_init(&log);
    scratch_make(&scratch);
    const char *path = arena_strdup(arena, scratch_path(&scratch, "a.gif"));
    assert_true(file_save(path, gif, sizeof gif - 1, &log.diag));
    assert_true(animation_load(&texture, &animated, path, 16, arena, &log.diag));
    assert_true(animated);
    assert_int_equal(texture.frames, 2);
    assert_int_equal(texture.width, 2);
    assert_int_equal(texture.height, 1);
    assert_true(fabs(texture.frame_ends[0] - 0.2) < 1e-9);
    assert_true(fabs(texture.frame_ends[1] - 0.3) < 1e-9);
    assert_memory_equal(texture.pixels + 8, ((const uint8_t[]){4, 5, 6, 255, 9, 9, 9, 255}), 8);
    assert_false(animation_load(&texture, &animated, path, 15, arena, &log.diag));
    assert_int_equal(log.diag.kind, DIAG_RESOURCE);
    diag_log_init(&log);
    assert_true(file_save(path, "no picture", 10, &log.diag));
    assert_true(animation_load(&texture, &animated, path, 16, arena, &log.diag));
    assert_false(animated);
    scratch_remove(&scratch);
    arena_destroy(arena);
}

/* ---- real files ---- */

static void test_real_files(void **state)
{
    static const struct {
        const char *file;
        int width, height;
        PixelFormat format;
    } rows[] = {
        {"effects/SMAA/Textures/smaa_area.dds", 160, 560, PIXEL_RGBA8},
        {"effects/SMAA/Textures/smaa_search.dds", 64, 16, PIXEL_RGBA8},
        {"effects/ray-mmd/Shader/textures/ltc_1.dds", 64, 64, PIXEL_HALF4},
        {"effects/ray-mmd/Shader/textures/BRDF.hdr", 256, 256, PIXEL_FLOAT4},
        {"effects/ray-mmd/Shader/textures/BRDF.tga", 256, 256, PIXEL_RGBA8},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bytes bytes;
        if (!shared_data_load(&bytes, rows[i].file, arena)) {
            arena_destroy(arena);
            skip();
        }
        const TextureFile texture = load(bytes, arena);
        assert_int_equal(texture.width, rows[i].width);
        assert_int_equal(texture.height, rows[i].height);
        assert_int_equal(texture.format, rows[i].format);
    }
    arena_destroy(arena);
}

/* Halves 0x3800, 0x3c00, 0xc000 and 0x7bff are 0.5, 1, -2 and 65504. */
static void test_texels(void **state)
{
    static const uint8_t bytes[2][4] = {{0, 51, 102, 255}, {255, 153, 0, 0}};
    static const uint16_t halves[4] = {0x3800, 0x3c00, 0xc000, 0x7bff};
    static const float floats[4] = {0.25f, -1, 1e6f, 0};
    static const struct {
        PixelFormat format;
        int width;
        const void *pixels;
        float expected[2][4];
    } rows[] = {{PIXEL_RGBA8, 2, bytes, {{0, 0.2f, 0.4f, 1}, {1, 0.6f, 0, 0}}},
                {PIXEL_HALF4, 1, halves, {{0.5f, 1, -2, 65504}}},
                {PIXEL_FLOAT4, 1, floats, {{0.25f, -1, 1e6f, 0}}}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const TextureFile texture = {.width = rows[i].width,
                                     .height = 1,
                                     .format = rows[i].format,
                                     .pixels = rows[i].pixels};
        float texels[2][4];
        texture_file_texels(texels, 2, &texture);
        assert_memory_equal(texels, rows[i].expected, sizeof texels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers), cmocka_unit_test(test_wide_numbers),
        cmocka_unit_test(test_blocks),   cmocka_unit_test(test_cube_with_levels),
        cmocka_unit_test(test_volume),   cmocka_unit_test(test_refused_dds),
        cmocka_unit_test(test_radiance), cmocka_unit_test(test_refused_radiance),
        cmocka_unit_test(test_gif),      cmocka_unit_test(test_real_files),
        cmocka_unit_test(test_texels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
