// SPDX-License-Identifier: MIT
#include "format/model/vrm_constraints.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAX_CONSTRAINTS = 4096 };

/* A rotation of the file (VRM 1.0) in the space of MMD, which mirrors z. */
static Quat mirrored(Quat q)
{
    return (Quat){-q.x, -q.y, q.z, q.w};
}

/* [node_count] of each node in the world of the file at rest, in the space of MMD. */
static Quat *world_rotations(const VrmFigure *f)
{
    Quat *out = arena_array(f->scratch, Quat, f->file->node_count);
    for (uint32_t i = 0; i < f->bones->order_count; i++) {
        const uint32_t node = f->bones->order[i];
        const int32_t parent = f->file->nodes[node].parent;
        const Quat own = mirrored(f->file->nodes[node].rotation);
        out[node] = parent < 0 ? own : quat_normalize(quat_mul(out[parent], own));
    }
    return out;
}

static Quat turned(const VrmFigure *f, const Quat *world, int32_t node)
{
    const VrmTurn *turn = &f->bones->turn[f->bones->arm_of[node]];
    const Quat arm = quat_from_axis_angle((Vec3){0, 0, 1}, atan2(turn->sine, turn->cosine));
    return quat_mul(arm, world[node]);
}

static VrmNodeRest rest_of(const VrmFigure *f, const Quat *world, int32_t node)
{
    const int32_t parent = f->file->nodes[node].parent;
    VrmNodeRest rest = {.bone = f->bones->bone_of[node],
                        .parent = parent < 0 ? -1 : f->bones->bone_of[parent]};
    quat_store(rest.local, mirrored(f->file->nodes[node].rotation));
    quat_store(rest.world, turned(f, world, node));
    quat_store(rest.parent_world, parent < 0 ? QUAT_IDENTITY : turned(f, world, parent));
    return rest;
}

/* "X" for a roll, "PositiveX" or "NegativeX" for an aim; others are "X" and "PositiveX". */
static void read_axis(float out[3], const JsonValue *name)
{
    const char *text = json_string(name, "X");
    const size_t size = strlen(text);
    const char last = size ? text[size - 1] : 'X';
    const float sign = text[0] == 'N' ? -1 : 1;
    memset(out, 0, 3 * sizeof *out);
    if (last == 'Z')
        out[2] = -sign;
    else
        out[last == 'Y'] = sign;
}

static bool read_constraint(VrmConstraint *out, const VrmFigure *f, const Quat *world,
                            uint32_t node)
{
    static const struct {
        const char *name, *axis;
    } kinds[] = {{"roll", "rollAxis"}, {"aim", "aimAxis"}, {"rotation", ""}};
    const JsonValue *json = json_item(json_member(f->file->root, "nodes"), node), *found = NULL;
    json = json_member(json_member(json, "extensions"), "VRMC_node_constraint");
    json = json_member(json, "constraint");
    for (uint8_t k = VRM_ROLL; k <= VRM_ROTATION && !found; k++) {
        found = json_member(json, kinds[k].name);
        out->kind = k;
    }
    const int32_t source = json_index(json_member(found, "source"));
    const int32_t above = f->file->nodes[node].parent;
    if (above >= 0 && f->bones->bone_of[above] == f->bones->bone_of[node])
        return false; /* a node without a bone of its own */
    if (!found || source < 0 || (uint32_t)source >= f->file->node_count ||
        (uint32_t)source == node || f->bones->bone_of[node] == 0)
        return false;
    out->node = rest_of(f, world, (int32_t)node);
    out->source = rest_of(f, world, source);
    out->weight = (float)fmin(fmax(json_number(json_member(found, "weight"), 1), 0), 1);
    read_axis(out->axis, json_member(found, kinds[out->kind].axis));
    return true;
}

bool vrm_constraints_read(VrmRig *rig, const VrmFigure *figure)
{
    ARENA_LIST(VrmConstraint) list = {0};
    if (figure->older)
        return true;
    const Quat *world = world_rotations(figure);
    for (uint32_t i = 0; i < figure->bones->order_count; i++) {
        VrmConstraint constraint;
        if (!read_constraint(&constraint, figure, world, figure->bones->order[i]))
            continue;
        if (list.count >= MAX_CONSTRAINTS)
            return diag_error(figure->diag, "more than %d node constraints", MAX_CONSTRAINTS);
        *arena_push(figure->arena, &list) = constraint;
    }
    rig->constraints = list.items;
    rig->constraint_count = (uint32_t)list.count;
    return true;
}
