// SPDX-License-Identifier: MIT
#include "fbx_fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void put(FbxWriter *w, const char *text)
{
    for (; *text; text++)
        bytes_u8(&w->list, (unsigned char)*text);
}

static void put_word(FbxWriter *w, size_t value)
{
    bytes_u32(&w->list, (uint32_t)value);
    if (w->version >= 7500)
        bytes_u32(&w->list, 0);
}

static void patch(FbxWriter *w, size_t at, size_t value)
{
    for (int i = 0; i < 4; i++)
        w->list.data[at + (size_t)i] = (uint8_t)(value >> (8 * i));
}

static size_t word_size(const FbxWriter *w)
{
    return w->version >= 7500 ? 8 : 4;
}

FbxWriter *fbx_writer(bool is_text, unsigned version, bool zipped, Arena *arena)
{
    FbxWriter *w = arena_array(arena, FbxWriter, 1);
    w->is_text = is_text;
    w->version = version;
    w->zipped = zipped;
    if (is_text) {
        put(w, "; FBX 7 project file\n");
    } else {
        bytes_text(&w->list, "Kaydara FBX Binary  ", 21);
        bytes_u16(&w->list, 0x1A);
        bytes_u32(&w->list, version);
    }
    fbx_begin(w, "FBXHeaderExtension");
    fbx_children(w);
    fbx_begin(w, "FBXVersion");
    fbx_put_integer(w, version);
    fbx_end(w);
    fbx_end(w);
    return w;
}

void fbx_begin(FbxWriter *w, const char *name)
{
    const size_t start = w->list.size;
    if (w->is_text) {
        put(w, name);
        put(w, ": ");
    } else {
        for (int i = 0; i < 3; i++)
            put_word(w, 0);
        bytes_u8(&w->list, (unsigned)strlen(name));
        put(w, name);
    }
    w->open[w->depth].start = start;
    w->open[w->depth].values = w->list.size;
    w->open[w->depth].count = 0;
    w->open[w->depth++].has_children = false;
}

static void begin_value(FbxWriter *w, char type)
{
    if (w->is_text && w->open[w->depth - 1].count)
        put(w, ", ");
    if (!w->is_text)
        bytes_u8(&w->list, (unsigned char)type);
    w->open[w->depth - 1].count++;
}

static void put_bits(FbxWriter *w, const void *value, size_t size)
{
    uint64_t bits = 0;
    memcpy(&bits, value, size);
    for (size_t i = 0; i < size; i++)
        bytes_u8(&w->list, (unsigned)(bits >> (8 * i)) & 0xFF);
}

void fbx_put_integer(FbxWriter *w, int64_t value)
{
    char text[32];
    begin_value(w, 'L');
    snprintf(text, sizeof text, "%" PRId64, value);
    if (w->is_text)
        put(w, text);
    else
        put_bits(w, &value, sizeof value);
}

void fbx_put_number(FbxWriter *w, double value)
{
    char text[32];
    begin_value(w, 'D');
    snprintf(text, sizeof text, "%.17g", value);
    if (w->is_text)
        put(w, text);
    else
        put_bits(w, &value, sizeof value);
}

/* "Class::Name" becomes "Name\0\1Class" in a binary file. */
void fbx_put_text(FbxWriter *w, const char *text)
{
    const char *colons = strstr(text, "::");
    begin_value(w, 'S');
    if (w->is_text) {
        put(w, "\"");
        put(w, text);
        put(w, "\"");
        return;
    }
    bytes_u32(&w->list, (uint32_t)strlen(text));
    put(w, colons ? colons + 2 : text);
    if (colons) {
        bytes_u16(&w->list, 0x100);
        for (; text < colons; text++)
            bytes_u8(&w->list, (unsigned char)*text);
    }
}

