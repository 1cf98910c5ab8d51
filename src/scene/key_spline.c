// SPDX-License-Identifier: MIT
#include "scene/key_spline.h"

#include <math.h>

#include "base/units.h"

static const double STILL = 1e-9; /* radians; smaller rotations are ignored */

double point_frame(double time_s, double frame)
{
    return isnan(frame) ? round(time_s * MOTION_FPS * 1e6) / 1e6 : frame;
}

/* ---- components of points ---- */

typedef struct SplineTime {
    double frame;
    bool cut, velocity_given;
    Vec3 velocity; /* per frame */
} SplineTime;

/* velocity: per second; NULL or NaN: not given */
static SplineTime time_of(double time_s, double frame, bool cut, const Vec3 *velocity)
{
    SplineTime out = {.frame = point_frame(time_s, frame), .cut = cut};
    if (velocity && !isnan(velocity->x)) {
        out.velocity_given = true;
        out.velocity = vec3_scale(*velocity, 1.0 / MOTION_FPS);
    }
    return out;
}

static SplineKey key_of(const SplineTime *time, double value)
{
    return (SplineKey){.time = time->frame, .value = value, .cut = time->cut};
}

static Spline bind_numbers(const SplineTime *times, const double *values, uint32_t count,
                           Arena *arena)
{
    SplineKey *keys = arena_array(arena, SplineKey, count);
    for (uint32_t i = 0; i < count; i++)
        keys[i] = key_of(&times[i], values[i]);
    return spline_create(keys, count, arena);
}

/* moves: the velocities of the times apply to these vectors. */
static void bind_vectors(Spline out[3], const SplineTime *times, const Vec3 *values, bool moves,
                         uint32_t count, Arena *arena)
{
    SplineKey *keys = arena_array(arena, SplineKey, count);
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < count; i++) {
            keys[i] = key_of(&times[i], vec3_component(values[i], axis));
            keys[i].slope_given = moves && times[i].velocity_given;
            keys[i].slope = vec3_component(times[i].velocity, axis);
        }
        out[axis] = spline_create(keys, count, arena);
    }
}

/* `angles` [count]: from the point before to this one.  If one of the two rotations at a point is
 * zero, the rotation stops there. */
static Spline bind_turn(const SplineTime *times, const double *angles, uint32_t count, Arena *arena)
{
    SplineKey *keys = arena_array(arena, SplineKey, count);
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += i ? angles[i] : 0;
        keys[i] = key_of(&times[i], sum);
        keys[i].slope_given = i && i + 1 < count && (angles[i] < STILL || angles[i + 1] < STILL);
    }
    return spline_create(keys, count, arena);
}

static Vec3 vector_at(const Spline splines[3], double frame)
{
    return (Vec3){spline_at(&splines[0], frame), spline_at(&splines[1], frame),
                  spline_at(&splines[2], frame)};
}

/* The point at or before a frame, and the progress (0..1) of the rotation to the next one. */
static uint32_t turn_at(const Spline *turn, double frame, double *t)
{
    double along;
    const SplineSegment *segment = spline_find(turn, frame, &along);
    const double whole = segment->p3 - segment->p0;
    const double gone = spline_value(segment, along).value - segment->p0;
    *t = whole > 0 ? fmin(fmax(gone / whole, 0), 1) : 0;
    return (uint32_t)(segment - turn->segments);
}

static Vec3 direction_at(const Vec3 *directions, const Spline *turn, double frame)
{
    double t;
    const uint32_t i = turn_at(turn, frame, &t);
    return t > 0 ? axes_slerp(directions[i], directions[i + 1], t) : directions[i];
}

static Axes axes_at(const Axes *axes, const Spline *turn, double frame)
{
    double t;
    const uint32_t i = turn_at(turn, frame, &t);
    return t > 0 ? axes_interpolate(&axes[i], &axes[i + 1], t) : axes[i];
}

/* The distance of two orientations, for timing: the greater angle of their axes. */
static double axes_apart(const Axes *a, const Axes *b)
{
    return fmax(axes_angle(a->z, b->z), axes_angle(a->y, b->y));
}

/* ---- camera ---- */

CameraSpline camera_spline_bind(const CameraPoint *points, uint32_t count,
                                SplineOrientation orientation, Arena *arena)
{
    SplineTime *times = arena_array(arena, SplineTime, count);
    Vec3 *eyes = arena_array(arena, Vec3, count), *targets = arena_array(arena, Vec3, count);
    Vec3 *ups = arena_array(arena, Vec3, count);
    Axes *axes = arena_array(arena, Axes, count);
    double *rolls = arena_array(arena, double, count), *fovs = arena_array(arena, double, count);
    double *angles = arena_array(arena, double, count);

    for (uint32_t i = 0; i < count; i++) {
        const CameraPoint *point = &points[i];
        const Axes level = axes_from_view(vec3_sub(point->target, point->eye), point->up);
        times[i] = time_of(point->time_s, point->frame, point->cut, &point->velocity);
        eyes[i] = point->eye;
        targets[i] = point->target;
        ups[i] = vec3_normalize(point->up);
        axes[i] = axes_roll(&level, -point->roll_deg * RADIANS);
        rolls[i] = point->roll_deg * RADIANS;
        fovs[i] = point->fov_deg;
        if (i)
            angles[i] = orientation == SPLINE_TURNS_AXES ? axes_apart(&axes[i - 1], &axes[i])
                                                         : axes_angle(ups[i - 1], ups[i]);
    }
    CameraSpline path = {.count = count, .orientation = orientation, .ups = ups, .axes = axes};
    bind_vectors(path.eye, times, eyes, true, count, arena);
    bind_vectors(path.target, times, targets, false, count, arena);
    path.roll = bind_numbers(times, rolls, count, arena);
    path.fov_deg = bind_numbers(times, fovs, count, arena);
    path.turn = bind_turn(times, angles, count, arena);
    return path;
}

