// SPDX-License-Identifier: MIT
#include "inspect/model_sheet/interior.h"

#include <math.h>

#include "base/units.h"

enum {
    GRID = 4,               /* rays per edge of a face of the box */
    RAYS = 6 * GRID * GRID, /* from its center */
    SCORE_GRID = 3,         /* rays per edge of a frame */
    DIRECTIONS = 8,         /* horizontal ones in which an eye may be */
    RADII = 2,              /* eyes in each of them */
    PLACES = DIRECTIONS * RADII,
    MAX_FACES = 2000000 /* a model with more is not judged; these take about 3 s */
};

static const double LOWEST = 10;  /* height of a room, MMD units: half of a figure */
static const double WALL = 0.4;   /* least distance of walls from the center, that of the box: 1 */
static const double CLOSED = 0.7; /* part of the rays that must meet a wall */
static const double CONCEALED = 0.5;       /* part of them where a wall is visible from outside */
static const double EYE = 0.55, AIM = 0.4; /* heights, that of the box: 1 */
static const double RADIUS[RADII] = {0.85, 0.5}; /* of the eye; distance of the wall: 1 */
static const float FOV_DEG = 60;

/* ---- rays ---- */

typedef struct Face {
    float corner[3], edges[2][3];
    bool double_sided;
} Face;

typedef struct Room {
    Face *faces; /* those that are drawn */
    size_t face_count;
    Vec3 low, high;
} Room;

/* Distances at which a ray meets faces, the length of its direction: 1; 0: nowhere. */
typedef struct Hits {
    double nearest, farthest; /* of faces that are visible from its start */
    double outermost;         /* the farthest face that is visible from its end */
} Hits;

/* The distance of one face, or 0; facing: the start is on its front. */
static double meet(const Face *face, Vec3 from, Vec3 direction, bool *facing)
{
    const double rounding = 1e-9; /* no gaps between neighbouring faces */
    const Vec3 a = vec3_load(face->edges[0]), b = vec3_load(face->edges[1]);
    const Vec3 p = vec3_cross(direction, b), s = vec3_sub(from, vec3_load(face->corner));
    const double det = vec3_dot(a, p);
    const double u = vec3_dot(s, p) / det;
    if (!(u >= -rounding && u <= 1 + rounding)) /* also if they are parallel */
        return 0;
    const Vec3 q = vec3_cross(s, a);
    const double v = vec3_dot(direction, q) / det;
    if (!(v >= -rounding && u + v <= 1 + rounding))
        return 0;
    *facing = det > 0;
    return fmax(vec3_dot(b, q) / det, 0);
}

static Hits trace(const Room *room, Vec3 from, Vec3 direction)
{
    Hits hits = {0};
    for (size_t i = 0; i < room->face_count; i++) {
        const Face *face = &room->faces[i];
        bool facing = false;
        const double t = meet(face, from, direction, &facing);
        if (!(t > 0))
            continue;
        if (facing || face->double_sided) {
            hits.nearest = hits.nearest > 0 ? fmin(hits.nearest, t) : t;
            hits.farthest = fmax(hits.farthest, t);
        }
        if (!facing || face->double_sided)
            hits.outermost = fmax(hits.outermost, t);
    }
    return hits;
}

/* ---- the room ---- */

static void add_face(Room *room, const PmxModel *pmx, const uint32_t *indices, bool double_sided)
{
    Vec3 at[3];
    Face *face = &room->faces[room->face_count++];
    for (int k = 0; k < 3; k++) {
        const Vec3 p = at[k] = vec3_load(pmx->vertices[indices[k]].position);
        Vec3 *low = &room->low, *high = &room->high;
        *low = (Vec3){fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z)};
        *high = (Vec3){fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z)};
    }
    vec3_store(face->corner, at[0]);
    vec3_store(face->edges[0], vec3_sub(at[1], at[0]));
    vec3_store(face->edges[1], vec3_sub(at[2], at[0]));
    face->double_sided = double_sided;
}

