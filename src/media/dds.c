// SPDX-License-Identifier: MIT
#include "media/dds.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/parser_entry.h"
#include "base/reader.h"
#include "media/picture.h"

enum { MAX_VOLUME = 2048 }; /* what OpenGL takes on every host */

enum {
    HEADER_SIZE = 128,
    FLAGS_AT = 80,
    EXTENSION_SIZE = 20, /* after the header if the FourCC is "DX10" */
    CAPS2_CUBE = 0x200,
    CAPS2_ALL_FACES = 0xFC00,
    CAPS2_VOLUME = 0x200000,
    MISC_CUBE = 4,
    PIXEL_ALPHA = 0x1,
    PIXEL_ALPHA_ONLY = 0x2,
    PIXEL_FOURCC = 0x4,
    PIXEL_INDEXED = 0x20,
    PIXEL_LUMINANCE = 0x20000,
    BLOCK = 4 /* pixels of a side of a compressed block */
};

#define FOURCC(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

typedef enum Coding {
    CODING_MASKS,  /* integers of `size` bytes */
    CODING_WORDS,  /* 16 bits a channel, 65535 is 1 */
    CODING_HALVES, /* binary16 */
    CODING_FLOATS,
    CODING_BC1, /* all from here on in blocks of 4 x 4 pixels */
    CODING_BC2,
    CODING_BC3,
    CODING_BC4,
    CODING_BC5
} Coding;

typedef struct Format {
    uint32_t code; /* FourCC or D3DFORMAT; DXGI_FORMAT */
    Coding coding;
    uint8_t size;     /* bytes of a pixel or of a block */
    uint8_t channels; /* of words, halves and floats */
    uint32_t masks[4];
} Format;

static const Format BY_FOURCC[] = {
    {FOURCC('D', 'X', 'T', '1'), CODING_BC1, 8, 0, {0}},
    {FOURCC('D', 'X', 'T', '2'), CODING_BC2, 16, 0, {0}},
    {FOURCC('D', 'X', 'T', '3'), CODING_BC2, 16, 0, {0}},
    {FOURCC('D', 'X', 'T', '4'), CODING_BC3, 16, 0, {0}},
    {FOURCC('D', 'X', 'T', '5'), CODING_BC3, 16, 0, {0}},
    {FOURCC('A', 'T', 'I', '1'), CODING_BC4, 8, 0, {0}},
    {FOURCC('B', 'C', '4', 'U'), CODING_BC4, 8, 0, {0}},
    {FOURCC('A', 'T', 'I', '2'), CODING_BC5, 16, 0, {0}},
    {FOURCC('B', 'C', '5', 'U'), CODING_BC5, 16, 0, {0}},
    {36, CODING_WORDS, 8, 4, {0}},    /* D3DFMT_A16B16G16R16 */
    {111, CODING_HALVES, 2, 1, {0}},  /* D3DFMT_R16F */
    {112, CODING_HALVES, 4, 2, {0}},  /* D3DFMT_G16R16F */
    {113, CODING_HALVES, 8, 4, {0}},  /* D3DFMT_A16B16G16R16F */
    {114, CODING_FLOATS, 4, 1, {0}},  /* D3DFMT_R32F */
    {115, CODING_FLOATS, 8, 2, {0}},  /* D3DFMT_G32R32F */
    {116, CODING_FLOATS, 16, 4, {0}}, /* D3DFMT_A32B32G32R32F */
};

static const Format BY_DXGI[] = {
    {2, CODING_FLOATS, 16, 4, {0}},
    {10, CODING_HALVES, 8, 4, {0}},
    {11, CODING_WORDS, 8, 4, {0}},
    {16, CODING_FLOATS, 8, 2, {0}},
    {24, CODING_MASKS, 4, 0, {0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000}},
    {28, CODING_MASKS, 4, 0, {0xFF, 0xFF00, 0xFF0000, 0xFF000000}},
    {29, CODING_MASKS, 4, 0, {0xFF, 0xFF00, 0xFF0000, 0xFF000000}}, /* sRGB, read as stored */
    {34, CODING_HALVES, 4, 2, {0}},
    {35, CODING_WORDS, 4, 2, {0}},
    {41, CODING_FLOATS, 4, 1, {0}},
    {49, CODING_MASKS, 2, 0, {0xFF, 0xFF00, 0, 0}},
    {54, CODING_HALVES, 2, 1, {0}},
    {56, CODING_WORDS, 2, 1, {0}},
    {61, CODING_MASKS, 1, 0, {0xFF, 0, 0, 0}},
    {65, CODING_MASKS, 1, 0, {0, 0, 0, 0xFF}},
    {71, CODING_BC1, 8, 0, {0}},
    {72, CODING_BC1, 8, 0, {0}},
    {74, CODING_BC2, 16, 0, {0}},
    {75, CODING_BC2, 16, 0, {0}},
    {77, CODING_BC3, 16, 0, {0}},
    {78, CODING_BC3, 16, 0, {0}},
    {80, CODING_BC4, 8, 0, {0}},
    {83, CODING_BC5, 16, 0, {0}},
    {85, CODING_MASKS, 2, 0, {0xF800, 0x7E0, 0x1F, 0}},
    {86, CODING_MASKS, 2, 0, {0x7C00, 0x3E0, 0x1F, 0x8000}},
    {87, CODING_MASKS, 4, 0, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}},
    {88, CODING_MASKS, 4, 0, {0xFF0000, 0xFF00, 0xFF, 0}},
    {91, CODING_MASKS, 4, 0, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}},
    {93, CODING_MASKS, 4, 0, {0xFF0000, 0xFF00, 0xFF, 0}},
};

