#include "render/screen_space.h"

#include <string.h>

ScreenSpace screen_space(const Target *target, const float (*clip)[4])
{
    const int scale = target->spec.scale;
    const float half_width = 0.5f * (float)(target->spec.width * scale);
    const float half_height = 0.5f * (float)(target->spec.height * scale);
    ScreenSpace space = {.scale_x = half_width,
                         .scale_y = -half_height,
                         .left = half_width - (float)(target->window.left * scale),
                         .top = half_height - (float)(target->window.top * scale)};

    memcpy(space.clip, clip, sizeof space.clip);
    return space;
}
