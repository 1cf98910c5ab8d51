#include "render/emission_rule.h"

#include <math.h>
#include <string.h>

static const float BASE_POWER = 100.0f, POWER_STEP = 7.0f; /* AutoLuminous */
static const float MAX_SPECULAR = 0.01f;                   /* length of a black specular color */

float emission_strength(const MaterialState *state, const char *name,
                        const EmissionOptions *options)
{
    const float *s = state->specular;
    const float strength = (state->specular_power - BASE_POWER) / POWER_STEP;

    for (size_t i = 0; i < options->material_count; i++)
        if (strcmp(options->materials[i], name) == 0)
            return 1.0f;
    if (!(strength > 0.0f) ||
        s[0] * s[0] + s[1] * s[1] + s[2] * s[2] >= MAX_SPECULAR * MAX_SPECULAR)
        return 0.0f;
    return fminf(strength, EMISSION_MAX_STRENGTH);
}
