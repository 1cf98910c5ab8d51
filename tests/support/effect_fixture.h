// SPDX-License-Identifier: MIT
/*
 * effect_fixture.h - effects for tests, from texts in memory
 */
#ifndef SUPPORT_EFFECT_FIXTURE_H
#define SUPPORT_EFFECT_FIXTURE_H

#include "diag_log.h"
#include "effect/effect.h"

/* A file that can be included; the last one of a list has no path. */
typedef struct EffectFile {
    const char *path, *text;
} EffectFile;

typedef struct EffectFixture {
    Arena *arena;
    DiagLog log;
    Effect *effect; /* NULL after an error */
} EffectFixture;

/* Loads "pack/a.fx"; files: NULL for none. */
bool effect_fixture_load(EffectFixture *fixture, const char *text, const EffectFile *files);

/* The same for an effect whose pixel shader runs the statements, which set the float4 `o`, after
 * the global declarations. */
bool effect_fixture_shader(EffectFixture *fixture, const char *globals, const char *statements);

void effect_fixture_finish(EffectFixture *fixture);

/* The pixel shader of the first pass. */
const EffectShader *effect_fixture_fragment(const EffectFixture *fixture);

/* Loads an effect of a directory with what it includes; letter case of names does not matter. */
bool effect_fixture_open(EffectFixture *fixture, const char *path);

/* The source of such an effect; it lives as long as the fixture, whose effect is not loaded. */
bool effect_fixture_source(EffectFixture *fixture, EffectSource *source, const char *path);

typedef ARENA_LIST(const char *) EffectPaths;

/* All .fx of the packages in the shared data, in order of their names; none, and a line on stderr,
 * without that data. */
EffectPaths effect_fixture_packages(Arena *arena);

#endif
