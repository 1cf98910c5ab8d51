/*
 * emm.h - which effects MikuMikuEffect draws a project with: the text beside a .pmm
 *
 * Sections of KEY = VALUE lines (format/README.md 4).  Texts are UTF-8; paths as in the file
 * (Windows).  All memory is in the arena.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum { EMM_MAX_SIZE = 4 << 20 };

typedef struct EmmEntry {
    const char *section; /* "Object", "Effect" or "Effect@NAME"; never empty */
    const char *object;  /* "Pmd1", "Acs2[3]" */
    const char *path;    /* path of a model or an effect; never empty, "none" or "hide" */
} EmmEntry;

typedef struct Emm {
    EmmEntry *entries; /* in the order of the file */
    size_t count;
} Emm;

/* Comments, other sections and lines that are not understood are skipped.  False after an error:
 * larger than EMM_MAX_SIZE. */
bool emm_load(Emm *emm, Bytes bytes, Arena *arena, Diag *diag);

/* Whether an entry assigns an effect, not names an object. */
bool emm_is_effect(const EmmEntry *entry);
