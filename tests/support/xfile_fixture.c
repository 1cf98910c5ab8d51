// SPDX-License-Identifier: MIT
#include "xfile_fixture.h"

#include <assert.h>
#include <string.h>

#include <zlib.h>

const char xfile_fixture_text[] =
    "xof 0302txt 0064\r\n"
    "template Thing {\r\n <3D82AB43-62DA-11cf-AB39-0020AF71E433>\r\n DWORD n;\r\n"
    " array FLOAT f[n]; [...]\r\n}\r\n"
    "Header { 1; 0; 1; }\r\n"
    "Material red { 1.0;0.25;0.25;1.0;; 5.0; 0.5;0.5;0.5;; 0.125;0.0;0.0;;\r\n"
    "  TextureFilename { \"tex\\\\\x83\\.bmp*\x83\x7B.spa\"; } }\r\n" /* ソ, ボ: 5C and 7B inside */
    "// a comment with a { brace\r\n"
    "Frame \x83{one {\r\n" /* ボone */
    "  FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1;; }\r\n"
    "  Frame 2nd {\r\n"
    "    FrameTransformMatrix { 2,0,0,0, 0,1,0,0, 0,0,1,0, 1,0,0,1;; }\r\n"
    "    Mesh square {\r\n"
    "      5;\r\n"
    "      0.0;0.0;0.0;, 0.0;1.0;0.0;, 1.0;1.0;0.0;, 1.0;0.0;0.0;, 9;9;9;;\r\n"
    "      2;\r\n"
    "      3;0,1,2;,\r\n"
    "      4;0,1,2,3;;\r\n"
    "      Unknown block { 1; { 2; } \"}\"; }\r\n"
    "      VertexDuplicationIndices { 5; 5; 0,1,2,3,4; }\r\n"
    "      MeshMaterialList {\r\n"
    "        2; 2; 1, 0;;\r\n"
    "        { red }\r\n"
    "        Material { 0.5;0.5;0.5;0.5;; 0.0; 0;0;0;; 0;0;0;; }\r\n"
    "      }\r\n"
    "      MeshNormals {\r\n"
    "        2; 0.0;0.0;-1.0;, 3.0;0.0;-4.0;;\r\n"
    "        2; 3;0,0,0;, 4;1,0,0,0;;\r\n"
    "      }\r\n"
    "      MeshTextureCoords { 4; 0.0;1.0;, 0.0;0.0;, 1.0;0.0;, 1.0;1.0;; }\r\n"
    "    }\r\n"
    "  }\r\n"
    "}\r\n"
    "Mesh { # without anything\r\n"
    "  3; 0;0;0;, 0;1;0;, 1;0;0;; 1; 3;0,1,2;;\r\n"
    "}\r\n"
    "AnimationSet { Animation { AnimationKey { 0; 1; 0; 4; 1,0,0,0;;; } } }\r\n";

enum { NAME = 1, STRING = 2, INTEGERS = 6, FLOATS = 7, OPEN = 10, CLOSE = 11, SEMICOLON = 20 };

void xfile_header(ByteList *b, const char *kind, bool wide)
{
    bytes_text(b, "xof 0303", 8);
    bytes_text(b, kind, 4);
    bytes_text(b, wide ? "0064" : "0032", 4);
}

void xfile_name(ByteList *b, const char *name)
{
    bytes_u16(b, NAME);
    bytes_sized_text(b, name);
}

void xfile_open(ByteList *b, const char *type)
{
    xfile_name(b, type);
    bytes_u16(b, OPEN);
}

void xfile_close(ByteList *b)
{
    bytes_u16(b, CLOSE);
}

void xfile_string(ByteList *b, const char *text)
{
    bytes_u16(b, STRING);
    bytes_sized_text(b, text);
    bytes_u16(b, SEMICOLON);
}

void xfile_integers(ByteList *b, const uint32_t *values, uint32_t count)
{
    bytes_u16(b, INTEGERS);
    bytes_u32(b, count);
    for (uint32_t i = 0; i < count; i++)
        bytes_u32(b, values[i]);
}

