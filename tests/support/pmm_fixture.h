// SPDX-License-Identifier: MIT
/*
 * pmm_fixture.h - a project of MikuMikuDance, written field by field (format/README.md 2)
 */
#ifndef SUPPORT_PMM_FIXTURE_H
#define SUPPORT_PMM_FIXTURE_H

#include "byte_list.h"

/*
 * Two models, an accessory, a camera, light, gravity and self-shadow with keys:
 *
 * model 0   "一", C:\MMD\Model\一\a.pmx, bones センター and 左足ＩＫ (an IK), morph 笑い; keys of
 *           センター at 0, 10, 20 and of 左足ＩＫ at 0, 5, of the morph at 0, 30; IK off and hidden
 *           at 15
 * model 1   ..\Model\B.PMX, bone 全ての親, carried by センター of model 0; drawn first
 * accessory "hat", UserFile\Accessory\hat.x, on 左足ＩＫ of model 0, opacity 60 %, two keys
 * frames 5 to 25, sound wav\song.wav, background image bg.png, 60 frames/s, gravity with noise
 */
void pmm_put_all(ByteList *list);

/* The same in the layout of version 1: one model, UserFile\Model\a.pmd with two bones, of which the
 * second has IK, and two morphs. */
void pmm_put_version_1(ByteList *list);

#endif
