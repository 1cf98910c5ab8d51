// SPDX-License-Identifier: MIT
/*
 * pmd_convert.h - the fields in which PMD differs from PMX; filled by pmd.c, read by pmd_convert.c
 *
 * The reader fills `model` where both formats agree, and stores the other fields here unchanged.
 */
#pragma once

#include "format/model/pmx.h"

enum { PMD_NONE = 0xFFFF, PMD_TOONS = 10, PMD_NO_TOON = 0xFF };

typedef enum PmdBoneType {
    PMD_ROTATE,
    PMD_ROTATE_MOVE,
    PMD_IK_GOAL,
    PMD_UNKNOWN,
    PMD_IK_LINK,
    PMD_APPEND, /* has the rotation of bone `extra` added */
    PMD_IK_EFFECTOR,
    PMD_HIDDEN,
    PMD_TWIST,       /* rotates only around the line to its tail */
    PMD_APPEND_RATIO /* has extra % of the rotation of its tail bone added */
} PmdBoneType;

typedef struct PmdBone {
    uint16_t tail, extra;
    uint8_t type; /* PmdBoneType */
} PmdBone;

typedef struct PmdIk {
    uint16_t bone, effector, loops;
    float weight;
    const uint8_t *links; /* u16 each, in the file */
    uint8_t link_count;
} PmdIk;

typedef struct PmdDisplayItem {
    uint16_t index;
    uint8_t group; /* 1-based; 0: in the root frame */
} PmdDisplayItem;

typedef struct Pmd {
    PmxModel *model;
    Arena *arena, *scratch;
    Diag *diag;

    PmdBone *bones;          /* beside model->bones */
    uint8_t *material_toons; /* beside model->materials: index in toons, or PMD_NO_TOON */
    const char *toons[PMD_TOONS];
    PmdIk *iks;
    uint32_t ik_count;

    /* Offsets of all morphs are indices into the base morph, which is not a morph of the model. */
    uint32_t *base;
    uint32_t base_count;
    int32_t *morph_index; /* index of a morph in the file -> in the model, or -1 */
    uint32_t file_morph_count;

    PmdDisplayItem *display_morphs, *display_bones;
    uint32_t display_morph_count, display_bone_count;
    const char **groups, **groups_en;
    uint32_t group_count;
} Pmd;

/* Converts these fields to those of PMX; the caller then calls pmx_repair. */
void pmd_convert(Pmd *pmd);
