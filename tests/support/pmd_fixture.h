/*
 * pmd_fixture.h - a PMD file made by hand, part by part
 *
 * Three vertices, three materials, ten bones, two IKs of one goal, two morphs, English names,
 * toons, two bodies and a joint; each part may be left out from the end, as older files do.
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

/* The whole file, in place of what is in the list. */
void pmd_put_all(ByteList *b);

/* Its parts, in this order.  Old parts: IK, morphs and what is shown where, which every file has.
 */
void pmd_put_geometry(ByteList *b);
void pmd_put_bones(ByteList *b);
void pmd_put_old_parts(ByteList *b);
void pmd_put_english(ByteList *b);
void pmd_put_toons(ByteList *b);
void pmd_put_physics(ByteList *b);

/* One bone (extra: the field behind its type), one IK of two links, the second the centre. */
void pmd_put_bone(ByteList *b, const char *name, unsigned parent, unsigned tail, unsigned type,
                  unsigned extra, float y);
void pmd_put_ik(ByteList *b, unsigned bone, unsigned effector, float weight, unsigned link);

#endif