typedef struct Header {
    uint32_t width, height, levels, faces; /* faces: of a cube, or slices of a volume */
    bool is_volume;
    bool is_extended; /* by a DXGI format */
    Format format;
    size_t size; /* of the header, where the first surface begins */
} Header;

bool dds_is(Bytes bytes)
{
    return bytes.size >= 8 && !memcmp(bytes.data, "DDS \x7c\0\0\0", 8);
}

static const Format *find_format(const Format *formats, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count; i++)
        if (formats[i].code == code)
            return &formats[i];
    return NULL;
}

/* The format of a header without FourCC. */
static bool read_masks(Format *format, uint32_t flags, Reader *r, Diag *diag)
{
    const uint32_t bits = read_u32(r);
    *format = (Format){.coding = CODING_MASKS, .size = (uint8_t)(bits / 8)};
    if (flags & PIXEL_INDEXED || (bits != 8 && bits != 16 && bits != 24 && bits != 32))
        return diag_error(diag,
                          "DDS with %" PRIu32 " bits per pixel%s is not supported (8, 16, 24, 32)",
                          bits, flags & PIXEL_INDEXED ? " and a palette" : "");
    for (int c = 0; c < 4; c++)
        format->masks[c] = read_u32(r);
    if (flags & PIXEL_LUMINANCE)
        format->masks[1] = format->masks[2] = format->masks[0];
    if (flags & PIXEL_ALPHA_ONLY)
        format->masks[0] = format->masks[1] = format->masks[2] = 0;
    if (!(flags & (PIXEL_ALPHA | PIXEL_ALPHA_ONLY)))
        format->masks[3] = 0;
    return true;
}

/* The format of the surfaces, and where the first one begins. */
static bool read_format(Header *h, Bytes bytes, Diag *diag)
{
    Reader r = reader_init(bytes.data, bytes.size), extension = r;
    read_bytes(&r, FLAGS_AT);
    read_bytes(&extension, HEADER_SIZE);
    const uint32_t flags = read_u32(&r), code = read_u32(&r), dxgi = read_u32(&extension);
    h->size = HEADER_SIZE;
    if (!(flags & PIXEL_FOURCC))
        return read_masks(&h->format, flags, &r, diag);
    h->is_extended = code == FOURCC('D', 'X', '1', '0');
    const Format *found = h->is_extended
                              ? find_format(BY_DXGI, sizeof BY_DXGI / sizeof *BY_DXGI, dxgi)
                              : find_format(BY_FOURCC, sizeof BY_FOURCC / sizeof *BY_FOURCC, code);
    if (!found && h->is_extended)
        return diag_error(diag, "DDS with the DXGI format %" PRIu32 " is not supported", dxgi);
    if (!found)
        return diag_error(diag, "DDS with the format 0x%08" PRIX32 " is not supported", code);
    h->format = *found;
    h->size += h->is_extended ? EXTENSION_SIZE : 0;
    return true;
}

/* The surfaces by the header's extension. */
static bool read_extension(Header *h, Bytes bytes, Diag *diag)
{
    Reader r = reader_init(bytes.data, bytes.size);
    read_bytes(&r, HEADER_SIZE + 4);
    const uint32_t dimension = read_u32(&r), misc = read_u32(&r), count = read_u32(&r);
    if (r.failed || dimension != 3 || count != 1)
        return diag_error(diag, "DDS is not a plane or a cube");
    h->faces = misc & MISC_CUBE ? 6 : 1;
    return true;
}

static unsigned full_chain(uint32_t width, uint32_t height)
{
    unsigned levels = 1;
    while ((width | height) >> levels)
        levels++;
    return levels;
}

