/*
 * cloth_fit.h - collision capsules of a model, fitted to its mesh (scene/README.md 5)
 *
 * The vertices whose greatest weight is a bone's give its capsules: along their longest extent, one
 * or several beside each other across a wide cross-section, each with a radius at both ends; and
 * once more those that are outside of all these.
 */
#ifndef SCENE_CLOTH_CLOTH_FIT_H
#define SCENE_CLOTH_CLOTH_FIT_H

#include "scene/cloth/cloth.h"

enum { CLOTH_FIT_MOST = 1000 };

/*
 * Vertices of the cloth's own material and of hidden or transparent ones do not count.
 *
 * scale    of the model in the world
 * returns  the number of capsules in `out`
 */
uint32_t cloth_fit_capsules(ClothCollider out[CLOTH_FIT_MOST], const ClothSpec *spec,
                            const PmxModel *pmx, double scale);

#endif
