/*
 * playback.h - keys that give a pose when they are played with IK and physics off
 *
 * MMD applies append transforms (付与) and bone morphs on top of the keys, so these are divided out
 * of the local rotation and offset of each bone, in transform order (convert/export/README.md 1).
 */
#ifndef CONVERT_EXPORT_PLAYBACK_H
#define CONVERT_EXPORT_PLAYBACK_H

#include "convert/export/capture.h"

typedef struct Playback Playback;

Playback *playback_create(const SceneModel *model, const Compat *compat, Arena *arena);

/* [bone_count] each; leaf_weights: [morph_count] at this frame. */
void playback_keys(LocalPose *keys, Playback *playback, const LocalPose *bones,
                   const float *leaf_weights);

#endif
