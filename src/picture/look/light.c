// SPDX-License-Identifier: MIT
#include "picture/look/light.h"

#include <math.h>

double light_of_stored(double stored)
{
    return stored <= 0.04045 ? stored / 12.92 : pow((stored + 0.055) / 1.055, 2.4);
}

double light_to_stored(double light)
{
    return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

LightTables *light_tables_create(Arena *arena)
{
    LightTables *tables = arena_array(arena, LightTables, 1);

    for (int i = 0; i < 256; i++)
        tables->light[i] = (uint16_t)lrint(light_of_stored(i / 255.0) * LIGHT_ONE);
    for (int i = 0; i <= LIGHT_ONE; i++) {
        const double stored = light_to_stored((double)i / LIGHT_ONE) * 255;
        tables->stored[i] = (float)stored;
        tables->nearest[i] = (uint8_t)lrint(stored);
    }
    return tables;
}
