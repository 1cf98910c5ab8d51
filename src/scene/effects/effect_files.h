// SPDX-License-Identifier: MIT
/*
 * effect_files.h - the files of effects: where they may be, and which were read
 *
 * Effects, what they include, pictures and .emd are looked for below the directories of the models
 * and effects that a scene names, and nowhere else: "../" is followed only inside of these.  Names
 * are compared as those of textures (base/path.h), so that '\' and any letter case do.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

typedef struct EffectFiles EffectFiles;

EffectFiles *effect_files_create(Arena *arena);

/* `path` with "x/..", "./" and "//" removed; in the arena.  Paths of this header have this form. */
const char *effect_files_normalize(const char *path, Arena *arena);

/* Adds the directory of a file, or the archive that it is in, to those that may be read below. */
void effect_files_allow(EffectFiles *files, const char *file);

/* The file that a file in `directory` means by a name; NULL if there is none.  tail: also a file
 * of which only the last parts of the path exist below the directory */
const char *effect_files_find(EffectFiles *files, const char *directory, const char *name,
                              bool tail);

/* Notes a file that was read; each is listed once. */
void effect_files_add(EffectFiles *files, const char *path);

/* EffectRead of effect/effect.h, with EffectFiles as its user: texts are kept for the next effect
 * that includes them. */
struct EffectText;
bool effect_files_read(void *files, struct EffectText *text, const char *path);

typedef ARENA_LIST(const char *) EffectFileNames;
const EffectFileNames *effect_files_names(const EffectFiles *files);
