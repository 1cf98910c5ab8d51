// SPDX-License-Identifier: MIT
/*
 * emm.h - which effects MikuMikuEffect draws with: the text beside a .pmm (.emm) or of one model
 * (.emd)
 *
 * Sections of KEY = VALUE lines (format/README.md 3).  Texts are UTF-8; paths as in the file
 * (Windows).  All memory is in the arena.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum { EMM_MAX_SIZE = 4 << 20, EMM_MAX_ENTRIES = 1 << 16 };

typedef enum EmmKind {
    EMM_FILE,   /* the path of a model, or of an effect; "none" or "hide" */
    EMM_SHOW,   /* "true" or "false": whether the object is drawn */
    EMM_OWNER,  /* the object whose effect has the target of the section */
    EMM_DEFAULT /* rules for other objects */
} EmmKind;

typedef struct EmmEntry {
    const char *section; /* "Object", "Effect" or "Effect@NAME"; never empty */
    EmmKind kind;
    const char *object; /* "Pmd1", "Acs2", in an .emd "Obj"; "" of OWNER and DEFAULT */
    int32_t subset;     /* the material; -1: all of the object */
    const char *value;  /* never empty */
} EmmEntry;

typedef struct Emm {
    EmmEntry *entries; /* in the order of the file */
    size_t count;
} Emm;

/* Comments, other sections and lines that are not understood are skipped.  False after an error:
 * larger than EMM_MAX_SIZE, more than EMM_MAX_ENTRIES. */
bool emm_load(Emm *emm, Bytes bytes, Arena *arena, Diag *diag);

/* Whether an entry assigns an effect, neither names an object nor "none" or "hide". */
bool emm_is_effect(const EmmEntry *entry);

/* The target of offscreen drawing that the section is about; NULL: the frame. */
const char *emm_target(const EmmEntry *entry);

/* What draws the object or material of an entry: a path, "none" or "hide", which is also that of
 * one that is not shown; NULL if the entry says nothing of that. */
const char *emm_effect(const EmmEntry *entry);
