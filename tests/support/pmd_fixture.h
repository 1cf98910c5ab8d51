// SPDX-License-Identifier: MIT
/*
 * pmd_fixture.h - builds a PMD file part by part
 *
 * Three vertices, three materials, ten bones, two IKs of one goal, two morphs, English names,
 * toons, three bodies, the last simulated without a bone, and a joint; parts may be omitted from
 * the end, as in older files.
 */
#ifndef SUPPORT_PMD_FIXTURE_H
#define SUPPORT_PMD_FIXTURE_H

#include "byte_list.h"

enum {
    PMD_CENTER,
    PMD_KNEE,
    PMD_FOOT,
    PMD_GOAL,
    PMD_FOLLOWER,
    PMD_SOURCE,
    PMD_PARTLY,
    PMD_TWIST,
    PMD_TIP,
    PMD_CHILD,
    PMD_BONES
};

/* Replaces the contents of the list by the complete file. */
void pmd_put_all(ByteList *b);

/* Its parts, in this order.  Old parts: IK, morphs and display frames, which every file has.
 */
void pmd_put_geometry(ByteList *b);
void pmd_put_bones(ByteList *b);
void pmd_put_old_parts(ByteList *b);
void pmd_put_english(ByteList *b);
void pmd_put_toons(ByteList *b);
void pmd_put_physics(ByteList *b);

/* One bone (extra: the field after its type), one IK of two links, the second the center. */
void pmd_put_bone(ByteList *b, const char *name, unsigned parent, unsigned tail, unsigned type,
                  unsigned extra, float y);
void pmd_put_ik(ByteList *b, unsigned bone, unsigned effector, float weight, unsigned link);

#endif
