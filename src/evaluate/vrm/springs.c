// SPDX-License-Identifier: MIT
#include "evaluate/vrm/springs.h"

#include <math.h>
#include <string.h>

#include "evaluate/physics/physics.h"
#include "scene/placement.h"

typedef struct Joint {
    const VrmJoint *file;
    Vec3 axis; /* from the bone to its end, at rest, of unit length */
    double length;
    Vec3 tail, before; /* of the last two ticks, in the space of the center or of the world */
    Vec3 home;         /* the bone in the world at the last tick, and the rotation above it */
    Quat home_rotation;
} Joint;

typedef struct Step { /* one bone after the other, each after those that it depends on */
    uint32_t bone;
    int32_t joint; /* or -1 */
} Step;

struct Springs {
    const VrmRig *rig;
    const PhysicsSpec *physics;
    Joint *joints;
    uint32_t joint_count;
    Step *steps;
    uint32_t step_count;
    Quat *rotations; /* [kept][joint_count] of the bones to their parents, by tick modulo `kept` */
    uint32_t kept;
    int64_t tick;
};

/* ---- order ---- */

typedef struct Order {
    const PmxModel *pmx;
    const VrmRig *rig;
    int32_t *nearest; /* [bone_count] the joint of the bone or of the nearest bone above, or -1 */
    uint8_t *state;   /* [joint_count] */
    uint32_t *out;
    uint32_t count;
} Order;

enum { NEW, OPEN, DONE };

/* The joints that come before this one: above it, and above its colliders.  i counts them. */
static int32_t dependency(const Order *o, uint32_t joint, uint32_t i)
{
    const VrmJoint *j = &o->rig->joints[joint];
    const int32_t parent = o->pmx->bones[j->bone].parent;
    if (i == 0)
        return parent < 0 ? -1 : o->nearest[parent];
    return o->nearest[o->rig->colliders[j->colliders[i - 1]].bone];
}

/* Depth first; of joints that depend on each other, the one that is met first comes last. */
static void order_joints(Order *o, Arena *scratch)
{
    typedef struct Visit {
        uint32_t joint, next;
    } Visit;
    Visit *stack = arena_array(scratch, Visit, o->rig->joint_count);
    for (uint32_t first = 0; first < o->rig->joint_count; first++) {
        uint32_t depth = 0;
        if (o->state[first] == NEW) {
            stack[depth++] = (Visit){first, 0};
            o->state[first] = OPEN;
        }
        while (depth) {
            Visit *top = &stack[depth - 1];
            if (top->next > o->rig->joints[top->joint].collider_count) {
                o->state[top->joint] = DONE;
                o->out[o->count++] = top->joint;
                depth--;
                continue;
            }
            const int32_t other = dependency(o, top->joint, top->next++);
            if (other >= 0 && o->state[other] == NEW) {
                o->state[other] = OPEN;
                stack[depth++] = (Visit){(uint32_t)other, 0};
            }
        }
    }
}

/* Each joint in this order, and after it the bones below it without a joint. */
static void list_steps(Springs *s, const Order *o, const Model *model, Arena *scratch)
{
    const uint32_t bones = model->pmx.bone_count;
    uint32_t *first = arena_array(scratch, uint32_t, s->joint_count + 2);
    uint32_t *below = arena_array(scratch, uint32_t, bones);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < bones; i++) {
            const uint32_t bone = model->parents_first[i];
            const int32_t joint = o->nearest[bone];
            if (joint < 0 || o->rig->joints[joint].bone == (int32_t)bone)
                continue;
            if (pass)
                below[first[joint + 1]++] = bone;
            else
                first[joint + 2]++;
        }
        for (uint32_t j = 0; !pass && j < s->joint_count; j++)
            first[j + 2] += first[j + 1];
    }
    for (uint32_t i = 0; i < o->count; i++) {
        const uint32_t joint = o->out[i];
        s->steps[s->step_count++] = (Step){(uint32_t)o->rig->joints[joint].bone, (int32_t)joint};
        for (uint32_t k = first[joint]; k < first[joint + 1]; k++)
            s->steps[s->step_count++] = (Step){below[k], -1};
    }
}

