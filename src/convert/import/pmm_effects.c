// SPDX-License-Identifier: MIT
#include "convert/import/pmm_effects.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "convert/import/pmm_keys.h"
#include "scene/effects/effect_known.h"

enum {
    MAX_OBJECTS = 1024, /* a project has up to 255 models and 255 accessories */
    MAX_OTHERS = 100    /* names that are listed */
};

static void add_look(PmmEffects *effects, const char *key)
{
    if (text_find_ignoring_case(TEXT_WORDS(effects->looks.items, effects->looks.count), key) < 0)
        *arena_push(effects->arena, &effects->looks) = key;
}

static void add_other(PmmEffects *effects, const char *path)
{
    const char *back = strrchr(path, '\\');
    const char *name = path_name(back ? back + 1 : path);
    if (effects->others.count < MAX_OTHERS &&
        text_find_ignoring_case(TEXT_WORDS(effects->others.items, effects->others.count), name) < 0)
        *arena_push(effects->arena, &effects->others) = arena_strdup(effects->arena, name);
}

/* The absolute path of a file of the project, or NULL. */
static const char *find_file(const PmmEffects *effects, const char *path)
{
    const char *found = asset_index_find(effects->assets, path, effects->arena);
    return found ? arena_printf(effects->arena, "%s%s", effects->directory, found) : NULL;
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

bool pmm_effects_load(PmmEffects *effects, const char *project, Diag *diag)
{
    const char *path = pmm_effects_find_file(project, effects->arena);
    Bytes bytes;
    if (!path)
        return true;
    diag_file(diag, path);
    const bool good = file_load(&bytes, path, EMM_MAX_SIZE, effects->arena, diag) &&
                      emm_load(&effects->emm, bytes, effects->arena, diag);
    diag_file(diag, NULL);
    for (size_t i = 0; good && i < effects->emm.count; i++) {
        const EmmEntry *entry = &effects->emm.entries[i];
        if (entry->kind == EMM_FILE && entry->subset < 0 && effects->objects.count < MAX_OBJECTS &&
            text_equal_ignoring_case(entry->section, "Object"))
            *arena_push(effects->arena, &effects->objects) =
                (PmmObject){entry->object, find_file(effects, entry->value), false};
    }
    return good;
}

const char *pmm_effects_object(PmmEffects *effects, const char *file)
{
    for (size_t i = 0; i < effects->objects.count; i++) {
        PmmObject *object = &effects->objects.items[i];
        if (object->taken || !object->file || strcmp(object->file, file) != 0)
            continue;
        object->taken = true;
        return object->name;
    }
    return NULL;
}

bool pmm_effects_has(const PmmEffects *effects, const char *file, const char *object)
{
    const char *dot = strrchr(path_name(file), '.'), *found;
    const size_t size = dot ? (size_t)(dot - file) : strlen(file);
    const char *beside = arena_printf(effects->arena, "%.*s.fx", (int)size, file);
    if (path_resolve(&found, path_directory(file, effects->arena), NULL, path_name(beside), false,
                     effects->arena) != PATH_MISSING)
        return true;
    for (size_t i = 0; object && i < effects->emm.count; i++)
        if (emm_is_effect(&effects->emm.entries[i]) && !emm_target(&effects->emm.entries[i]) &&
            text_equal_ignoring_case(effects->emm.entries[i].object, object))
            return true;
    return false;
}

bool pmm_effects_is_known(PmmEffects *effects, const char *path, bool visible)
{
    const KnownEffect *known = effect_known_find(path, effects->arena);
    if (known && visible && effect_known_look(known))
        add_look(effects, effect_known_look(known));
    return known != NULL;
}

/* ---- as keys of a job ---- */

/* The path of an effect, or NULL: one that is absent becomes a key of `look` or is reported. */
static const char *find_effect(PmmEffects *effects, const EmmEntry *entry)
{
    const char *value = emm_effect(entry);
    if (!emm_is_effect(entry))
        return text_equal_ignoring_case(value, "hide") ? "hide" : "none";
    const char *file = find_file(effects, value);
    if (!file && !pmm_effects_is_known(effects, value, true))
        add_other(effects, value);
    return file;
}

/* By target, those of the frame first, then by material, then by line. */
static int compare_entries(const void *a, const void *b)
{
    const EmmEntry *x = *(const EmmEntry *const *)a, *y = *(const EmmEntry *const *)b;
    const char *p = emm_target(x), *q = emm_target(y);
    const int order = strcmp(p ? p : "", q ? q : "");
    return order                    ? order
           : x->subset != y->subset ? (x->subset > y->subset) - (x->subset < y->subset)
                                    : (x > y) - (x < y);
}

static bool is_same_place(const EmmEntry *a, const EmmEntry *b)
{
    return !strcmp(a->section, b->section) && a->subset == b->subset;
}

typedef ARENA_LIST(const EmmEntry *) Entries;

static Entries entries_of(const PmmEffects *effects, const char *object)
{
    Entries entries = {0};
    for (size_t i = 0; i < effects->emm.count; i++)
        if (emm_effect(&effects->emm.entries[i]) &&
            !text_equal_ignoring_case(effects->emm.entries[i].section, "Object") &&
            text_equal_ignoring_case(effects->emm.entries[i].object, object))
            *arena_push(effects->arena, &entries) = &effects->emm.entries[i];
    if (entries.count)
        qsort(entries.items, entries.count, sizeof *entries.items, compare_entries);
    return entries;
}

/* Where the writing of an object is. */
typedef struct ObjectWriter {
    FILE *out;
    const char *target; /* NULL: the frame */
    bool in_targets, in_materials;
} ObjectWriter;

static void end_materials(ObjectWriter *w)
{
    if (w->in_materials)
        fputs(" }\n", w->out);
    w->in_materials = false;
}

/* "PSSM1(1)" is the second target with the name "PSSM1". */
static const char *plain_target(const PmmEffects *effects, const char *target)
{
    const char *open = strrchr(target, '(');
    const bool numbered =
        open && open > target && open[1] && !strcmp(open + 1 + strspn(open + 1, "0123456789"), ")");
    return numbered ? arena_strndup(effects->arena, target, (size_t)(open - target)) : target;
}

/* The file name of the owner of a target that has the name of another one; else NULL. */
static const char *owner_of(const PmmEffects *effects, const EmmEntry *entry)
{
    const char *name = plain_target(effects, emm_target(entry)), *owner = NULL;
    bool is_one_of_many = false;
    for (size_t i = 0; i < effects->emm.count; i++) {
        const EmmEntry *other = &effects->emm.entries[i];
        const char *target = other->kind == EMM_OWNER && emm_target(other)
                                 ? plain_target(effects, emm_target(other))
                                 : NULL;
        if (!target || strcmp(target, name) != 0)
            continue;
        is_one_of_many |= strcmp(other->section, entry->section) != 0;
        for (size_t k = 0; !strcmp(other->section, entry->section) && k < effects->objects.count;
             k++) {
            const PmmObject *object = &effects->objects.items[k];
            const size_t size = strcspn(other->value, "@"); /* "Pmd5@LightMap" */
            if (object->file && strlen(object->name) == size &&
                !strncmp(object->name, other->value, size))
                owner = path_name(object->file);
        }
    }
    return is_one_of_many ? owner : NULL;
}

static void write_value(ObjectWriter *w, const PmmEffects *effects, const EmmEntry *entry,
                        const char *value)
{
    const char *target = emm_target(entry);
    if (target && (!w->target || strcmp(target, w->target) != 0)) {
        end_materials(w);
        fputs(w->in_targets ? "      - target: " : "    targets:\n      - target: ", w->out);
        const char *owner = owner_of(effects, entry);
        pmm_keys_text(w->out, plain_target(effects, target));
        fputc('\n', w->out);
        if (owner) {
            fputs("        owner: ", w->out);
            pmm_keys_text(w->out, owner);
            fputc('\n', w->out);
        }
        w->in_targets = true;
        w->target = target;
    }
    const char *indent = target ? "        " : "    ";
    if (entry->subset < 0)
        fprintf(w->out, "%seffect: ", indent);
    else if (w->in_materials)
        fprintf(w->out, ", \"%d\": ", (int)entry->subset);
    else
        fprintf(w->out, "%seffects: { \"%d\": ", indent, (int)entry->subset);
    pmm_keys_text(w->out, value);
    w->in_materials = entry->subset >= 0;
    if (!w->in_materials)
        fputc('\n', w->out);
}

void pmm_effects_write_object(FILE *out, PmmEffects *effects, const char *object)
{
    ObjectWriter w = {.out = out};
    const Entries entries = entries_of(effects, object);
    for (size_t i = 0; i < entries.count; i++) {
        const EmmEntry *entry = entries.items[i];
        const bool is_last = i + 1 == entries.count || !is_same_place(entry, entries.items[i + 1]);
        const char *value = is_last ? find_effect(effects, entry) : NULL;
        if (value)
            write_value(&w, effects, entry, value);
    }
    end_materials(&w);
}

static bool is_taken(const PmmEffects *effects, const char *object)
{
    for (size_t i = 0; i < effects->objects.count; i++)
        if (effects->objects.items[i].taken &&
            text_equal_ignoring_case(effects->objects.items[i].name, object))
            return true;
    return false;
}

void pmm_effects_add_rest(PmmEffects *effects)
{
    for (size_t i = 0; i < effects->emm.count; i++) {
        const EmmEntry *entry = &effects->emm.entries[i];
        if (emm_is_effect(entry) && !emm_target(entry) && !is_taken(effects, entry->object) &&
            !pmm_effects_is_known(effects, entry->value, true))
            add_other(effects, entry->value);
    }
}

void pmm_effects_write_look(FILE *out, const PmmEffects *effects)
{
    if (effects->looks.count)
        fputs("look:\n", out);
    for (size_t i = 0; i < effects->looks.count; i++)
        fprintf(out, "  %s: {}\n", effects->looks.items[i]);
}

void pmm_effects_report(const PmmEffects *effects, Diag *diag)
{
    const char *names = "";
    for (size_t i = 0; i < effects->others.count; i++)
        names = arena_printf(effects->arena, "%s%s'%s'", names, i ? ", " : "",
                             effects->others.items[i]);
    if (effects->others.count)
        diag_warn(diag, WARN_JOB, "effects that are not drawn: %s", names);
}
