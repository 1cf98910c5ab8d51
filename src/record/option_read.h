// SPDX-License-Identifier: MIT
/*
 * option_read.h - from a YAML tree to a struct, by a table of options
 *
 * Checks everything: types, ranges, choices, required keys, unknown keys (with the nearest known
 * one).  Reports up to OPTION_MAX_ERRORS errors, each at its place in the file.
 */
#pragma once

#include "record/option_error.h"
#include "record/option_parse.h"
#include "record/options.h"
#include "record/yaml.h"

/* Fills the struct at `out` from the map `root` and from defaults. */
bool option_read(void *out, const OptionTable *table, const YamlNode *root, OptionReader *reader);

/* Reports a key that is in no row, with the keys that may be meant; `name` is the dotted key.
 * Returns false. */
bool option_unknown_key(const YamlNode *key, const OptionTable *table, const char *name,
                        OptionReader *reader);

/* The default of a row, as a node at the position of `near`. */
const YamlNode *option_default_node(const Option *option, const YamlNode *near,
                                    OptionReader *reader);

/* A short form ("song.wav") as a map ({file: song.wav}); a list where the short key is one of
 * texts; any other node unchanged. */
const YamlNode *option_expand_short(const YamlNode *node, const OptionTable *table,
                                    OptionReader *reader);

/* The rows of which a rule allows at most one (Option.at_most_one), in `out`; returns their number.
 */
enum { OPTION_RULE_KEYS = 4 };
size_t option_rule_keys(const Option *out[OPTION_RULE_KEYS], const OptionTable *table,
                        const Option *rule);