Springs *springs_create(const Pose *pose, const PhysicsSpec *physics, Arena *arena)
{
    const Model *model = pose->model->model;
    const VrmRig *rig = model->pmx.rig;
    const uint32_t bones = model->pmx.bone_count;
    if (!rig || !rig->joint_count || !pose->model->spec.physics || physics->step_hz <= 0)
        return NULL;

    Springs *s = arena_array(arena, Springs, 1);
    *s = (Springs){.rig = rig,
                   .physics = physics,
                   .joints = arena_array(arena, Joint, rig->joint_count),
                   .joint_count = rig->joint_count,
                   .steps = arena_array(arena, Step, bones),
                   .kept = 2 + (SPRINGS_HZ + (uint32_t)physics->step_hz - 1) /
                                   (uint32_t)physics->step_hz,
                   .tick = -1};
    s->rotations = arena_array(arena, Quat, (size_t)s->kept * s->joint_count);
    for (uint32_t j = 0; j < s->joint_count; j++) {
        const Vec3 tail = vec3_load(rig->joints[j].tail);
        s->joints[j] = (Joint){
            .file = &rig->joints[j], .axis = vec3_normalize(tail), .length = vec3_length(tail)};
    }
    Arena *scratch = arena_create();
    Order order = {.pmx = &model->pmx,
                   .rig = rig,
                   .nearest = arena_array(scratch, int32_t, bones),
                   .state = arena_array(scratch, uint8_t, rig->joint_count),
                   .out = arena_array(scratch, uint32_t, rig->joint_count)};
    for (uint32_t b = 0; b < bones; b++)
        order.nearest[b] = -1;
    for (uint32_t j = 0; j < rig->joint_count; j++)
        order.nearest[rig->joints[j].bone] = (int32_t)j;
    for (uint32_t i = 0; i < bones; i++) {
        const uint32_t bone = model->parents_first[i];
        const int32_t parent = model->pmx.bones[bone].parent;
        if (order.nearest[bone] < 0 && parent >= 0)
            order.nearest[bone] = order.nearest[parent];
    }
    order_joints(&order, scratch);
    list_steps(s, &order, model, scratch);
    arena_destroy(scratch);
    return s;
}

void springs_mark_bones(bool *wanted, const Springs *s)
{
    for (uint32_t i = 0; i < s->step_count; i++)
        wanted[s->steps[i].bone] = true;
    for (uint32_t i = 0; i < s->rig->collider_count; i++)
        wanted[s->rig->colliders[i].bone] = true;
    for (uint32_t j = 0; j < s->joint_count; j++)
        if (s->joints[j].file->center >= 0)
            wanted[s->joints[j].file->center] = true;
}

/* ---- a tick ---- */

/* Where something is in the world: a bone, the center, a collider. */
typedef struct Frame {
    Vec3 at;
    Quat rotation;
    double scale;
} Frame;

static const Frame WORLD = {{0, 0, 0}, {0, 0, 0, 1}, 1};

static Vec3 to_world(const Frame *f, Vec3 p)
{
    return vec3_add(f->at, quat_rotate(f->rotation, vec3_scale(p, f->scale)));
}

static Vec3 from_world(const Frame *f, Vec3 p)
{
    const Vec3 v = quat_rotate(quat_inverse(f->rotation), vec3_sub(p, f->at));
    return f->scale > 0 ? vec3_scale(v, 1 / f->scale) : v;
}

static Frame frame_of(const Pose *pose, const Placement *placement, int32_t bone)
{
    if (bone < 0)
        return WORLD;
    const PoseBone *b = &pose->bones[bone];
    return (Frame){placement_point(placement, b->position),
                   placement_rotation(placement, b->rotation), (double)placement->scale};
}

