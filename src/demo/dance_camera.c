// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/units.h"
#include "demo/dance.h"

static const DanceShot SHOTS[] = {
    {0, false, {0, 8.6f, 0}, 46, -3, 0, 0, 30},
    {5, false, {0, 9.2f, 0}, 34, -2, 12, 0, 30},
    {5, true, {0, 12.3f, 0}, 15, 2, -22, 2, 30}, /* close-up of the face */
    {8, false, {0.2f, 11.8f, 0}, 17, 0, 8, -1, 30},
    {8, true, {0.6f, 7.6f, 0}, 38, -4, -10, 0, 30}, /* side steps, followed */
    {12, false, {1.8f, 7.8f, 0}, 34, -4, 6, 0, 30},
    {16, false, {0, 8.0f, 0}, 33, -4, 14, 0, 30},
    {16, true, {0, 8.2f, -0.6f}, 25, 12, -24, -3, 34}, /* from below */
    {20, false, {0, 8.0f, 0}, 27, 10, 18, 2, 34},
    {20, true, {0, 7.8f, 0}, 36, -6, 42, 0, 30}, /* kicks from the side */
    {24, false, {0, 8.4f, 0}, 37, -4, -16, 0, 30},
    {27.5, false, {0, 9.0f, 0}, 36, -2, 8, 0, 30},
    {28.2, true, {0, 8.6f, 0}, 30, 9, 16, 0, 38}, /* jumps */
    {32, false, {0, 8.8f, 0}, 31, 9, -16, 0, 38},
    {36, false, {0, 8.4f, 0}, 40, -2, 0, 0, 30},
    {36, true, {0, 9.4f, 0}, 28, -3, -42, 0, 30}, /* around the dancer */
    {40, false, {0, 9.6f, 0}, 24, -2, 26, 0, 30},
    {40, true, {0, 11.9f, 0}, 13.5f, 1, 10, 0, 30}, /* close-up */
    {42.6, false, {0, 11.6f, 0}, 18, 0, -8, 0, 30},
    {42.6, true, {0, 8.0f, 0}, 34, -8, 10, 0, 30},
    {45, false, {0, 8.6f, 0}, 36, -4, 4, 0, 30},
    {46.2, false, {-0.3f, 9.2f, 0}, 30, -1, -6, 0, 30},
    {47.1, false, {-0.3f, 9.2f, 0}, 29, -1, -7, 0, 30},
    {48, false, {0, 8.6f, 0}, 46, -3, 0, 0, 30},
};

enum { SHOT_COUNT = sizeof SHOTS / sizeof *SHOTS };

static VmdCameraKey camera_key(const DanceShot *shot, uint32_t frame)
{
    const float radians = (float)RADIANS;
    const Curve ease = {40, 10, 87, 117};

    return (VmdCameraKey){
        .frame = frame,
        .distance = -shot->distance,
        .target = {shot->target[0], shot->target[1], shot->target[2]},
        .rotation = {shot->tilt * radians, shot->orbit * radians, shot->roll * radians},
        .curves = {ease, ease, ease, ease, ease, ease},
        .fov_deg = shot->fov_deg};
}

VmdMotion dance_shots(const DanceShot *shots, uint32_t count, Arena *arena)
{
    VmdCameraKey *keys = arena_array(arena, VmdCameraKey, count);

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t frame = (uint32_t)lrint(shots[i].beat * DANCE_BEAT);
        keys[i] = camera_key(&shots[i], i + 1 < count && shots[i + 1].cut ? frame - 1 : frame);
    }
    return (VmdMotion){
        .model_name = "カメラ・照明", .camera_keys = keys, .camera_key_count = count};
}

VmdMotion dance_camera_make(Arena *arena)
{
    return dance_shots(SHOTS, SHOT_COUNT, arena);
}
