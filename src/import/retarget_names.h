/*
 * retarget_names.h - the parts of a body by the names of bones in common skeletons
 */
#ifndef IMPORT_RETARGET_NAMES_H
#define IMPORT_RETARGET_NAMES_H

#include "format/model/pmx.h"
#include "format/motion/bvh.h"

typedef enum BodyPart {
    BODY_HIPS,
    BODY_SPINE,
    BODY_CHEST,
    BODY_NECK,
    BODY_HEAD,
    BODY_SHOULDER_L,
    BODY_ARM_L,
    BODY_ELBOW_L,
    BODY_HAND_L,
    BODY_SHOULDER_R,
    BODY_ARM_R,
    BODY_ELBOW_R,
    BODY_HAND_R,
    BODY_LEG_L,
    BODY_KNEE_L,
    BODY_FOOT_L,
    BODY_LEG_R,
    BODY_KNEE_R,
    BODY_FOOT_R,
    BODY_PARTS
} BodyPart;

/* Index of the joint, or of the bone, that moves each part; -1: none. */
void retarget_find_joints(int32_t joints[BODY_PARTS], const BvhMotion *source);
void retarget_find_bones(int32_t bones[BODY_PARTS], const PmxModel *model);

#endif
