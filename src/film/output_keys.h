// SPDX-License-Identifier: MIT
/*
 * output_keys.h - keys of outputs that have no effect on their format
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "job/job.h"

/*
 * Whether the command line and a batch set only keys of outputs that their formats have, such as no
 * outputs.0.preset of images.  What the job file itself sets beyond that has no effect, so that one
 * job can be written in several formats.  Errors: DIAG_JOB, at the keys.
 */
bool output_keys_check(const Job *job, Arena *arena, Diag *diag);
