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
 * Writes figure.pmx, stage.pmx, their textures, dance.vmd, camera.vmd, tune.wav and tune.mid, which
 * takes seconds, into `directory`, which is created if it does not exist; `approval` (or NULL) is
 * asked before a file is replaced.
 * hall     in addition hall.pmx (demo/stage.h), its textures and hall-camera.vmd
 */
bool demo_write(const char *directory, bool hall, const FileApproval *approval, Arena *arena,
                Diag *diag);

/* The same for DEMO_JOB and, with `hall`, DEMO_HALL_JOB, whose films are demo.mp4 and hall.mp4
 * beside them. */
bool demo_write_jobs(const char *directory, bool hall, const FileApproval *approval, Arena *arena,
                     Diag *diag);