static void put_item(FbxWriter *w, char type, double value)
{
    const int64_t wide = type == 'l' ? (int64_t)value : 0;
    const int32_t whole = type == 'i' ? (int32_t)value : 0;
    const float single = (float)value;
    if (type == 'd')
        put_bits(w, &value, sizeof value);
    else if (type == 'l')
        put_bits(w, &wide, sizeof wide);
    else if (type == 'i')
        put_bits(w, &whole, sizeof whole);
    else
        put_bits(w, &single, sizeof single);
}

void fbx_put_array(FbxWriter *w, char type, const double *values, uint32_t count)
{
    char text[32];
    begin_value(w, type);
    if (w->is_text) {
        snprintf(text, sizeof text, "*%" PRIu32 " {\na: ", count);
        put(w, text);
        for (uint32_t i = 0; i < count; i++) {
            snprintf(text, sizeof text, i ? ",%.17g" : "%.17g", values[i]);
            put(w, text);
        }
        put(w, "\n}");
        return;
    }
    bytes_u32(&w->list, count);
    bytes_u32(&w->list, w->zipped);
    bytes_u32(&w->list, 0);
    const size_t start = w->list.size;
    for (uint32_t i = 0; i < count; i++)
        put_item(w, type, values[i]);
    if (w->zipped) {
        uint8_t packed[4096];
        uLongf size = sizeof packed;
        if (compress(packed, &size, w->list.data + start, w->list.size - start) != Z_OK)
            abort();
        w->list.size = start;
        for (uLongf i = 0; i < size; i++)
            bytes_u8(&w->list, packed[i]);
    }
    patch(w, start - 4, w->list.size - start);
}

static void end_values(FbxWriter *w)
{
    const size_t start = w->open[w->depth - 1].start, word = word_size(w);
    if (w->is_text)
        return;
    patch(w, start + word, w->open[w->depth - 1].count);
    patch(w, start + 2 * word, w->list.size - w->open[w->depth - 1].values);
}

void fbx_children(FbxWriter *w)
{
    end_values(w);
    w->open[w->depth - 1].has_children = true;
    if (w->is_text)
        put(w, " {\n");
}

void fbx_end(FbxWriter *w)
{
    const bool has_children = w->open[w->depth - 1].has_children;
    if (!has_children)
        end_values(w);
    if (w->is_text)
        put(w, has_children ? "}\n" : "\n");
    else if (has_children)
        bytes_zeros(&w->list, 3 * word_size(w) + 1);
    if (!w->is_text)
        patch(w, w->open[w->depth - 1].start, w->list.size);
    w->depth--;
}

Bytes fbx_finish(FbxWriter *w, Arena *arena)
{
    if (!w->is_text)
        bytes_zeros(&w->list, 3 * word_size(w) + 1);
    return (Bytes){arena_copy(arena, w->list.data, w->list.size), w->list.size};
}

/* ---- a file ---- */

static void put_object(FbxWriter *w, const char *kind, int64_t id, const char *name,
                       const char *type)
{
    fbx_begin(w, kind);
    fbx_put_integer(w, id);
    fbx_put_text(w, name);
    fbx_put_text(w, type);
    fbx_children(w);
}

static void put_vector(FbxWriter *w, const char *name, double x, double y, double z)
{
    fbx_begin(w, "P");
    fbx_put_text(w, name);
    for (int i = 0; i < 3; i++)
        fbx_put_text(w, "");
    fbx_put_number(w, x);
    fbx_put_number(w, y);
    fbx_put_number(w, z);
    fbx_end(w);
}

static void put_array(FbxWriter *w, const char *name, char type, const double *values,
                      uint32_t count)
{
    fbx_begin(w, name);
    fbx_put_array(w, type, values, count);
    fbx_end(w);
}

static void put_model(FbxWriter *w, int64_t id, const char *name, const char *type, double x,
                      double y, double pre)
{
    put_object(w, "Model", id, name, type);
    fbx_begin(w, "Properties70");
    fbx_children(w);
    put_vector(w, "Lcl Translation", x, y, 0);
    put_vector(w, "PreRotation", pre, 0, 0);
    fbx_end(w);
    fbx_end(w);
}

