/*
 * demo.h - the built-in demo, which needs no outside asset
 *
 * Everything is made by code: a dancer and a stage (PMX, with pictures as PNG), a dance and a
 * camera (VMD), a tune (WAV, and its notes as
 * MIDI) and the job file that puts them together.  The same bytes on every
 * run.
 */
#ifndef DEMO_DEMO_H
#define DEMO_DEMO_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

#define DEMO_JOB "demo.yaml"

/* Writes figure.pmx, stage.pmx, their pictures, dance.vmd, camera.vmd, tune.wav, tune.mid and
 * DEMO_JOB into `folder`, which is made if it is not there.  The job's film is demo.mp4 beside
 * them. */
bool demo_write(const char *folder, Arena *arena, Diag *diag);

#endif
