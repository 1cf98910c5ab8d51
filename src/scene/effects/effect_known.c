#include "scene/effects/effect_known.h"

#include <string.h>

#include "base/path.h"
#include "base/text.h"

static const KnownEffect KNOWN[] = {
    {"autoluminous", "glow", EFFECT_SI},
    {"alobject", "glow", EFFECT_NO_CONTROL},
    {"diffusion", "diffusion", EFFECT_TR},
    {"odiffusion", "diffusion", EFFECT_TR},
    {"softfilter", "diffusion", EFFECT_NO_CONTROL},
    {"workingfloor", "mirror", EFFECT_TR},
    {"ssao", "ssao", EFFECT_SI},
    {"ossao", "ssao", EFFECT_SI},
    {"hbao", "ssao", EFFECT_NO_CONTROL},
    {"svssao", "ssao", EFFECT_NO_CONTROL},
    {"xdof", "focus", EFFECT_NO_CONTROL},
    {"powerdof", "focus", EFFECT_NO_CONTROL},
    {"svdof", "focus", EFFECT_NO_CONTROL},
    {"ikbokeh", "focus", EFFECT_NO_CONTROL},
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
