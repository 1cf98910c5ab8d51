// SPDX-License-Identifier: MIT
/*
 * hall.h - the demo in a vaulted hall of 300,000 triangles, which shows what a large stage costs
 *
 * It extends along z, around a dais; nothing in it receives self-shadows.  Every run makes the
 * same bytes.
 */
#ifndef SUPPORT_HALL_H
#define SUPPORT_HALL_H

#include "demo/dance.h"
#include "format/model/pmx.h"

PmxModel hall_make(Arena *arena);

/* A still camera for the first half of the dance, then shots that move. */
VmdMotion hall_camera_make(Arena *arena);

/* Writes the files of the demo (demo/demo.h), hall.pmx, its textures, hall-camera.vmd and the job
 * hall.yaml into `directory`, which is created if it does not exist. */
bool hall_write(const char *directory, Arena *arena, Diag *diag);

#endif
