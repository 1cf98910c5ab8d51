// SPDX-License-Identifier: MIT
/*
 * script.h - the script commands of a technique or a pass, with their names resolved to indices
 *
 * "RenderColorTarget0=ScnMap; Clear=Color; Pass=Blur;": commands that end with a semicolon; names
 * of commands match without case.  What is unknown or misplaced is left out; `ignored` names the
 * first such command.  README 3 lists the commands.
 */
#pragma once

#include "base/arena.h"
#include "effect/effect.h"

typedef enum FxCommandKind {
    FX_COLOR_TARGET, /* number: 0..3; parameter: the target, or -1 for the default */
    FX_DEPTH_TARGET, /* parameter, as above */
    FX_SET_COLOR,    /* parameter: what Clear=Color clears to */
    FX_SET_DEPTH,
    FX_CLEAR_COLOR,
    FX_CLEAR_DEPTH,
    FX_EXTERNAL, /* draws what is inside of this effect: other effects, the scene */
    FX_PASS,     /* number: of the pass in its technique */
    FX_LOOP,     /* parameter: the number of turns; number: index of its LOOP_END */
    FX_LOOP_END, /* number: index of its LOOP */
    FX_LOOP_GET, /* parameter: gets the turn of the innermost loop, from 0 */
    FX_LOOP_SET, /* parameter: its value becomes the turn */
    FX_DRAW_GEOMETRY,
    FX_DRAW_BUFFER
} FxCommandKind;

typedef struct FxCommand {
    FxCommandKind kind;
    int number;
    int parameter;
} FxCommand;

typedef struct FxScript {
    const FxCommand *commands;
    size_t count;
    const char *ignored; /* a command that has no effect; NULL: none */
} FxScript;

enum { FX_MAX_COMMANDS = 1024, FX_MAX_LOOP_DEPTH = 8 };

/* technique: whose passes a script may run; NULL: the script of a pass, which draws. */
FxScript fx_script_parse(const char *text, const Effect *effect, const EffectTechnique *technique,
                         Arena *arena);

/* What a technique without a script does: all its passes in order; or a pass: Draw=Geometry. */
FxScript fx_script_default(const EffectTechnique *technique, Arena *arena);

/* Whether it has a command of the kind. */
bool fx_script_has(const FxScript *script, FxCommandKind kind);
