#include "convert/export/gltf_camera.h"

#include <math.h>
#include <string.h>

#include "convert/export/gltf_mesh.h"
#include "math/rotation.h"
#include "render/view.h"

/* Metres.  Viewers have depths of 24 bits, so the near plane is that of MMD, 0.5 units. */
static const double NEAR_PLANE = 0.04, FAR_PLANE = 8000;

Placement gltf_camera_placement(const CameraState *camera)
{
    const CameraAxes axes = camera_axes(camera);
    const Quat turn =
        quat_from_euler_yxz(/* as camera_axes */
                            -(double)camera->rotation[0], -(double)camera->rotation[1],
                            -(double)camera->rotation[2]);
    Placement placement = {.scale = 1};
    memcpy(placement.position, axes.eye, sizeof placement.position);
    quat_store(placement.rotation, turn);
    return placement;
}

bool gltf_camera_changes(const CameraState *cameras, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (cameras[i].fov_deg != cameras[0].fov_deg ||
            cameras[i].orthographic != cameras[0].orthographic)
            return true;
    return false;
}

static void write_number(Json *json, const char *key, double value)
{
    json_key(json, key);
    json_double(json, value);
}

static void write_lens(Json *json, const CameraState *camera, const View *view)
{
    const double width = (double)view->half_extent[0], height = (double)view->half_extent[1];
    if (camera->orthographic) {
        write_number(json, "xmag", width * (double)GLTF_SCALE);
        write_number(json, "ymag", height * (double)GLTF_SCALE);
    } else {
        write_number(json, "aspectRatio", width / height);
        write_number(json, "yfov", 2 * atan(height));
    }
    write_number(json, "znear", NEAR_PLANE);
    write_number(json, "zfar", FAR_PLANE);
}

void gltf_camera_write(Json *json, const CameraState *camera, int width, int height)
{
    const char *type = camera->orthographic ? "orthographic" : "perspective";
    const View view = view_of(camera, &LIGHT_DEFAULT, width, height);
    json_pair_open(json, "cameras", '[');
    json_open(json, '{');
    json_pair_text(json, "type", type);
    json_pair_open(json, type, '{');
    write_lens(json, camera, &view);
    json_close(json, '}');
    json_close(json, '}');
    json_close(json, ']');
}
