// SPDX-License-Identifier: MIT
/*
 * option_set.h - "--set dotted.key=value", applied to a tree before it is read
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "record/options.h"
#include "record/yaml.h"

/*
 * Sets one key.  In a list a word of the key is an index from 0; the length of the list appends an
 * item.  A missing section starts with its defaults, and a short form is expanded, so that
 * "audio.gain_db=-3" works on "audio: song.wav".
 *
 * table    of the root
 * source   the text "key=value" with `start` at the value; must outlive the tree, for messages
 */
bool option_set(YamlNode *root, const OptionTable *table, const YamlSource *source, Arena *arena,
                Diag *diag);

/* Sets the key of an item of a map from dotted keys to values. */
bool option_overlay(YamlNode *root, const OptionTable *table, const YamlNode *value, Arena *arena,
                    Diag *diag);
