#include "effect/effect.h"

#include <string.h>

bool effect_load(Effect **out, const EffectSource *source, Arena *arena, Diag *diag)
{
    (void)out;
    (void)arena;
    diag_file(diag, source->name);
    return diag_error(diag, "effects are not supported yet");
}

int effect_find_parameter(const Effect *effect, const char *name)
{
    return text_find(TEXT_NAMES(EffectParameter, name, effect->parameters, effect->parameter_count),
                     name);
}

const EffectAnnotation *effect_find_annotation(const EffectAnnotation *annotations, size_t count,
                                               const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (text_equal_ignoring_case(annotations[i].name, name))
            return &annotations[i];
    return NULL;
}

size_t effect_type_size(EffectType type)
{
    const size_t count = (size_t)type.rows * type.columns;
    return type.elements ? count * type.elements : count;
}
