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

/*
 * Writes figure.pmx, stage.pmx, their textures, dance.vmd, camera.vmd, tune.wav and tune.mid, which
 * takes seconds, into `directory`, which is created if it does not exist; `approval` (or NULL) is
 * asked before a file is replaced.
 */
bool demo_write(const char *directory, const FileApproval *approval, Arena *arena, Diag *diag);

/* The same for DEMO_JOB, whose film is demo.mp4 beside them. */
bool demo_write_job(const char *directory, const FileApproval *approval, Arena *arena, Diag *diag);
