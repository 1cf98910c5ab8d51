// SPDX-License-Identifier: MIT
/*
 * fbx_fixture.h - writes FBX files, as text or binary, and one small file with a motion
 */
#ifndef SUPPORT_FBX_FIXTURE_H
#define SUPPORT_FBX_FIXTURE_H

#include "base/arena.h"
#include "byte_list.h"

typedef struct FbxWriter {
    bool is_text, zipped;
    unsigned version; /* 7400 */
    struct {
        size_t start, values; /* of the record, of its values */
        uint32_t count;
        bool has_children;
    } open[8];
    size_t depth;
    ByteList list;
} FbxWriter;

/* The header; then records: begin, values, children, end. */
FbxWriter *fbx_writer(bool is_text, unsigned version, bool zipped, Arena *arena);
void fbx_begin(FbxWriter *w, const char *name);
void fbx_put_integer(FbxWriter *w, int64_t value);
void fbx_put_number(FbxWriter *w, double value);
void fbx_put_text(FbxWriter *w, const char *text);
void fbx_put_array(FbxWriter *w, char type, const double *values, uint32_t count); /* f d i l */
void fbx_children(FbxWriter *w);
void fbx_end(FbxWriter *w);
Bytes fbx_finish(FbxWriter *w, Arena *arena);

/*
 * Hips at (0, 10, 0) with LeftUpLeg at (1, -2, 0) below, and a mesh; the bind pose has the hips at
 * (0, 9, 0).  Take "Walk" of 1 s: the hips move by 4 along x, cubic from and to slopes of 0, the
 * leg turns by 90 degrees about z, linear, with a rotation before it of 90 degrees about x.  Take
 * "Still" has no curves.
 */
Bytes fbx_fixture(bool is_text, unsigned version, bool zipped, Arena *arena);

#endif
