// SPDX-License-Identifier: MIT
#include "render/panorama.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* Pixels beyond each edge of a face; a filter reaches 1.7 pixels. */
enum { BORDER = 3, CUBE_COLUMNS = 3, CUBE_ROWS = 2 };

/* Half the diagonal view of a face behind the camera begins at this angle: acos(-1 / sqrt(3)). */
static const double BACK_ANGLE = 2.18627604;

/* right, up and forward of each face.  Up has its top ahead and down has it behind, as in the
 * cube maps of libavutil and of Google's Spherical Video V2. */
static const float face_axes[PANORAMA_FACES][3][3] = {
    [FACE_RIGHT] = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}},
    [FACE_LEFT] = {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
    [FACE_UP] = {{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
    [FACE_DOWN] = {{-1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
    [FACE_FRONT] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [FACE_BACK] = {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
};

/* The smaller side of a pixel in the middle of the image, radians. */
static double pixel_angle(const Panorama *p)
{
    const double width = p->width, height = p->height;

    switch (p->options.projection) {
    case PROJECTION_EQUIRECT:
        return fmin(2 * PI / width, PI / height);
    case PROJECTION_VR180:
        return PI / fmax(width, height);
    case PROJECTION_FISHEYE:
        return (double)p->options.angle / fmin(width, height);
    case PROJECTION_CUBE:
    case PROJECTION_PERSPECTIVE:
        break;
    }
    return 0;
}

Panorama panorama_of(const PanoramaOptions *options, int width, int height)
{
    const Stereo stereo = options->stereo;
    Panorama p = {.options = *options,
                  .width = stereo == STEREO_LEFT_RIGHT ? (width + 1) / 2 : width,
                  .height = stereo == STEREO_TOP_BOTTOM ? (height + 1) / 2 : height,
                  .eyes = stereo == STEREO_NONE ? 1 : 2};

    p.pixel_angle = pixel_angle(&p);
    /* Pixels of a face are largest in its middle, 2 / inner radians. */
    const double inner = p.pixel_angle > 0 ? ceil(2 / p.pixel_angle)
                                           : fmax(floor(p.width / (double)CUBE_COLUMNS), 1);
    p.side = (int)inner + 2 * BORDER;
    p.half_extent = p.side / inner;
    for (int face = 0; face < PANORAMA_FACES; face++)
        p.used[face] = true;
    p.used[FACE_BACK] = options->projection == PROJECTION_FISHEYE
                            ? (double)options->angle / 2 > BACK_ANGLE
                            : options->projection != PROJECTION_VR180;
    return p;
}

void panorama_turn(View *view, const Panorama *p, int eye, PanoramaFace face, int scale)
{
    const float shift = p->eyes > 1 ? p->options.eye_distance * ((float)eye - 0.5f) : 0.0f;

    view_surround(view, face_axes[face], shift, (float)p->half_extent, p->side * scale);
}

static void sphere_direction(double out[3], double longitude, double latitude)
{
    out[0] = cos(latitude) * sin(longitude);
    out[1] = sin(latitude);
    out[2] = cos(latitude) * cos(longitude);
}

static bool fisheye_direction(double out[3], const Panorama *p, double x, double y)
{
    const double radius = fmin(p->width, p->height) / 2;
    const double right = (x - p->width / 2.0) / radius, up = (p->height / 2.0 - y) / radius;
    const double distance = hypot(right, up), angle = distance * (double)p->options.angle / 2;
    const double scale = distance > 0 ? sin(angle) / distance : 0;

    out[0] = right * scale;
    out[1] = up * scale;
    out[2] = cos(angle);
    return distance <= 1;
}

static bool cube_direction(double out[3], const Panorama *p, double x, double y)
{
    const double side = floor(p->width / (double)CUBE_COLUMNS);
    const double column = fmin(fmax(floor(x / side), 0), CUBE_COLUMNS - 1);
    const double row = fmin(fmax(floor(y / side), 0), CUBE_ROWS - 1);
    const float(*axes)[3] = face_axes[(int)(row * CUBE_COLUMNS + column)];
    const double right = 2 * (x / side - column) - 1, up = 1 - 2 * (y / side - row);

    for (int i = 0; i < 3; i++)
        out[i] = right * (double)axes[0][i] + up * (double)axes[1][i] + (double)axes[2][i];
    return fabs(right) <= 1 && fabs(up) <= 1;
}

bool panorama_direction(double out[3], const Panorama *p, double x, double y)
{
    const double right = x / p->width - 0.5, up = 0.5 - y / p->height;

    switch (p->options.projection) {
    case PROJECTION_EQUIRECT:
        sphere_direction(out, 2 * PI * right, PI * up);
        return true;
    case PROJECTION_VR180:
        sphere_direction(out, PI * right, PI * up);
        return true;
    case PROJECTION_FISHEYE:
        return fisheye_direction(out, p, x, y);
    case PROJECTION_CUBE:
        return cube_direction(out, p, x, y);
    case PROJECTION_PERSPECTIVE:
        break;
    }
    return false;
}

static double along(const float axis[3], const double direction[3])
{
    return (double)axis[0] * direction[0] + (double)axis[1] * direction[1] +
           (double)axis[2] * direction[2];
}

PanoramaFace panorama_place(double out[2], const Panorama *p, const double direction[3])
{
    PanoramaFace face = FACE_FRONT;
    double ahead = 0;

    for (int i = 0; i < PANORAMA_FACES; i++) {
        const double d = along(face_axes[i][2], direction);

        if (p->used[i] && d > ahead) {
            ahead = d;
            face = (PanoramaFace)i;
        }
    }
    const double scale = 1 / (p->half_extent * ahead);
    out[0] = (1 + along(face_axes[face][0], direction) * scale) * p->side / 2;
    out[1] = (1 - along(face_axes[face][1], direction) * scale) * p->side / 2;
    return face;
}

/* ---- resampling ---- */

/* The side, in pixels of a face, of what a pixel of the image covers at a direction: pixels of
 * faces become smaller with the angle c from their middle, by cos^2 c away from it and by cos c
 * across.  At least one, which is bilinear interpolation. */
static double filter_side(const Panorama *p, const double direction[3])
{
    double ahead = 0, length = 0;

    for (int i = 0; i < 3; i++) {
        ahead = fmax(ahead, fabs(direction[i]));
        length += direction[i] * direction[i];
    }
    const double face_pixel = 2 * p->half_extent / p->side;
    return fmax(p->pixel_angle / face_pixel * pow(sqrt(length) / ahead, 1.5), 1);
}

/* The pixels that a box covers in one direction, and the part of each that it covers. */
typedef struct Taps {
    int first, count;
    float weights[6];
} Taps;

static Taps taps_of(double middle, double side, int limit)
{
    const double low = fmax(middle - side / 2, 0), high = fmin(middle + side / 2, limit);
    Taps taps = {.first = (int)low};

    for (int i = taps.first; i < limit && i < high && taps.count < 6; i++)
        taps.weights[taps.count++] = (float)(fmin(high, i + 1) - fmax(low, i));
    return taps;
}

/* The mean of a face over a square around a place; colors count as much as they are opaque. */
static void sample(uint8_t out[4], const uint8_t *face, int side, const double place[2],
                   double filter)
{
    const Taps columns = taps_of(place[0], filter, side), rows = taps_of(place[1], filter, side);
    float sums[4] = {0}, weights = 0.0f;

    for (int y = 0; y < rows.count; y++) {
        const uint8_t *pixel =
            face + 4 * ((size_t)(rows.first + y) * (size_t)side + (size_t)columns.first);

        for (int x = 0; x < columns.count; x++, pixel += 4) {
            const float weight = rows.weights[y] * columns.weights[x];
            const float alpha = weight * (float)pixel[3];

            weights += weight;
            sums[3] += alpha;
            for (int i = 0; i < 3; i++)
                sums[i] += alpha * (float)pixel[i];
        }
    }
    for (int i = 0; i < 3; i++)
        out[i] = sums[3] > 0.0f ? (uint8_t)lrintf(sums[i] / sums[3]) : 0;
    out[3] = weights > 0.0f ? (uint8_t)lrintf(sums[3] / weights) : 0;
}

void panorama_resample(Image *image, const Panorama *p, int eye,
                       uint8_t *const faces[PANORAMA_FACES])
{
    const int left = eye * (image->width - p->width), top = eye * (image->height - p->height);

    for (int y = 0; y < p->height; y++) {
        uint8_t *pixel =
            image->pixels + 4 * ((size_t)(top + y) * (size_t)image->width + (size_t)left);

        for (int x = 0; x < p->width; x++, pixel += 4) {
            const uint8_t nothing[4] = {0, 0, 0, image->has_alpha ? 0 : 255};
            double direction[3], place[2];

            if (!panorama_direction(direction, p, x + 0.5, y + 0.5)) {
                memcpy(pixel, nothing, sizeof nothing);
                continue;
            }
            const PanoramaFace face = panorama_place(place, p, direction);
            sample(pixel, faces[face], p->side, place, filter_side(p, direction));
        }
    }
}