static Room find_room(const SceneModel *model, Arena *scratch)
{
    const PmxModel *pmx = &model->model->pmx;
    Room room = {.faces = arena_array(scratch, Face, pmx->index_count / 3),
                 .low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                 .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (uint32_t m = 0; m < pmx->material_count; m++) {
        const PmxMaterial *material = &pmx->materials[m];
        const bool drawn = !model->hidden[m] && material->diffuse[3] > 0;
        for (uint32_t i = 0; drawn && i < material->index_count; i += 3)
            add_face(&room, pmx, &pmx->indices[material->first_index + i],
                     material->flags & PMX_DOUBLE_SIDED);
    }
    return room;
}

/* From its center to a point of its box: at -1, 0 or 1 along each axis, or between. */
static Vec3 from_center(const Room *room, double x, double y, double z)
{
    const Vec3 half = vec3_scale(vec3_sub(room->high, room->low), 0.5);
    return (Vec3){x * half.x, y * half.y, z * half.z};
}

/* A point on the vertical through the center, at a part of the height. */
static Vec3 middle_at(const Room *room, double height)
{
    return vec3_add(vec3_lerp(room->low, room->high, 0.5), from_center(room, 0, 2 * height - 1, 0));
}

/* The ray to one of the points spread on the faces of the box. */
static Vec3 sample_direction(const Room *room, int sample)
{
    const int face = sample / (GRID * GRID), cell = sample % (GRID * GRID), axis = face / 2;
    const int column = cell % GRID, row = cell / GRID;
    double at[3];
    at[axis] = face % 2 ? 1 : -1;
    at[(axis + 1) % 3] = (column * 2 + 1.0) / GRID - 1;
    at[(axis + 2) % 3] = (row * 2 + 1.0) / GRID - 1;
    return from_center(room, at[0], at[1], at[2]);
}

/* Faces far from the center surround it, visible from there, and conceal it from outside. */
static bool is_closed(const Room *room)
{
    int walls = 0, concealed = 0;
    if (room->high.y - room->low.y < LOWEST)
        return false;
    for (int i = 0; i < RAYS; i++) {
        const Hits hits = trace(room, middle_at(room, 0.5), sample_direction(room, i));
        walls += hits.farthest >= WALL;
        concealed += hits.outermost >= WALL;
    }
    return walls >= CLOSED * RAYS && concealed >= CONCEALED * RAYS;
}

/* ---- cameras ---- */

typedef struct Place {
    CameraState camera;
    double x, z;  /* the direction of the eye from the center, each -1, 0 or 1 */
    double score; /* how far the camera sees, on average */
} Place;

static double score_of(const Room *room, const CameraState *camera, double aspect)
{
    const CameraAxes axes = camera_axes(camera);
    const double ky = tan((double)camera->fov_deg / 2 * RADIANS), kx = ky * aspect;
    double sum = 0;
    for (int i = 0; i < SCORE_GRID * SCORE_GRID; i++) {
        const int column = i % SCORE_GRID, row = i / SCORE_GRID;
        const double x = (column * 2 + 1.0) / SCORE_GRID - 1, y = (row * 2 + 1.0) / SCORE_GRID - 1;
        const Vec3 across = vec3_add(vec3_scale(vec3_load(axes.right), x * kx),
                                     vec3_scale(vec3_load(axes.up), y * ky));
        const Vec3 direction = vec3_normalize(vec3_add(vec3_load(axes.forward), across));
        sum += trace(room, vec3_load(axes.eye), direction).nearest;
    }
    return sum;
}

static Place place_at(const Room *room, int index, double aspect)
{
    /* Corners, then the middles of walls; those in front before those behind. */
    static const double AT[DIRECTIONS][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1},
                                             {0, -1},  {-1, 0}, {1, 0},  {0, 1}};
    const double *at = AT[index % DIRECTIONS];
    const Vec3 middle = middle_at(room, EYE), out = from_center(room, at[0], 0, at[1]);
    const double wall = trace(room, middle, out).farthest;
    const Vec3 eye = vec3_add(
        middle, vec3_scale(out, RADIUS[index / DIRECTIONS] * (wall > 0 ? fmin(wall, 1) : 1)));
    const Vec3 aim = middle_at(room, AIM), forward = vec3_sub(aim, eye);
    const Axes axes = axes_from_view(forward, (Vec3){0, 1, 0});
    Place place = {.camera = {.distance = (float)-vec3_length(forward), .fov_deg = FOV_DEG},
                   .x = at[0],
                   .z = at[1]};
    vec3_store(place.camera.target, aim);
    camera_rotation_of_axes(place.camera.rotation, &axes);
    place.score = score_of(room, &place.camera, aspect);
    return place;
}

bool interior_find(CameraState views[INTERIOR_VIEWS], const SceneModel *model, double aspect)
{
    if (model->model->pmx.index_count / 3 > MAX_FACES)
        return false;
    Arena *scratch = arena_create();
    const Room room = find_room(model, scratch);
    const bool closed = is_closed(&room);
    Place best[INTERIOR_VIEWS] = {{.score = -1}, {.score = -1}}, places[PLACES];
    for (int i = 0; closed && i < PLACES; i++) {
        places[i] = place_at(&room, i, aspect);
        if (places[i].score > best[0].score)
            best[0] = places[i];
    }
    for (int i = 0; closed && i < PLACES; i++) { /* from the other side */
        const bool other = places[i].x * best[0].x + places[i].z * best[0].z < 0;
        if (other && places[i].score > best[1].score)
            best[1] = places[i];
    }
    for (int i = 0; i < INTERIOR_VIEWS; i++)
        views[i] = best[i].camera;
    arena_destroy(scratch);
    return closed;
}
