// SPDX-License-Identifier: MIT
/*
 * vrma_fixture.h - a VRM animation, written byte by byte
 *
 * Three nodes, children first: 0 "leg" (leftUpperLeg) below 1 "hips", below 2 "root", which has
 * scale 2 and is turned by 90 degrees about +y.  Keys of the hips: translation at 0, 1 and 2 s,
 * (0, 1, 0), (4, 1, 0), (4, 3, 0); rotation of the leg at 0 and 2 s, from 0 to 90 degrees about +x.
 */
#ifndef SUPPORT_VRMA_FIXTURE_H
#define SUPPORT_VRMA_FIXTURE_H

#include "base/arena.h"
#include "base/file.h"

/* The JSON text of the file; `from` in it is replaced by `to`, once, if it is not NULL. */
Bytes vrma_fixture(const char *from, const char *to, Arena *arena);

#endif