void xfile_floats(ByteList *b, const float *values, uint32_t count, bool wide)
{
    bytes_u16(b, FLOATS);
    bytes_u32(b, count);
    for (uint32_t i = 0; i < count; i++) {
        const double value = (double)values[i];
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        if (wide) {
            bytes_u32(b, (uint32_t)bits);
            bytes_u32(b, (uint32_t)(bits >> 32));
        } else {
            bytes_f32(b, values[i]);
        }
    }
}

/* template T { <GUID> FLOAT x; } */
static void write_template(ByteList *b)
{
    enum { TEMPLATE = 31, GUID = 5, FLOAT = 42 };
    bytes_u16(b, TEMPLATE);
    xfile_open(b, "T");
    bytes_u16(b, GUID);
    bytes_zeros(b, 16);
    bytes_u16(b, FLOAT);
    xfile_name(b, "x");
    bytes_u16(b, SEMICOLON);
    xfile_close(b);
}

void xfile_fixture_binary(ByteList *b, bool wide)
{
    static const float positions[] = {-1, 0, 0, -1, 2, 0, 1, 2, 0, 1, 0, 0};
    static const float uvs[] = {0, 1, 0, 0, 1, 0, 1, 1};
    static const float material[] = {0.5f, 0.25f, 1, 1, 10, 0.5f, 0.5f, 0.5f, 0, 0.125f, 0};

    xfile_header(b, "bin ", wide);
    write_template(b);
    xfile_open(b, "Mesh");
    xfile_integers(b, (const uint32_t[]){4}, 1);
    xfile_floats(b, positions, 12, wide);
    xfile_integers(b, (const uint32_t[]){1, 4, 0, 1, 2, 3}, 6);
    xfile_open(b, "MeshTextureCoords");
    xfile_integers(b, (const uint32_t[]){4}, 1);
    xfile_floats(b, uvs, 8, wide);
    xfile_close(b);
    xfile_open(b, "MeshMaterialList");
    xfile_integers(b, (const uint32_t[]){1, 1, 0}, 3);
    xfile_open(b, "Material");
    xfile_floats(b, material, 11, wide);
    xfile_open(b, "TextureFilename");
    xfile_string(b, "a.png");
    xfile_close(b);
    xfile_close(b);
    xfile_close(b);
    xfile_close(b);
}

static size_t deflate_block(uint8_t *out, size_t room, Bytes file, size_t from, size_t size)
{
    z_stream stream = {0};
    const size_t window = from - 16 < 32768 ? from - 16 : 32768;
    const int ready = deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    assert(ready == Z_OK);
    (void)ready;
    if (window)
        deflateSetDictionary(&stream, file.data + from - window, (uInt)window);
    uint8_t *copy = (uint8_t *)(uintptr_t)(file.data + from); /* zlib only reads it */
    stream.next_in = copy;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    const int end = deflate(&stream, Z_FINISH);
    assert(end == Z_STREAM_END);
    (void)end;
    deflateEnd(&stream);
    return room - stream.avail_out;
}

static void write_u16(uint8_t *out, size_t value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
}

Bytes xfile_pack(Bytes file, const char *kind, size_t block, Arena *arena)
{
    const size_t room = 64 + 2 * file.size + 32 * (file.size / block);
    uint8_t *out = arena_alloc(arena, room);
    size_t at = 20;

    memcpy(out, file.data, 16);
    memcpy(out + 8, kind, 4);
    write_u16(out + 16, file.size & 0xFFFF);
    write_u16(out + 18, file.size >> 16);
    for (size_t from = 16; from < file.size; from += block) {
        const size_t size = file.size - from < block ? file.size - from : block;
        const size_t packed = deflate_block(out + at + 6, room - at - 6, file, from, size);
        write_u16(out + at, size);
        write_u16(out + at + 2, packed + 2);
        memcpy(out + at + 4, "CK", 2);
        at += 6 + packed;
    }
    return (Bytes){out, at};
}
