/*
 * vmd_write.h - serializes a VmdMotion ("Vocaloid Motion Data 0002"), all six sections
 *
 * For the built-in demo and for test fixtures.  The bytes are in the arena.
 */
#pragma once

#include "format/motion/vmd.h"

Bytes vmd_write(const VmdMotion *motion, Arena *arena);
