#include "convert/import/pmm_effects.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "format/project/emm.h"

/* Effects are known by the start of a file's name, without case, blanks, '-' and '_'. */
static const struct {
    const char *name, *look;
} KNOWN[] = {
    {"autoluminous", "glow: {}"},
    {"alobject", "glow: {}"},
    {"diffusion", "diffusion: {}"},
    {"odiffusion", "diffusion: {}"},
    {"softfilter", "diffusion: {}"},
    {"workingfloor", "mirror: {}"},
    {"ssao", "ssao: {}"},
    {"hbao", "ssao: {}"},
    {"svssao", "ssao: {}"},
    {"xdof", "focus: {}"},
    {"powerdof", "focus: {}"},
    {"svdof", "focus: {}"},
    {"ikbokeh", "focus: {}"},
};
enum { KNOWN_COUNT = sizeof KNOWN / sizeof *KNOWN };

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

/* The index of the effect, or -1. */
static int find_known(const char *path, Arena *arena)
{
    const char *name = plain_name(path, arena);
    for (int i = 0; i < KNOWN_COUNT; i++)
        if (!strncmp(name, KNOWN[i].name, strlen(KNOWN[i].name)))
            return i;
    return -1;
}

/* Several effects may have the same key. */
static void add_known(PmmEffects *effects, int known)
{
    for (int i = 0; i < KNOWN_COUNT; i++)
        if (!strcmp(KNOWN[i].look, KNOWN[known].look)) {
            effects->looks |= 1u << i;
            return;
        }
}

static bool has_other(const PmmEffects *effects, const char *name)
{
    for (size_t i = 0; i < effects->others.count; i++)
        if (!strcmp(effects->others.items[i], name))
            return true;
    return false;
}

static void add_other(PmmEffects *effects, const char *path, Arena *arena)
{
    const char *back = strrchr(path, '\\');
    const char *name = path_name(back ? back + 1 : path);
    if (!has_other(effects, name))
        *arena_push(arena, &effects->others) = arena_strdup(arena, name);
}

static bool is_ever_visible(const PmmAccessory *accessory)
{
    for (uint32_t i = 0; i < accessory->key_count; i++)
        if (accessory->keys[i].visible)
            return true;
    return false;
}

bool pmm_effects_add_accessory(PmmEffects *effects, const PmmAccessory *accessory, Arena *arena)
{
    const int known = find_known(accessory->path, arena);
    if (known >= 0 && is_ever_visible(accessory))
        add_known(effects, known);
    return known >= 0;
}

/* "dance.pmm" -> "dance.emm" */
const char *pmm_effects_find_file(const char *project, Arena *arena)
{
    struct stat st;
    const char *dot = strrchr(path_name(project), '.');
    const size_t size = dot ? (size_t)(dot - project) : strlen(project);
    const char *path = arena_printf(arena, "%.*s.emm", (int)size, project);
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? path : NULL;
}

bool pmm_effects_add_file(PmmEffects *effects, const char *project, Arena *arena, Diag *diag)
{
    const char *path = pmm_effects_find_file(project, arena);
    Bytes bytes;
    Emm emm = {0};
    if (!path)
        return true;
    diag_file(diag, path);
    const bool good =
        file_load(&bytes, path, EMM_MAX_SIZE, arena, diag) && emm_load(&emm, bytes, arena, diag);
    diag_file(diag, NULL);
    for (size_t i = 0; i < emm.count; i++) {
        const int known =
            emm_is_effect(&emm.entries[i]) ? find_known(emm.entries[i].value, arena) : -1;
        if (known >= 0)
            add_known(effects, known);
        else if (emm_is_effect(&emm.entries[i]))
            add_other(effects, emm.entries[i].value, arena);
    }
    return good;
}

void pmm_effects_write(FILE *out, const PmmEffects *effects)
{
    if (!effects->looks)
        return;
    fputs("look:\n", out);
    for (int i = 0; i < KNOWN_COUNT; i++)
        if (effects->looks >> i & 1)
            fprintf(out, "  %s\n", KNOWN[i].look);
}

void pmm_effects_report(const PmmEffects *effects, Arena *arena, Diag *diag)
{
    const char *names = "";
    for (size_t i = 0; i < effects->others.count; i++)
        names = arena_printf(arena, "%s%s'%s'", names, i ? ", " : "", effects->others.items[i]);
    if (effects->others.count)
        diag_warn(diag, WARN_JOB, "effects that are not drawn: %s", names);
}
