// SPDX-License-Identifier: MIT
#include "render/effects/pass_times.h"

#include "effect/effect.h"

size_t fx_pass_count(const SceneEffects *effects)
{
    size_t count = 0;

    for (size_t i = 0; i < effects->count; i++) {
        const Effect *effect = effects->items[i].effect;

        for (size_t k = 0; effect != NULL && k < effect->technique_count; k++)
            count += effect->techniques[k].pass_count;
    }
    return count;
}

const char **fx_pass_names(const SceneEffects *effects, Arena *arena)
{
    const char **names = arena_array(arena, const char *, fx_pass_count(effects));
    size_t count = 0;

    for (size_t i = 0; i < effects->count; i++) {
        const Effect *effect = effects->items[i].effect;

        for (size_t k = 0; effect != NULL && k < effect->technique_count; k++)
            for (size_t p = 0; p < effect->techniques[k].pass_count; p++)
                names[count++] =
                    arena_printf(arena, "%s: %s, pass %s", effects->items[i].file,
                                 effect->techniques[k].name, effect->techniques[k].passes[p].name);
    }
    return names;
}

void fx_pass_time_draw(FxPassTime *time, double s, bool compiles)
{
    if (compiles && time->compile_frames == 0) {
        *time = (FxPassTime){.compile_s = time->s, .compile_frames = 1};
    }
    if (time->compile_frames > 0) {
        time->compile_s += s;
    } else {
        time->s += s;
        time->frames = 1;
    }
}

void fx_pass_time_add(FxPassTime *sum, const FxPassTime *time)
{
    sum->s += time->s;
    sum->compile_s += time->compile_s;
    sum->frames += time->frames;
    sum->compile_frames += time->compile_frames;
}
