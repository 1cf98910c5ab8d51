// SPDX-License-Identifier: MIT
#include "evaluate/vrm/expressions.h"

#include <math.h>

static Quat key_of(const SceneModel *model, int32_t bone, double frame, int halvings)
{
    if (bone < 0)
        return QUAT_IDENTITY;
    return quat_load(motion_bone(&model->motion.bones[bone], frame, halvings).rotation);
}

void expressions_look(float *weights, const SceneModel *model, double frame, int halvings)
{
    const VrmRig *rig = model->model->pmx.rig;
    double left = 0, down = 0; /* the mean of both eyes, radians */
    bool any = false;
    if (!rig)
        return;
    const VrmLookAt *look = &rig->look_at;
    for (int k = 0; k < VRM_DIRECTIONS; k++)
        any |= look->morph[k] >= 0;
    if (!any)
        return;
    const Quat both = key_of(model, look->both, frame, halvings);
    for (int i = 0; i < 2; i++) {
        const Quat eye = quat_mul(key_of(model, look->eye[i], frame, halvings), both);
        const Vec3 d = quat_rotate(eye, (Vec3){0, 0, -1});
        left += atan2(d.x, -d.z) / 2;
        down += atan2(-d.y, sqrt(d.x * d.x + d.z * d.z)) / 2;
    }
    const double angles[VRM_DIRECTIONS] = {left, -left, down, -down};
    for (int k = 0; k < VRM_DIRECTIONS; k++)
        if (look->morph[k] >= 0 && angles[k] > 0)
            weights[look->morph[k]] +=
                look->most[k] * (float)fmin(angles[k] / (double)look->range[k], 1);
}

void expressions_limit(float *weights, const VrmRig *rig)
{
    float factors[VRM_OTHER] = {1, 1, 1};
    for (uint32_t i = 0; i < rig->expression_count; i++) {
        const VrmExpression *e = &rig->expressions[i];
        const float weight = fminf(fmaxf(weights[i], 0), 1);
        weights[i] = !e->is_binary ? weight : weight > 0.5f ? 1 : 0;
        for (int part = 0; part < VRM_OTHER; part++)
            if (e->overrides[part] != VRM_KEEP)
                factors[part] -= e->overrides[part] == VRM_BLEND ? weights[i] : weights[i] > 0;
    }
    for (uint32_t i = 0; i < rig->expression_count; i++) {
        const VrmExpression *e = &rig->expressions[i];
        const float factor = e->part == VRM_OTHER ? 1 : fmaxf(factors[e->part], 0);
        weights[i] = e->is_binary && factor < 1 ? 0 : weights[i] * factor;
    }
}
