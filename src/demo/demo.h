// SPDX-License-Identifier: MIT
/*
 * demo.h - the built-in demo, which needs no other assets
 *
 * Everything is generated: a dancer and a stage (PMX, with textures as PNG), a dance and a camera
 * motion (VMD), a tune (WAV, and its notes as MIDI) and the job file that combines them.  Every run
 * writes the same bytes.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

#define DEMO_JOB "demo.yaml"
#define DEMO_HALL_JOB "hall.yaml"

/*
 * Writes figure.pmx, stage.pmx, their textures, dance.vmd, camera.vmd, tune.wav, tune.mid and
 * DEMO_JOB into `directory`, which is created if it does not exist; `approval` (or NULL) is asked
 * before a file is replaced.  The job's film is demo.mp4 beside them.
 * hall     in addition hall.pmx (demo/stage.h), its textures, hall-camera.vmd and DEMO_HALL_JOB,
 *          whose film is hall.mp4
 */
bool demo_write(const char *directory, bool hall, const FileApproval *approval, Arena *arena,
                Diag *diag);
