// SPDX-License-Identifier: MIT
#include "format/motion/bvh.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/parser_entry.h"
#include "base/text.h"
#include "base/units.h"
#include "format/motion/vmd.h"

enum { MAX_WORD = 256 };

typedef struct Parser {
    const char *at, *end;
    char word[MAX_WORD];
    unsigned line, column; /* position of the word */
    const char *line_start;
    ARENA_LIST(BvhJoint) joints;
    uint32_t values;
    Arena *arena;
    Diag *diag;
} Parser;

static bool fail(Parser *p, const char *expected)
{
    diag_line(p->diag, p->line, p->column);
    const bool result = p->word[0] ? diag_error(p->diag, "'%s': expected %s", p->word, expected)
                                   : diag_error(p->diag, "the file ends; expected %s", expected);
    diag_line(p->diag, 0, 0);
    return result;
}

/* The next word; "" at the end of the file. */
static const char *next_word(Parser *p)
{
    size_t size = 0;
    for (; p->at < p->end && (unsigned char)*p->at <= ' '; p->at++)
        if (*p->at == '\n') {
            p->line++;
            p->line_start = p->at + 1;
        }
    p->column = (unsigned)(p->at - p->line_start) + 1;
    for (; p->at < p->end && (unsigned char)*p->at > ' '; p->at++)
        if (size + 1 < MAX_WORD)
            p->word[size++] = *p->at;
    p->word[size] = '\0';
    return p->word;
}

static bool expect(Parser *p, const char *word)
{
    return text_equal_ignoring_case(next_word(p), word) || fail(p, word);
}

static bool read_number(double *out, Parser *p)
{
    return (text_to_double(out, next_word(p)) && fabs(*out) <= VMD_MAX_VALUE) ||
           fail(p, "a number");
}

static bool read_count(uint32_t *out, Parser *p, uint32_t max)
{
    int64_t value;
    if (!text_to_int64(&value, next_word(p)) || value < 0 || value > max)
        return fail(p, "a count");
    *out = (uint32_t)value;
    return true;
}

/* ---- hierarchy ---- */

static int find_channel(const char *name)
{
    static const char *const names[BVH_MAX_CHANNELS] = {"Xposition", "Yposition", "Zposition",
                                                        "Xrotation", "Yrotation", "Zrotation"};
    return text_find_ignoring_case(TEXT_ARRAY(names), name);
}

static bool read_channels(BvhJoint *joint, Parser *p)
{
    if (!read_count(&joint->channel_count, p, BVH_MAX_CHANNELS))
        return false;
    for (uint32_t i = 0; i < joint->channel_count; i++) {
        const int channel = find_channel(next_word(p));
        if (channel < 0)
            return fail(p, "a channel such as Xrotation");
        joint->channels[i] = (uint8_t)channel;
    }
    joint->first_value = p->values;
    p->values += joint->channel_count;
    return true;
}

/* The body of a joint up to its first child or end. */
static bool begin_joint(Parser *p, const char *name, int32_t parent)
{
    if (p->joints.count == MOCAP_MAX_JOINTS)
        return diag_error(p->diag, "more than %d joints", MOCAP_MAX_JOINTS);
    BvhJoint *joint = arena_push(p->arena, &p->joints);
    *joint = (BvhJoint){.name = text_from_utf8(name, strlen(name), p->arena), .parent = parent};
    if (!expect(p, "{") || !expect(p, "OFFSET"))
        return false;
    for (size_t i = 0; i < 3; i++)
        if (!read_number(&joint->offset[i], p))
            return false;
    return true;
}

/* "End Site" has no channels. */
static bool read_end_site(Parser *p, int32_t parent)
{
    return expect(p, "Site") && begin_joint(p, "", parent) && expect(p, "}");
}

static bool read_root(Parser *p)
{
    int32_t stack[BVH_MAX_DEPTH];
    size_t depth = 0;
    next_word(p);
    do {
        const char *name = arena_strdup(p->arena, p->word);
        if (depth == BVH_MAX_DEPTH)
            return diag_error(p->diag, "joints are nested more than %d deep", BVH_MAX_DEPTH);
        if (!begin_joint(p, name, depth ? stack[depth - 1] : -1))
            return false;
        stack[depth++] = (int32_t)p->joints.count - 1;
        for (;;) {
            next_word(p);
            if (text_equal_ignoring_case(p->word, "CHANNELS")) {
                if (!read_channels(&p->joints.items[stack[depth - 1]], p))
                    return false;
            } else if (text_equal_ignoring_case(p->word, "End")) {
                if (!read_end_site(p, stack[depth - 1]))
                    return false;
            } else if (!strcmp(p->word, "}")) {
                if (!--depth)
                    return true;
            } else if (text_equal_ignoring_case(p->word, "JOINT")) {
                next_word(p);
                break;
            } else {
                return fail(p, "JOINT, CHANNELS, End or }");
            }
        }
    } while (depth);
    return true;
}

