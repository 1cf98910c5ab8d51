// SPDX-License-Identifier: MIT
#include "convert/export/export_formats.h"

#include <math.h>
#include <string.h>

#include "base/text_stream.h"
#include "base/units.h"
#include "math/rotation.h"

static const double CENTIMETRES = 8;

typedef struct Writer {
    FILE *out;
    const Capture *capture;
    const CapturedModel *model;
    const PmxModel *pmx;
    uint32_t *order; /* [bone_count] as in the hierarchy */
    uint32_t count;
    bool *moves; /* [bone_count] its offset changes: six channels */
} Writer;

/* Right-handed: z is mirrored.  Zero is written without a sign. */
static void write_point(FILE *out, const float v[3])
{
    fprintf(out, "%.6f %.6f %.6f", (double)v[0] * CENTIMETRES + 0.0,
            (double)v[1] * CENTIMETRES + 0.0, 0.0 - (double)v[2] * CENTIMETRES);
}

/* The blanks before a line, as a width of an empty text. */
static int indent(unsigned depth)
{
    return 2 * (int)(depth < 40 ? depth : 40);
}

static bool has_moved(const Writer *w, uint32_t bone)
{
    for (uint32_t k = 0; k < w->capture->frame_count; k++) {
        const float *offset = capture_bone(w->model, k, bone)->offset;
        if (fabsf(offset[0]) + fabsf(offset[1]) + fabsf(offset[2]) > 1e-5f)
            return true;
    }
    return false;
}

/* ---- hierarchy ---- */

static void write_joint_head(Writer *w, uint32_t bone, unsigned depth)
{
    const char *name = w->pmx->bones[bone].name;
    const float none[3] = {0};
    float offset[3];
    capture_place(offset, w->pmx, bone, none);
    fprintf(w->out, "%*sJOINT ", indent(depth), "");
    for (name = *name ? name : "bone"; *name; name++) /* names end at a blank */
        fputc((unsigned char)*name <= ' ' ? '_' : *name, w->out);
    fprintf(w->out, "\n%*s{\n%*sOFFSET ", indent(depth), "", indent(depth + 1), "");
    write_point(w->out, offset);
    fprintf(w->out, "\n%*sCHANNELS %s\n", indent(depth + 1), "",
            w->moves[bone] ? "6 Xposition Yposition Zposition Yrotation Xrotation Zrotation"
                           : "3 Yrotation Xrotation Zrotation");
}

static void write_end_site(Writer *w, unsigned depth)
{
    fprintf(w->out, "%*sEnd Site\n%*s{\n%*sOFFSET 0 0 0\n%*s}\n", indent(depth), "", indent(depth),
            "", indent(depth + 1), "", indent(depth), "");
}

static int32_t next_child(const PmxModel *pmx, int32_t parent, uint32_t from)
{
    for (uint32_t i = from; i < pmx->bone_count; i++)
        if (pmx->bones[i].parent == parent)
            return (int32_t)i;
    return -1;
}

/* Writes all joints without recursion: a model may be a chain of all its bones. */
static void write_joints(Writer *w)
{
    int32_t at = -1;
    uint32_t from = 0;
    unsigned depth = 1;
    for (;;) {
        const int32_t child = next_child(w->pmx, at, from);
        if (child >= 0) {
            write_joint_head(w, (uint32_t)child, depth++);
            w->order[w->count++] = (uint32_t)child;
            at = child;
            from = 0;
            continue;
        }
        if (at < 0)
            return;
        if (!from)
            write_end_site(w, depth);
        fprintf(w->out, "%*s}\n", indent(--depth), "");
        from = (uint32_t)at + 1;
        at = w->pmx->bones[at].parent;
    }
}

/* ---- motion ---- */

/* R = Ry Rx Rz; at the poles z is 0.  Degrees of the mirrored rotation. */
static void write_angles(FILE *out, const float rotation[4])
{
    const Quat q = quat_load(rotation);
    const double x = -q.x, y = -q.y, z = q.z, w = q.w;
    double sine = 2 * (w * x - y * z);
    sine = sine < -1 ? -1 : sine > 1 ? 1 : sine;
    const bool pole = fabs(sine) > 1 - 1e-9;
    const double ay = pole ? atan2(-2 * (x * z - w * y), 1 - 2 * (y * y + z * z))
                           : atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y));
    const double az = pole ? 0 : atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z));
    fprintf(out, "%.5f %.5f %.5f", ay * DEGREES, asin(sine) * DEGREES, az * DEGREES);
}

static void write_frame(Writer *w, uint32_t frame)
{
    fputs("0 0 0 0 0 0", w->out);
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t bone = w->order[i];
        const LocalPose *pose = capture_bone(w->model, frame, bone);
        float position[3];
        capture_place(position, w->pmx, bone, pose->offset);
        fputc(' ', w->out);
        if (w->moves[bone]) { /* positions replace the OFFSET */
            write_point(w->out, position);
            fputc(' ', w->out);
        }
        write_angles(w->out, pose->rotation);
    }
    fputc('\n', w->out);
}

Bytes export_bvh(const Capture *capture, const CapturedModel *model, Arena *arena)
{
    const PmxModel *pmx = &model->model->model->pmx;
    TextStream stream;
    Writer w = {.out = text_stream_open(&stream, arena),
                .capture = capture,
                .model = model,
                .pmx = pmx,
                .order = arena_array(arena, uint32_t, pmx->bone_count),
                .moves = arena_array(arena, bool, pmx->bone_count)};
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        w.moves[i] = has_moved(&w, i);
    fputs("HIERARCHY\nROOT model\n{\n  OFFSET 0 0 0\n  CHANNELS 6 Xposition Yposition Zposition "
          "Yrotation Xrotation Zrotation\n",
          w.out);
    write_joints(&w);
    fprintf(w.out, "}\nMOTION\nFrames: %u\nFrame Time: %.9f\n", capture->frame_count,
            1.0 / MOTION_FPS);
    for (uint32_t k = 0; k < capture->frame_count; k++)
        write_frame(&w, k);
    const char *text = text_stream_close(&stream);
    return (Bytes){(const uint8_t *)text, stream.size};
}