static bool read_header(Header *h, Bytes bytes, Diag *diag)
{
    Reader r = reader_init(bytes.data, bytes.size);
    *h = (Header){.faces = 1};
    if (bytes.size < HEADER_SIZE)
        return diag_error(diag, "DDS is truncated: %zu bytes are no header", bytes.size);
    read_bytes(&r, 12);
    h->height = read_u32(&r);
    h->width = read_u32(&r);
    read_bytes(&r, 4);
    const uint32_t depth = read_u32(&r);
    h->levels = read_u32(&r);
    if (!read_format(h, bytes, diag))
        return false;
    r.at = 112;
    const uint32_t caps2 = read_u32(&r);
    if (caps2 & CAPS2_CUBE && (caps2 & CAPS2_ALL_FACES) != CAPS2_ALL_FACES)
        return diag_error(diag, "DDS is a cube without all faces");
    h->is_volume = caps2 & CAPS2_VOLUME;
    if (h->is_volume &&
        (depth < 1 || depth > MAX_VOLUME || h->width > MAX_VOLUME || h->height > MAX_VOLUME))
        return diag_error(
            diag, "DDS is a volume of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " pixels (1..%d a side)",
            h->width, h->height, depth, MAX_VOLUME);
    if (h->is_volume)
        h->faces = depth;
    else if (caps2 & CAPS2_CUBE)
        h->faces = 6;
    if (h->is_extended && !read_extension(h, bytes, diag))
        return false;
    if (!h->width || !h->height || h->width > IMAGE_MAX_SIDE || h->height > IMAGE_MAX_SIDE ||
        (caps2 & CAPS2_CUBE && h->width != h->height))
        return diag_error(diag, "DDS of %" PRIu32 "x%" PRIu32 " pixels%s is not supported",
                          h->width, h->height, caps2 & CAPS2_CUBE ? " a face" : "");
    const unsigned full = full_chain(h->width, h->height);
    h->levels = h->levels < 1 || h->is_volume ? 1 : h->levels > full ? full : h->levels;
    return true;
}

static bool is_wide(uint32_t mask)
{
    return mask && mask / (mask & -mask) > 255;
}

/* Integers of more than 8 bits a channel keep their precision. */
static PixelFormat pixel_format(const Format *format)
{
    const uint32_t *m = format->masks;
    if (format->coding == CODING_HALVES)
        return PIXEL_HALF4;
    return format->coding == CODING_FLOATS || format->coding == CODING_WORDS || is_wide(m[0]) ||
                   is_wide(m[1]) || is_wide(m[2])
               ? PIXEL_FLOAT4
               : PIXEL_RGBA8;
}

static uint32_t side(uint32_t base, unsigned level)
{
    return base >> level ? base >> level : 1;
}

/* Bytes of one level of one face in the file, and its pixels. */
static uint64_t level_size(const Header *h, unsigned level, uint64_t *pixels)
{
    const uint64_t width = side(h->width, level), height = side(h->height, level);
    *pixels = width * height;
    return h->format.coding >= CODING_BC1
               ? (width + BLOCK - 1) / BLOCK * ((height + BLOCK - 1) / BLOCK) * h->format.size
               : width * height * h->format.size;
}

static uint64_t face_size(const Header *h, uint64_t *pixels)
{
    uint64_t bytes = 0;
    *pixels = 0;
    for (unsigned i = 0; i < h->levels; i++) {
        uint64_t of_level;
        bytes += level_size(h, i, &of_level);
        *pixels += of_level;
    }
    return bytes;
}

uint64_t dds_decoded_size(Bytes bytes)
{
    Diag quiet = diag_quiet();
    Header h;
    uint64_t pixels;
    parser_enter("dds");
    if (!dds_is(bytes) || !read_header(&h, bytes, &quiet))
        return 0;
    face_size(&h, &pixels);
    return pixels * h.faces * texture_file_pixel_size(pixel_format(&h.format));
}

/* ---- blocks ---- */

static void unpack_565(uint8_t out[4], uint32_t color)
{
    const uint32_t r = color >> 11, g = color >> 5 & 63, b = color & 31;
    out[0] = (uint8_t)(r << 3 | r >> 2);
    out[1] = (uint8_t)(g << 2 | g >> 4);
    out[2] = (uint8_t)(b << 3 | b >> 2);
    out[3] = 255;
}