/* ---- motion ---- */

static bool read_frames(BvhMotion *motion, Parser *p)
{
    if (!expect(p, "Frames:") || !read_count(&motion->frame_count, p, INT32_MAX) ||
        !expect(p, "Frame") || !expect(p, "Time:") || !read_number(&motion->frame_s, p))
        return false;
    if (!(motion->frame_s >= 1e-4 && motion->frame_s <= 10))
        return diag_error(p->diag, "frame time %g is out of range (0.0001..10 s)", motion->frame_s);
    const size_t left = (size_t)(p->end - p->at) / 2, each = p->values ? p->values : 1;
    if (!motion->frame_count || motion->frame_count > left / each + 1)
        return diag_error(p->diag, "frame count %" PRIu32 " exceeds the file size (1..%zu)",
                          motion->frame_count, left / each + 1);
    motion->value_count = p->values;
    motion->values = arena_array(p->arena, float, (size_t)motion->frame_count * p->values);
    for (size_t i = 0; i < (size_t)motion->frame_count * p->values; i++) {
        double value;
        if (!read_number(&value, p))
            return false;
        motion->values[i] = (float)value;
    }
    return true;
}

/* ---- evaluation ---- */

/* Rotations apply from the last channel to the first; positions replace the offset. */
static void local(Vec3 *position, Quat *rotation, const void *source, double frame, uint32_t joint)
{
    const BvhMotion *motion = source;
    const BvhJoint *j = &motion->joints[joint];
    const float *values = motion->values + (size_t)frame * motion->value_count + j->first_value;
    double offset[3] = {j->offset[0], j->offset[1], j->offset[2]};
    *rotation = QUAT_IDENTITY;
    for (uint32_t i = 0; i < j->channel_count; i++) {
        const unsigned axis = j->channels[i] % 3;
        if (j->channels[i] < BVH_X_ROTATION) {
            offset[axis] = (double)values[i];
            continue;
        }
        const Vec3 about = {axis == 0, axis == 1, axis == 2};
        *rotation = quat_mul(*rotation, quat_from_axis_angle(about, (double)values[i] * RADIANS));
    }
    *position = (Vec3){offset[0], offset[1], offset[2]};
}

void bvh_to_mocap(Mocap *mocap, const BvhMotion *motion, Arena *arena)
{
    *mocap = (Mocap){.joints = arena_array(arena, MocapJoint, motion->joint_count),
                     .joint_count = motion->joint_count,
                     .duration_s = (motion->frame_count - 1) * motion->frame_s,
                     .fps = 1 / motion->frame_s,
                     .frame_count = motion->frame_count,
                     .local = local,
                     .source = motion};
    for (uint32_t i = 0; i < motion->joint_count; i++) {
        const BvhJoint *from = &motion->joints[i];
        const double *o = from->offset;
        mocap->joints[i] = (MocapJoint){.name = from->name, .parent = from->parent};
        mocap_place_rest(mocap, i, from->parent < 0 ? (Vec3){0, 0, 0} : (Vec3){o[0], o[1], o[2]},
                         QUAT_IDENTITY);
    }
}

bool bvh_load(Mocap *mocap, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("bvh");
    BvhMotion *motion = arena_array(arena, BvhMotion, 1);
    Parser p = {.at = (const char *)bytes.data,
                .end = (const char *)bytes.data + bytes.size,
                .line = 1,
                .line_start = (const char *)bytes.data,
                .arena = arena,
                .diag = diag};
    if (!expect(&p, "HIERARCHY"))
        return false;
    for (next_word(&p); text_equal_ignoring_case(p.word, "ROOT"); next_word(&p))
        if (!read_root(&p))
            return false;
    if (!p.joints.count || !text_equal_ignoring_case(p.word, "MOTION"))
        return fail(&p, p.joints.count ? "MOTION" : "ROOT");
    motion->joints = p.joints.items;
    motion->joint_count = (uint32_t)p.joints.count;
    if (!read_frames(motion, &p))
        return false;
    bvh_to_mocap(mocap, motion, arena);
    return true;
}
