// SPDX-License-Identifier: MIT
/*
 * asset_check.h - whether what a loader accepted is as its header promises
 *
 * Each returns true, or reports the first violation.  They share no code with the loaders, so that
 * they detect mistakes there.
 */
#ifndef SUPPORT_ASSET_CHECK_H
#define SUPPORT_ASSET_CHECK_H

#include "base/diag.h"
#include "format/midi.h"
#include "format/model/pmx.h"
#include "format/motion/vmd.h"

bool pmx_check(const PmxModel *model, Diag *diag);
bool vmd_check(const VmdMotion *motion, Diag *diag);
bool midi_check(const MidiSong *song, Diag *diag);

#endif