/* with_black: the order of the end points may choose three colors and transparent black. */
static void unpack_colors(uint8_t out[16][4], const uint8_t *in, bool with_black)
{
    uint8_t colors[4][4];
    const uint32_t a = in[0] | (uint32_t)in[1] << 8, b = in[2] | (uint32_t)in[3] << 8;
    const bool four = a > b || !with_black;
    unpack_565(colors[0], a);
    unpack_565(colors[1], b);
    for (int c = 0; c < 3; c++) {
        const int p = colors[0][c], q = colors[1][c];
        colors[2][c] = (uint8_t)(four ? (2 * p + q) / 3 : (p + q) / 2);
        colors[3][c] = (uint8_t)(four ? (p + 2 * q) / 3 : 0);
    }
    colors[2][3] = 255;
    colors[3][3] = four ? 255 : 0;
    for (int i = 0; i < 16; i++)
        memcpy(out[i], colors[in[4 + i / 4] >> i % 4 * 2 & 3], 4);
}

/* The block of one channel: two end points, three bits a pixel. */
static void unpack_channel(uint8_t out[16][4], int channel, const uint8_t *in)
{
    uint8_t values[8] = {in[0], in[1]};
    const int a = in[0], b = in[1], steps = a > b ? 7 : 5;
    for (int i = 1; i < steps; i++)
        values[1 + i] = (uint8_t)((a * (steps - i) + b * i) / steps);
    if (steps == 5)
        values[7] = 255; /* values[6] is 0 */
    uint64_t bits = 0;
    for (int i = 7; i >= 2; i--)
        bits = bits << 8 | in[i];
    for (int i = 0; i < 16; i++, bits >>= 3)
        out[i][channel] = values[bits & 7];
}

static void unpack_block(uint8_t out[16][4], const uint8_t *in, Coding coding)
{
    switch (coding) {
    case CODING_BC1:
        unpack_colors(out, in, true);
        break;
    case CODING_BC2:
        unpack_colors(out, in + 8, false);
        for (int i = 0; i < 16; i++)
            out[i][3] = (uint8_t)((in[i / 2] >> i % 2 * 4 & 15) * 17);
        break;
    case CODING_BC3:
        unpack_colors(out, in + 8, false);
        unpack_channel(out, 3, in);
        break;
    default: /* BC4 is red, BC5 red and green */
        for (int i = 0; i < 16; i++)
            memcpy(out[i], (const uint8_t[]){0, 0, 0, 255}, 4);
        unpack_channel(out, 0, in);
        if (coding == CODING_BC5)
            unpack_channel(out, 1, in + 8);
        break;
    }
}

static void unpack_blocks(uint8_t *out, const uint8_t *in, uint32_t width, uint32_t height,
                          const Format *format)
{
    uint8_t block[16][4];
    for (uint32_t top = 0; top < height; top += BLOCK)
        for (uint32_t left = 0; left < width; left += BLOCK, in += format->size) {
            unpack_block(block, in, format->coding);
            for (uint32_t y = 0; y < BLOCK && top + y < height; y++)
                for (uint32_t x = 0; x < BLOCK && left + x < width; x++)
                    memcpy(out + 4 * ((size_t)(top + y) * width + left + x), block[BLOCK * y + x],
                           4);
        }
}

/* ---- pixels ---- */

/* 0..1 of a channel; one that the format lacks is 0, alpha 1. */
static double channel_value(uint32_t pixel, uint32_t mask, double without)
{
    if (!mask)
        return without;
    const uint32_t unit = mask & -mask, value = (pixel & mask) / unit, most = mask / unit;
    return (double)value / most;
}

static void unpack_masks(void *out, PixelFormat format, const uint8_t *in, size_t count,
                         const Format *from)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel = 0;
        for (size_t k = from->size; k-- > 0;)
            pixel = pixel << 8 | in[i * from->size + k];
        for (size_t c = 0; c < 4; c++) {
            const double value = channel_value(pixel, from->masks[c], c == 3);
            if (format == PIXEL_RGBA8)
                ((uint8_t *)out)[4 * i + c] = (uint8_t)(value * 255 + 0.5);
            else
                ((float *)out)[4 * i + c] = (float)value;
        }
    }
}

/* Channels that the format lacks are 1, as in Direct3D 9. */
static void unpack_channels(void *out, const uint8_t *in, size_t count, const Format *from)
{
    enum { HALF_ONE = 0x3C00 };
    Reader r = reader_init(in, count * from->size);
    for (size_t i = 0; i < 4 * count; i++) {
        const bool stored = i % 4 < from->channels;
        if (from->coding == CODING_HALVES)
            ((uint16_t *)out)[i] = stored ? read_u16(&r) : HALF_ONE;
        else if (from->coding == CODING_FLOATS)
            ((float *)out)[i] = stored ? read_f32(&r) : 1;
        else
            ((float *)out)[i] = stored ? (float)read_u16(&r) / 65535 : 1;
    }
}