CameraSpline camera_spline_cubic(const CameraSpline *path, Arena *arena)
{
    CameraSpline cubic = *path;
    for (int axis = 0; axis < 3; axis++) {
        cubic.eye[axis] = spline_cubic(&path->eye[axis], arena);
        cubic.target[axis] = spline_cubic(&path->target[axis], arena);
    }
    cubic.roll = spline_cubic(&path->roll, arena);
    cubic.fov_deg = spline_cubic(&path->fov_deg, arena);
    cubic.turn = spline_cubic(&path->turn, arena);
    return cubic;
}

/* A camera that passes through its target keeps its previous direction. */
static Axes axes_towards(const CameraSpline *path, Vec3 view, double frame)
{
    const double roll = spline_at(&path->roll, frame);
    if (!(vec3_length(view) > 0))
        return axes_at(path->axes, &path->turn, frame);
    const Axes level = axes_from_view(view, direction_at(path->ups, &path->turn, frame));
    return axes_roll(&level, -roll);
}

CameraState camera_spline_at(const CameraSpline *path, double frame)
{
    const Vec3 eye = vector_at(path->eye, frame), target = vector_at(path->target, frame);
    const Vec3 view = vec3_sub(target, eye);
    const double distance = vec3_length(view);
    const Axes axes = path->orientation == SPLINE_TURNS_AXES
                          ? axes_at(path->axes, &path->turn, frame)
                          : axes_towards(path, view, frame);

    CameraState camera = {.distance = -(float)distance,
                          .fov_deg = camera_clamp_fov((float)spline_at(&path->fov_deg, frame))};
    camera_rotation_of_axes(camera.rotation, &axes);
    vec3_store(camera.target, vec3_add(eye, vec3_scale(axes.z, distance)));
    return camera;
}

/* ---- light ---- */

LightSpline light_spline_bind(const LightSpec *light, Arena *arena)
{
    const uint32_t count = (uint32_t)light->path_count;
    SplineTime *times = arena_array(arena, SplineTime, count);
    Vec3 *colors = arena_array(arena, Vec3, count), *directions = arena_array(arena, Vec3, count);
    double *angles = arena_array(arena, double, count);

    for (uint32_t i = 0; i < count; i++) {
        const LightPoint *point = &light->path[i];
        const double *color = isnan(point->color[0]) ? light->color : point->color;
        const bool turned = !isnan(point->direction.x);
        times[i] = time_of(point->time_s, point->frame, point->cut, NULL);
        colors[i] = (Vec3){color[0], color[1], color[2]};
        directions[i] = vec3_normalize(turned ? point->direction : light->direction);
        angles[i] = i ? axes_angle(directions[i - 1], directions[i]) : 0;
    }
    LightSpline path = {.count = count, .directions = directions};
    bind_vectors(path.color, times, colors, false, count, arena);
    path.turn = bind_turn(times, angles, count, arena);
    return path;
}

LightState light_spline_at(const LightSpline *path, double frame)
{
    LightState light;
    vec3_store(light.color, vector_at(path->color, frame));
    for (int i = 0; i < 3; i++)
        light.color[i] = fminf(fmaxf(light.color[i], 0), 1);
    vec3_store(light.direction, direction_at(path->directions, &path->turn, frame));
    return light;
}

/* ---- placement of a model ---- */

PlacementSpline placement_spline_bind(const PlacementPoint *points, uint32_t count, Vec3 offset,
                                      Arena *arena)
{
    SplineTime *times = arena_array(arena, SplineTime, count);
    Vec3 *positions = arena_array(arena, Vec3, count);
    Axes *axes = arena_array(arena, Axes, count);
    double *angles = arena_array(arena, double, count);

    for (uint32_t i = 0; i < count; i++) {
        const PlacementPoint *point = &points[i];
        const Vec3 angles_of = vec3_scale(point->rotation_deg, RADIANS);
        times[i] = time_of(point->time_s, point->frame, point->cut, &point->velocity);
        positions[i] = vec3_add(point->position, offset);
        axes[i] = axes_from_quat(quat_from_euler_yxz(angles_of.x, angles_of.y, angles_of.z));
        angles[i] = i ? axes_apart(&axes[i - 1], &axes[i]) : 0;
    }
    PlacementSpline path = {.count = count, .axes = axes};
    bind_vectors(path.position, times, positions, true, count, arena);
    path.turn = bind_turn(times, angles, count, arena);
    return path;
}

void placement_spline_at(float position[3], float rotation[4], const PlacementSpline *path,
                         double frame)
{
    const Axes axes = axes_at(path->axes, &path->turn, frame);
    vec3_store(position, vector_at(path->position, frame));
    quat_store(rotation, axes_to_quat(&axes));
}