/* Moves the end out of a collider.  False if it does not touch. */
static bool push_out(Vec3 *end, const VrmCollider *c, const Frame *frame, double radius)
{
    const Vec3 along = quat_rotate(frame->rotation, vec3_scale(vec3_load(c->end), frame->scale));
    Vec3 from = vec3_sub(*end, to_world(frame, vec3_load(c->offset)));
    if (c->shape == VRM_PLANE) {
        const Vec3 normal = quat_rotate(frame->rotation, vec3_load(c->end));
        const double distance = vec3_dot(from, normal) - radius;
        if (distance < 0)
            *end = vec3_sub(*end, vec3_scale(normal, distance));
        return distance < 0;
    }
    if (c->shape == VRM_CAPSULE) {
        const double square = vec3_dot(along, along), part = vec3_dot(along, from);
        if (part > 0)
            from = vec3_sub(from, vec3_scale(along, part >= square ? 1 : part / square));
    }
    const double size = (double)c->radius * frame->scale, length = vec3_length(from);
    const double distance = c->inside ? size - radius - length : length - radius - size;
    if (!(distance < 0) || !(length > 0))
        return false;
    *end = vec3_add(*end, vec3_scale(from, (c->inside ? distance : -distance) / length));
    return true;
}

/* On the sphere about the bone that its end moves on. */
static Vec3 at_length(Vec3 head, Vec3 end, double length, Vec3 otherwise)
{
    const Vec3 v = vec3_sub(end, head);
    const double size = vec3_length(v);
    return vec3_add(head, vec3_scale(size > 1e-9 ? vec3_scale(v, 1 / size) : otherwise, length));
}

/* A bone that jumps, as at a cut, takes its end along. */
static void move_over_jump(Joint *j, const Springs *s, Vec3 head, Quat above)
{
    const Quat turn = quat_mul(above, quat_inverse(j->home_rotation));
    const double angle = 2 * acos(fmin(fabs(turn.w), 1));
    if (s->physics->teleport_reset && j->file->center < 0 &&
        (vec3_length(vec3_sub(head, j->home)) * SPRINGS_HZ > PHYSICS_JUMP_SPEED ||
         angle * SPRINGS_HZ > PHYSICS_JUMP_TURN)) {
        j->tail = vec3_add(head, quat_rotate(turn, vec3_sub(j->tail, j->home)));
        j->before = vec3_add(head, quat_rotate(turn, vec3_sub(j->before, j->home)));
    }
    j->home = head;
    j->home_rotation = above;
}

/* The end of the joint at this tick, in the world. */
static Vec3 swing(const Joint *j, const Springs *s, const Pose *pose, const Placement *placement,
                  const Frame *center)
{
    const VrmJoint *file = j->file;
    const double scale = (double)placement->scale, part = scale / SPRINGS_HZ;
    const double length = j->length * scale;
    const Vec3 axis = quat_rotate(j->home_rotation, j->axis);
    const Vec3 moved = vec3_scale(vec3_sub(j->tail, j->before), 1 - (double)file->drag);
    Vec3 end = to_world(center, vec3_add(j->tail, moved));
    end = vec3_add(end, vec3_scale(axis, (double)file->stiffness * part));
    end = vec3_add(end, vec3_scale(vec3_load(file->gravity), part));
    end = at_length(j->home, end, length, axis);
    for (uint32_t i = 0; i < file->collider_count; i++) {
        const VrmCollider *c = &s->rig->colliders[file->colliders[i]];
        const Frame frame = frame_of(pose, placement, c->bone);
        if (push_out(&end, c, &frame, (double)file->radius * scale))
            end = at_length(j->home, end, length, axis);
    }
    return end;
}

static Quat *rotations_at(const Springs *s, int64_t tick)
{
    return s->rotations + (size_t)(tick % s->kept) * s->joint_count;
}

