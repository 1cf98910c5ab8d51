/*
 * option_set.h - "--set dotted.key=value", laid into a job's tree before it is read
 */
#ifndef JOB_OPTION_SET_H
#define JOB_OPTION_SET_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "format/yaml.h"

/*
 * In a list a word of the key is an index from 0; the count itself appends.  What is not there yet
 * begins with its default, and a short form is spelled out, so "audio.gain_db=-3" works on "audio:
 * song.wav".
 *
 * source   the text "key=value", `start` at the value; must outlive the tree, for messages
 */
bool option_set(YamlNode *root, const YamlSource *source, Arena *arena, Diag *diag);

/* The same for each value of a map whose keys are dotted; all errors of it are told. */
bool option_overlay(YamlNode *root, const YamlNode *layer, Arena *arena, Diag *diag);

#endif