/* flags: KeyAttrFlags; two keys, 1 s apart */
static void put_curve(FbxWriter *w, int64_t id, double from, double to, double flags)
{
    const double times[] = {0, 46186158000.0}, values[] = {from, to}, data[4] = {0}, uses[] = {2};
    put_object(w, "AnimationCurve", id, "AnimCurve::", "");
    put_array(w, "KeyTime", 'l', times, 2);
    put_array(w, "KeyValueFloat", 'f', values, 2);
    put_array(w, "KeyAttrFlags", 'i', &flags, 1);
    put_array(w, "KeyAttrDataFloat", 'f', data, 4);
    put_array(w, "KeyAttrRefCount", 'i', uses, 1);
    fbx_end(w);
}

static void put_connection(FbxWriter *w, int64_t child, int64_t parent, const char *name)
{
    fbx_begin(w, "C");
    fbx_put_text(w, name ? "OP" : "OO");
    fbx_put_integer(w, child);
    fbx_put_integer(w, parent);
    if (name)
        fbx_put_text(w, name);
    fbx_end(w);
}

static void put_bind_pose(FbxWriter *w)
{
    static const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 9, 0, 1};
    put_object(w, "Pose", 9, "Pose::bind", "BindPose");
    fbx_begin(w, "PoseNode");
    fbx_children(w);
    fbx_begin(w, "Node");
    fbx_put_integer(w, 1);
    fbx_end(w);
    put_array(w, "Matrix", 'd', matrix, 16);
    fbx_end(w);
    fbx_end(w);
}

Bytes fbx_fixture(bool is_text, unsigned version, bool zipped, Arena *arena)
{
    enum { STEP = 2, LINEAR = 4, CUBIC_USER = 0x408 };
    static const char *const objects[][3] = {{"AnimationStack", "AnimStack::Still", "10"},
                                             {"AnimationStack", "AnimStack::Walk", "11"},
                                             {"AnimationLayer", "AnimLayer::Base", "12"},
                                             {"AnimationCurveNode", "AnimCurveNode::T", "13"},
                                             {"AnimationCurveNode", "AnimCurveNode::R", "14"}};
    FbxWriter *w = fbx_writer(is_text, version, zipped, arena);
    fbx_begin(w, "Objects");
    fbx_children(w);
    put_model(w, 1, "Model::Hips", "LimbNode", 0, 10, 0);
    put_model(w, 2, "Model::LeftUpLeg", "LimbNode", 1, -2, 90);
    put_model(w, 3, "Model::Body", "Mesh", 0, 0, 0);
    put_bind_pose(w);
    for (int i = 0; i < 5; i++) {
        put_object(w, objects[i][0], strtol(objects[i][2], NULL, 10), objects[i][1], "");
        fbx_end(w);
    }
    put_curve(w, 15, 0, 4, CUBIC_USER);
    put_curve(w, 16, 0, 90, LINEAR);
    put_curve(w, 17, 10, 10, STEP);
    fbx_end(w);
    fbx_begin(w, "Connections");
    fbx_children(w);
    put_connection(w, 1, 0, NULL);
    put_connection(w, 2, 1, NULL);
    put_connection(w, 3, 0, NULL);
    put_connection(w, 12, 11, NULL);
    put_connection(w, 13, 12, NULL);
    put_connection(w, 14, 12, NULL);
    put_connection(w, 13, 1, "Lcl Translation");
    put_connection(w, 14, 2, "Lcl Rotation");
    put_connection(w, 15, 13, "d|X");
    put_connection(w, 17, 13, "d|Y");
    put_connection(w, 16, 14, "d|Z");
    fbx_end(w);
    return fbx_finish(w, arena);
}
