// SPDX-License-Identifier: MIT
/*
 * hlsl_peer.h - another translator of HLSL: glslang, with spirv-cross for GLSL
 *
 * Both are programs of packages that only tests need.
 */
#ifndef SUPPORT_HLSL_PEER_H
#define SUPPORT_HLSL_PEER_H

#include <stdbool.h>

#include "base/arena.h"

/* False, after a line on stderr, without the programs. */
bool hlsl_peer_exists(void);

/* GLSL 330 of a pixel shader, without its #version; NULL if the other translator refuses it or
 * crashes. */
const char *hlsl_peer_translate(const char *text, const char *entry, Arena *arena);

#endif
