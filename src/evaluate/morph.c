// SPDX-License-Identifier: MIT
#include "evaluate/morph.h"

#include <math.h>
#include <string.h>

#include "evaluate/vrm/expressions.h"

void morph_key_weights(float *out, const SceneModel *model, double frame)
{
    for (uint32_t i = 0; i < model->model->pmx.morph_count; i++) {
        const float constant = model->morph_constants[i];
        out[i] = isnan(constant) ? motion_morph(&model->motion.morphs[i], frame) : constant;
    }
}

/* ---- groups and flips ---- */

static bool spreads(const PmxMorph *morph)
{
    return morph->type == PMX_MORPH_GROUP || morph->type == PMX_MORPH_FLIP;
}

/* Members that are groups or flips are ignored, as in MMD. */
static void spread(float *out, const PmxModel *pmx, const PmxGroupOffset *member, double weight)
{
    if (member->morph >= 0 && !spreads(&pmx->morphs[member->morph]))
        out[member->morph] += (float)(weight * (double)member->ratio);
}

/* The member that a flip selects at a weight, or -1. */
static int64_t flip_member(uint32_t count, float weight)
{
    const double slot = trunc(((double)count + 1) * (double)weight) - 1;
    return slot < 0 ? -1 : (int64_t)fmin(slot, (double)count - 1);
}

void morph_leaf_weights(float *out, const float *key_weights, const PmxModel *pmx)
{
    for (uint32_t i = 0; i < pmx->morph_count; i++)
        out[i] = spreads(&pmx->morphs[i]) ? 0 : key_weights[i];
    if (pmx->rig)
        expressions_limit(out, pmx->rig);

    for (uint32_t i = 0; i < pmx->morph_count; i++) {
        const PmxMorph *morph = &pmx->morphs[i];
        if (key_weights[i] == 0)
            continue;
        if (morph->type == PMX_MORPH_GROUP)
            for (uint32_t k = 0; k < morph->count; k++)
                spread(out, pmx, &morph->offsets.group[k], (double)key_weights[i]);
        if (morph->type == PMX_MORPH_FLIP) {
            const int64_t k = flip_member(morph->count, key_weights[i]);
            if (k >= 0)
                spread(out, pmx, &morph->offsets.group[k], 1);
        }
    }
}

/* ---- bones ---- */

void morph_bones(Pose *pose, const float *leaf_weights)
{
    const PmxModel *pmx = &pose->model->model->pmx;
    for (uint32_t i = 0; i < pmx->morph_count; i++) {
        const PmxMorph *morph = &pmx->morphs[i];
        if (morph->type != PMX_MORPH_BONE || leaf_weights[i] == 0)
            continue;
        for (uint32_t k = 0; k < morph->count; k++) {
            const PmxBoneOffset *part = &morph->offsets.bone[k];
            const double weight = (double)leaf_weights[i];
            if (part->bone < 0)
                continue;
            PoseBone *bone = &pose->bones[part->bone];
            bone->local_offset =
                vec3_add(bone->local_offset, vec3_scale(vec3_load(part->translation), weight));
            bone->local_rotation =
                quat_mul(bone->local_rotation, quat_power(quat_load(part->rotation), weight));
        }
    }
}

/* ---- materials ---- */

static MaterialState from_file(const PmxMaterial *m)
{
    MaterialState s = {.specular_power = m->specular_power, .edge_size = m->edge_size};
    memcpy(s.diffuse, m->diffuse, sizeof s.diffuse);
    memcpy(s.specular, m->specular, sizeof s.specular);
    memcpy(s.ambient, m->ambient, sizeof s.ambient);
    memcpy(s.edge_color, m->edge_color, sizeof s.edge_color);
    for (int i = 0; i < 4; i++)
        s.texture_mul[i] = s.sphere_mul[i] = s.toon_mul[i] = 1;
    return s;
}

static void blend(float *values, const float *factors, size_t count, bool add, double weight)
{
    for (size_t i = 0; i < count; i++) {
        const double v = (double)values[i], f = (double)factors[i];
        values[i] = (float)(add ? v + f * weight : v * (1 + (f - 1) * weight));
    }
}

static void apply_offset(MaterialState *s, const PmxMaterialOffset *o, double weight)
{
    const bool add = o->add != 0;
    blend(s->diffuse, o->diffuse, 4, add, weight);
    blend(s->specular, o->specular, 3, add, weight);
    blend(&s->specular_power, &o->specular_power, 1, add, weight);
    blend(s->ambient, o->ambient, 3, add, weight);
    blend(s->edge_color, o->edge_color, 4, add, weight);
    blend(&s->edge_size, &o->edge_size, 1, add, weight);
    blend(add ? s->texture_add : s->texture_mul, o->texture, 4, add, weight);
    blend(add ? s->sphere_add : s->sphere_mul, o->sphere, 4, add, weight);
    blend(add ? s->toon_add : s->toon_mul, o->toon, 4, add, weight);
}

void morph_materials(MaterialState *out, const SceneModel *model, const float *leaf_weights)
{
    const PmxModel *pmx = &model->model->pmx;
    for (uint32_t m = 0; m < pmx->material_count; m++)
        out[m] = from_file(&pmx->materials[m]);

    /* All factors, then all sums: value * product + sum, independent of the order of morphs. */
    for (int add = 0; add < 2; add++)
        for (uint32_t i = 0; i < pmx->morph_count; i++)
            if (pmx->morphs[i].type == PMX_MORPH_MATERIAL && leaf_weights[i] != 0) {
                for (uint32_t k = 0; k < pmx->morphs[i].count; k++) {
                    const PmxMaterialOffset *o = &pmx->morphs[i].offsets.material[k];
                    if ((o->add != 0) != add)
                        continue;
                    const bool all = o->material < 0;
                    const uint32_t first = all ? 0 : (uint32_t)o->material;
                    const uint32_t end = all ? pmx->material_count : first + 1;
                    for (uint32_t m = first; m < end; m++)
                        apply_offset(&out[m], o, (double)leaf_weights[i]);
                }
            }

    for (uint32_t m = 0; m < pmx->material_count; m++)
        if (model->hidden[m] || out[m].diffuse[3] < 0)
            out[m].diffuse[3] = 0;
}