/* Pixels that are not compressed. */
static void unpack_numbers(void *out, PixelFormat format, const uint8_t *in, size_t count,
                           const Format *from)
{
    if (from->coding == CODING_MASKS)
        unpack_masks(out, format, in, count, from);
    else
        unpack_channels(out, in, count, from);
}

bool dds_load(TextureFile *texture, Bytes bytes, Arena *arena, Diag *diag)
{
    Header h;
    uint64_t pixels;
    parser_enter("dds");
    if (!dds_is(bytes) || !read_header(&h, bytes, diag))
        return diag_error(diag, "not a DDS file");
    const uint64_t size = face_size(&h, &pixels) * h.faces;
    if (size > bytes.size - h.size || bytes.size < h.size)
        return diag_error(diag, "DDS is truncated: %zu bytes cannot hold %" PRIu64 " pixels",
                          bytes.size, pixels * h.faces);
    const PixelFormat format = pixel_format(&h.format);
    const size_t pixel_size = texture_file_pixel_size(format);
    uint8_t *out = arena_calloc(arena, (size_t)pixels * h.faces, pixel_size);
    *texture =
        (TextureFile){.width = (int)h.width,
                      .height = (int)h.height,
                      .faces = h.is_volume ? 1 : (int)h.faces,
                      .depth = h.is_volume ? (int)h.faces : 0,
                      .levels = (int)h.levels,
                      .frames = 1,
                      .format = format,
                      .has_alpha = h.format.masks[3] || h.format.channels == 4 ||
                                   (h.format.coding >= CODING_BC1 && h.format.coding <= CODING_BC3),
                      .pixels = out};
    const uint8_t *in = bytes.data + h.size;
    for (unsigned i = 0; i < h.faces * h.levels; i++) {
        const unsigned level = i % h.levels;
        uint64_t count;
        const uint64_t stored = level_size(&h, level, &count);
        if (h.format.coding >= CODING_BC1)
            unpack_blocks(out, in, side(h.width, level), side(h.height, level), &h.format);
        else
            unpack_numbers(out, format, in, (size_t)count, &h.format);
        in += stored;
        out += count * pixel_size;
    }
    return true;
}

/* ---- the first surface as an image ---- */

bool dds_has_numbers(Bytes bytes)
{
    Diag quiet = diag_quiet();
    Header h = {0};
    Reader r = reader_init(bytes.data, bytes.size);
    read_bytes(&r, FLAGS_AT);
    const uint32_t flags = read_u32(&r);
    if (!dds_is(bytes) || !(flags & PIXEL_FOURCC))
        return dds_is(bytes) && !(flags & PIXEL_INDEXED);
    return read_format(&h, bytes, &quiet) && h.format.channels == 4 &&
           (h.format.coding == CODING_HALVES || h.format.coding == CODING_FLOATS);
}

/* Clamped to 0..1; NaN is 0.  In double the product is exact. */
static uint8_t to_byte(float value)
{
    return value >= 1 ? 255 : value > 0 ? (uint8_t)lround((double)value * 255) : 0;
}

static float number_at(const void *numbers, PixelFormat format, size_t i)
{
    return format == PIXEL_HALF4 ? picture_half(((const uint16_t *)numbers)[i])
                                 : ((const float *)numbers)[i];
}

bool dds_load_image(Image *image, Bytes bytes, Diag *diag)
{
    enum { AT_ONCE = 64 };
    float numbers[4 * AT_ONCE]; /* also for halves */
    Header h = {0};
    const size_t count = (size_t)image->width * (size_t)image->height;
    if (!read_format(&h, bytes, diag))
        return false;
    if (bytes.size < h.size || count * h.format.size > bytes.size - h.size)
        return diag_error(diag, "DDS is truncated: %zu bytes cannot hold %zu pixels", bytes.size,
                          count);
    const PixelFormat format = pixel_format(&h.format);
    const uint8_t *in = bytes.data + h.size;
    for (size_t at = 0; at < count; at += AT_ONCE) {
        const size_t part = count - at < AT_ONCE ? count - at : AT_ONCE;
        uint8_t *out = image->pixels + 4 * at;
        const bool bytes_already = format == PIXEL_RGBA8;
        unpack_numbers(bytes_already ? (void *)out : numbers, format, in + at * h.format.size, part,
                       &h.format);
        for (size_t i = 0; !bytes_already && i < 4 * part; i++)
            out[i] = to_byte(number_at(numbers, format, i));
    }
    return true;
}
