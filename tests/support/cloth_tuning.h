// SPDX-License-Identifier: MIT
/* cloth_tuning.h - settings of a cloth for tests: a skirt without wind */
#pragma once

#include "scene/cloth/cloth_options.h"

#define CLOTH_TUNING_DEFAULT               \
    ((ClothTuning){.integrator = 1,        \
                   .step_hz = 240,         \
                   .mass = 1,              \
                   .stiffness = 60000,     \
                   .shear = 0.5,           \
                   .bend = 0.1,            \
                   .stretch = 1.2,         \
                   .damping = 0.1,         \
                   .drag = 0.5,            \
                   .air = 20,              \
                   .gravity = {0, -98, 0}, \
                   .inertia = 0.4,         \
                   .contact = 3,           \
                   .friction = 0.3,        \
                   .thickness = 0.15,      \
                   .self_collision = true})