static void rotate_bone(PoseBone *bone, Quat rotation)
{
    bone->local_rotation = rotation;
    bone->append_rotation = bone->ik = QUAT_IDENTITY;
    bone->ik_link = false;
}

static void step_joint(Springs *s, uint32_t index, bool reset, Pose *pose,
                       const Placement *placement)
{
    Joint *j = &s->joints[index];
    const uint32_t bone = (uint32_t)j->file->bone;
    PoseBone *b = &pose->bones[bone];
    const int32_t parent = pose->model->model->pmx.bones[bone].parent;
    const Quat own = quat_mul(b->ik, quat_mul(b->local_rotation, b->append_rotation));
    const Quat model_above = b->outside    ? b->outside_rotation
                             : parent >= 0 ? pose->bones[parent].rotation
                                           : QUAT_IDENTITY;
    const Quat above = placement_rotation(placement, model_above);
    const Frame center = frame_of(pose, placement, j->file->center);
    const bool held = b->physics == VMD_PHYSICS_OFF;
    Quat rotation = held ? quat_normalize(own) : QUAT_IDENTITY;

    pose_update_position(pose, bone);
    const Vec3 head = placement_point(placement, b->position);
    if (reset || held) {
        const Vec3 axis = quat_rotate(above, quat_rotate(rotation, j->axis));
        const Vec3 end = vec3_add(head, vec3_scale(axis, j->length * (double)placement->scale));
        j->tail = j->before = from_world(&center, end);
        j->home = head;
        j->home_rotation = above;
    } else {
        move_over_jump(j, s, head, above);
        const Vec3 end = swing(j, s, pose, placement, &center);
        j->before = j->tail;
        j->tail = from_world(&center, end);
        const Vec3 to = quat_rotate(quat_inverse(above), vec3_sub(end, head));
        rotation = quat_between(j->axis, vec3_normalize(to));
    }
    rotations_at(s, s->tick)[index] = rotation;
    rotate_bone(b, rotation);
}

static void run_steps(Springs *s, bool reset, Pose *pose, const Placement *placement)
{
    for (uint32_t i = 0; i < s->step_count; i++) {
        if (s->steps[i].joint >= 0)
            step_joint(s, (uint32_t)s->steps[i].joint, reset, pose, placement);
        pose_update_bone(pose, s->steps[i].bone);
    }
}

/* ---- public functions ---- */

bool springs_reaches(const Springs *s, double at)
{
    return s->tick >= 0 && floor(at) > (double)(s->tick - (int64_t)s->kept);
}

int64_t springs_tick(const Springs *s)
{
    return s->tick;
}

void springs_reset(Springs *s, Pose *pose, const Placement *placement, Interrupt *interrupt)
{
    const long ticks = lroundf(s->physics->warmup_s * SPRINGS_HZ);
    s->tick = 0;
    run_steps(s, true, pose, placement);
    for (long i = 0; i < ticks && !interrupt_poll(interrupt); i++)
        run_steps(s, false, pose, placement);
}

void springs_step(Springs *s, Pose *pose, const Placement *placement)
{
    s->tick++;
    run_steps(s, false, pose, placement);
}

void springs_apply(const Springs *s, Pose *pose, double at)
{
    const int64_t from = (int64_t)floor(at);
    const double part = at - (double)from;
    const Quat *a = rotations_at(s, from), *b = rotations_at(s, part > 0 ? from + 1 : from);
    for (uint32_t i = 0; i < s->step_count; i++) {
        const int32_t joint = s->steps[i].joint;
        PoseBone *bone = &pose->bones[s->steps[i].bone];
        if (joint >= 0)
            rotate_bone(bone,
                        part > 0 ? quat_normalize(quat_slerp(a[joint], b[joint], part)) : a[joint]);
        pose_update_bone(pose, s->steps[i].bone);
    }
}
