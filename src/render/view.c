// SPDX-License-Identifier: MIT
#include "render/view.h"

#include <math.h>
#include <string.h>

/* render/README.md 3 */
static const float NEAR_PLANE = 0.01f;
static const float ORTHOGRAPHIC_FAR_PLANE = 4e6f; /* twice the largest coordinate, and reserve */
static const float ORTHOGRAPHIC_HEIGHT = 0.5625f; /* part of the camera distance */
static const float EDGE_WIDTH = 0.001f;           /* render/README.md 6 */
static const float EDGE_FULL_FOV = 30.0f;         /* degrees */

static void projection_matrix(mat4 out, const CameraState *camera, float aspect)
{
    glm_mat4_zero(out);
    if (camera->orthographic) {
        const float height = ORTHOGRAPHIC_HEIGHT * fmaxf(fabsf(camera->distance), 1e-3f);
        const float depth = ORTHOGRAPHIC_FAR_PLANE - NEAR_PLANE;

        out[0][0] = 2.0f / (height * aspect);
        out[1][1] = 2.0f / height;
        out[2][2] = 1.0f / depth;
        out[3][2] = -NEAR_PLANE / depth;
        out[3][3] = 1.0f;
        return;
    }
    const float f = 1.0f / tanf(glm_rad(glm_clamp(camera->fov_deg, 1.0f, 179.0f)) * 0.5f);

    out[0][0] = f / aspect;
    out[1][1] = f;
    out[2][3] = 1.0f;
    out[3][2] = NEAR_PLANE;
}

/* Sets view->clip for a camera at its eye; rows: right, up and forward. */
static void set_clip(View *view, const float rows[3][3], mat4 projection)
{
    const float *eye = view->axes.eye;
    mat4 eye_space;

    glm_mat4_identity(eye_space);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            eye_space[column][row] = rows[row][column];
        eye_space[3][row] =
            -(rows[row][0] * eye[0] + rows[row][1] * eye[1] + rows[row][2] * eye[2]);
    }
    glm_mat4_mul(projection, eye_space, view->clip);
}

View view_of(const CameraState *camera, const LightState *light, int width, int height)
{
    View view = {.axes = camera_axes(camera), .reversed_depth = !camera->orthographic};
    mat4 projection;
    vec3 direction = {light->direction[0], light->direction[1], light->direction[2]};
    float rows[3][3];

    memcpy(rows[0], view.axes.right, sizeof rows[0]);
    memcpy(rows[1], view.axes.up, sizeof rows[1]);
    memcpy(rows[2], view.axes.forward, sizeof rows[2]);
    projection_matrix(projection, camera, (float)width / (float)height);
    set_clip(&view, rows, projection);

    if (!(glm_vec3_norm2(direction) > 0.0f))
        memcpy(direction, LIGHT_DEFAULT.direction, sizeof direction);
    glm_vec3_normalize(direction);
    glm_vec3_negate_to(direction, view.to_light);
    memcpy(view.light_color, light->color, sizeof view.light_color);
    memcpy(view.target, camera->target, sizeof view.target);
    view.half_extent[0] = 1.0f / projection[0][0];
    view.half_extent[1] = 1.0f / projection[1][1];
    view.pixel_size = 2.0f * view.half_extent[1] / (float)height;

    view.edge_width = EDGE_WIDTH * glm_clamp(camera->fov_deg / EDGE_FULL_FOV, 0.0f, 1.0f);
    view.fixed_distance = camera->orthographic ? fabsf(camera->distance) : 0.0f;
    return view;
}

void view_surround(View *view, const float turn[3][3], float shift, float half_extent, int side)
{
    CameraAxes *axes = &view->axes;
    float rows[3][3];
    mat4 projection;

    for (int i = 0; i < 3; i++) {
        axes->eye[i] += shift * axes->right[i];
        for (int row = 0; row < 3; row++)
            rows[row][i] = turn[row][0] * axes->right[i] + turn[row][1] * axes->up[i] +
                           turn[row][2] * axes->forward[i];
    }
    glm_mat4_zero(projection);
    projection[0][0] = projection[1][1] = 1.0f / half_extent;
    projection[2][3] = 1.0f;
    projection[3][2] = NEAR_PLANE;
    set_clip(view, rows, projection);
    view->surrounds = view->reversed_depth = true;
    view->half_extent[0] = view->half_extent[1] = half_extent;
    view->pixel_size = 2.0f * half_extent / (float)side;
    view->edge_width = EDGE_WIDTH;
    view->fixed_distance = 0.0f;
}

void view_distances(float *depths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        depths[i] = depths[i] > 0.0f ? NEAR_PLANE / depths[i] : 0.0f;
}

/* A column of a matrix for row vectors: `scale` times the coordinate along an axis from the eye. */
static void axis_column(double out[4], const View *view, const float axis[3], double scale)
{
    out[3] = 0;
    for (int i = 0; i < 3; i++) {
        out[i] = scale * (double)axis[i];
        out[3] -= scale * (double)axis[i] * (double)view->axes.eye[i];
    }
}

