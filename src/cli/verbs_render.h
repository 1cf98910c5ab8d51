/*
 * verbs_render.h - the verbs that render or evaluate a film: render, join, preview, bake, demo
 */
#ifndef CLI_VERBS_RENDER_H
#define CLI_VERBS_RENDER_H

#include "cli/arguments.h"

VerbFunction verb_render, verb_join, verb_preview, verb_bake, verb_demo;

#endif
