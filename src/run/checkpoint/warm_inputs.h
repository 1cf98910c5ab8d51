// SPDX-License-Identifier: MIT
/*
 * warm_inputs.h - whether the inputs of a film have changed since it was loaded
 *
 * A file is the same while its device, inode, size and times are, because no one but root can set
 * the time of a change of an inode (ctime).  Where that tells nothing (a file that was changed when
 * the film was loaded, or lies in an archive) its contents are digested again.
 */
#pragma once

#include "run/checkpoint/fingerprint.h"

typedef struct WarmInputs WarmInputs;

/* fingerprint: of a film whose loading began at `start_s`, seconds since 1970.  Both stay. */
WarmInputs *warm_inputs_create(const Fingerprint *fingerprint, double start_s, Arena *arena);

/* Whether all files have their contents.  Polls *stop (or NULL): false if set. */
bool warm_inputs_hold(const WarmInputs *inputs, const volatile sig_atomic_t *stop);

/* The digest of a file that is known to be the same without reading it; else NULL. */
const FingerprintInput *warm_inputs_find(const WarmInputs *inputs, const char *file);
