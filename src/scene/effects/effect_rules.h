// SPDX-License-Identifier: MIT
/*
 * effect_rules.h - the small languages of assignments: names with wildcards, numbers of materials,
 * the text of DefaultEffect
 *
 * Pure functions (scene/effects/README.md 2).
 */
#pragma once

#include "base/arena.h"
#include "format/model/pmx.h"

/* Whether a name matches a pattern with '*' and '?', without case. */
bool effect_rules_match(const char *pattern, const char *name);

/* Whether a material has a name, or is in a list of numbers from 0 like "0-3,5,12-".  A name comes
 * first: with a material "3" in the model, "3" is that. */
bool effect_rules_has_material(const char *names, const PmxModel *pmx, uint32_t material);

typedef struct EffectRule {
    const char *object; /* "self", or the pattern of a file name */
    const char *file;   /* "none", "hide", "main_default" or the path of an effect */
} EffectRule;

typedef struct EffectRules {
    EffectRule *items;
    size_t count;
} EffectRules;

/* "self = hide; *.x = a.fx;"; parts without '=' are skipped. */
EffectRules effect_rules_parse(const char *text, Arena *arena);

/* The first rule for an object; NULL if there is none.  is_self: it owns the target */
const EffectRule *effect_rules_find(const EffectRules *rules, const char *object, bool is_self);
