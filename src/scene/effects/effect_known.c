// SPDX-License-Identifier: MIT
#include "scene/effects/effect_known.h"

#include <string.h>

#include "base/path.h"
#include "base/text.h"

#define ALONE EFFECT_NO_CONTROL, NULL, 0, 0

static const KnownEffect KNOWN[] = {
    {"autoluminous", "look.glow", EFFECT_SI, "strength", 1, 100},
    {"alobject", "look.glow", ALONE},
    {"diffusion", "look.diffusion", EFFECT_TR, "strength", 1, 1},
    {"odiffusion", "look.diffusion", EFFECT_TR, "strength", 1, 1},
    {"softfilter", "look.diffusion", ALONE},
    {"lightbloom", "look.diffusion", ALONE},
    {"obloom", "look.diffusion", ALONE},
    {"workingfloor", "look.mirror", ALONE},
    {"ssao", "look.ssao", ALONE},
    {"ossao", "look.ssao", ALONE},
    {"hbao", "look.ssao", ALONE},
    {"svssao", "look.ssao", ALONE},
    {"xdof", "look.focus", ALONE},
    {"powerdof", "look.focus", ALONE},
    {"svdof", "look.focus", ALONE},
    {"ikbokeh", "look.focus", ALONE},
    {"fxaa", "render.samples", ALONE},
    {"smaa", "render.samples", ALONE},
};

/* "D:\\Effect\\Auto_Luminous4.fx" -> "autoluminous4.fx" */
static const char *plain_name(const char *path, Arena *arena)
{
    const char *back = strrchr(path, '\\');
    char *name = text_fold(path_name(back ? back + 1 : path), arena), *out = name;
    for (const char *at = name; *at; at++)
        if (!strchr(" -_", *at))
            *out++ = *at;
    *out = '\0';
    return name;
}

const KnownEffect *effect_known_find(const char *path, Arena *arena)
{
    const char *name = plain_name(path, arena);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (!strncmp(name, KNOWN[i].name, strlen(KNOWN[i].name)))
            return &KNOWN[i];
    return NULL;
}

const char *effect_known_look(const KnownEffect *known)
{
    static const char prefix[] = "look.";
    const size_t size = sizeof prefix - 1;
    return strncmp(known->key, prefix, size) ? NULL : known->key + size;
}