ImageCamera view_image_camera(const View *view)
{
    ImageCamera camera = {.half_extent = {view->half_extent[0], view->half_extent[1]},
                          .orthographic = !view->reversed_depth};
    const CameraAxes *axes = &view->axes;
    const double one[4] = {0, 0, 0, 1};
    double right[4], up[4], ahead[4], x[4], y[4];

    axis_column(right, view, axes->right, 1);
    axis_column(up, view, axes->up, 1);
    axis_column(ahead, view, axes->forward, 1);
    axis_column(x, view, axes->right, 0.5 / (double)view->half_extent[0]);
    axis_column(y, view, axes->up, -0.5 / (double)view->half_extent[1]);
    const double *w = camera.orthographic ? one : ahead, *z = camera.orthographic ? ahead : one;
    for (int row = 0; row < 4; row++) {
        const double world[4] = {right[row], up[row], ahead[row], one[row]};
        const double ndc[4] = {x[row] + 0.5 * w[row], y[row] + 0.5 * w[row], z[row], w[row]};
        for (int column = 0; column < 4; column++) {
            camera.world_to_camera[row][column] = (float)world[column];
            camera.world_to_ndc[row][column] = (float)ndc[column];
        }
    }
    return camera;
}

void view_placement(mat4 out, const Placement *placement)
{
    versor rotation;

    memcpy(rotation, placement->rotation, sizeof rotation);
    glm_quat_mat4(rotation, out);
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            out[column][row] *= placement->scale;
    memcpy(out[3], placement->position, sizeof placement->position);
}

/* Transforms a world direction into the model's space. */
static void direction_in_model(float out[4], const Placement *placement, const float direction[3])
{
    versor rotation, inverse;
    vec3 world, turned;

    memcpy(rotation, placement->rotation, sizeof rotation);
    memcpy(world, direction, sizeof world);
    glm_quat_conjugate(rotation, inverse);
    glm_quat_rotatev(inverse, world, turned);
    memcpy(out, turned, sizeof turned);
    out[3] = 0.0f;
}

ModelBlock view_for_model(const View *view, const Placement *placement)
{
    ModelBlock block;
    View copy = *view;
    mat4 world;
    vec3 offset;

    view_placement(world, placement);
    glm_mat4_mul(copy.clip, world, block.clip);
    direction_in_model(block.light, placement, view->to_light);
    direction_in_model(block.right, placement, view->axes.right);
    direction_in_model(block.up, placement, view->axes.up);
    for (int i = 0; i < 3; i++)
        offset[i] = view->axes.eye[i] - placement->position[i];
    direction_in_model(block.eye, placement, offset);
    for (int i = 0; i < 3; i++)
        block.eye[i] /= placement->scale;
    return block;
}

bool view_for_ground(ModelBlock *block, const View *view, const Placement *placement)
{
    const float *d = view->to_light;
    View copy = *view;
    mat4 flat, world, flat_world;

    if (!(d[1] > 1e-3f)) /* parallel to the ground or from below: the shadow would be unbounded */
        return false;
    glm_mat4_identity(flat);
    flat[1][0] = -d[0] / d[1];
    flat[1][1] = 0.0f;
    flat[1][2] = -d[2] / d[1];
    flat[3][0] = view->ground * d[0] / d[1];
    flat[3][1] = view->ground;
    flat[3][2] = view->ground * d[2] / d[1];

    view_placement(world, placement);
    glm_mat4_mul(flat, world, flat_world);
    memset(block, 0, sizeof *block);
    glm_mat4_mul(copy.clip, flat_world, block->clip);
    return true;
}

float view_edge_width(const View *view, const float center[3])
{
    vec3 eye, at;

    if (view->fixed_distance > 0.0f)
        return view->edge_width * view->fixed_distance;
    memcpy(eye, view->axes.eye, sizeof eye);
    memcpy(at, center, sizeof at);
    return view->edge_width * glm_vec3_distance(eye, at);
}

float view_edge_pixels(const View *view)
{
    const float distance = view->fixed_distance > 0.0f ? view->fixed_distance : 1.0f;

    return view->edge_width * distance / view->pixel_size;
}

void view_place(float out[3], const Placement *placement, const float point[3])
{
    versor rotation;
    vec3 scaled, turned;

    memcpy(rotation, placement->rotation, sizeof rotation);
    for (int i = 0; i < 3; i++)
        scaled[i] = point[i] * placement->scale;
    glm_quat_rotatev(rotation, scaled, turned);
    for (int i = 0; i < 3; i++)
        out[i] = turned[i] + placement->position[i];
}

/* ---- lens ---- */

void lens_apply(View *view, const RenderLens *lens, int width, int height)
{
    const bool orthographic = view->fixed_distance > 0.0f;
    const float *axes[2] = {view->axes.right, view->axes.up};
    const float sizes[2] = {(float)width, (float)height}, down[2] = {1.0f, -1.0f};

    for (int i = 0; i < 2; i++) {
        const float offset = orthographic ? 0.0f : lens->offset[i];
        const float scale = 1.0f / view->half_extent[i];
        const float shift =
            scale * offset / lens->focus + 2.0f * lens->pixel[i] * down[i] / sizes[i];

        for (int column = 0; column < 4; column++)
            view->clip[column][i] += shift * view->clip[column][3];
        view->clip[3][i] -= scale * offset;
        for (int k = 0; k < 3; k++)
            view->axes.eye[k] += axes[i][k] * offset;
        view->half_extent[i] *=
            1.0f + fabsf(shift); /* the image is no longer centered on the view */
    }
}
