// SPDX-License-Identifier: MIT
#include "scene/effects/effect_assign.h"

#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "effect/effect.h"
#include "format/project/emm.h"
#include "scene/effects/effect_load.h"
#include "scene/effects/effect_rules.h"

enum { MAX_TARGETS = 256 }; /* of a scene */

/* What draws the materials of one model, in the frame or in one target. */
typedef int16_t *Draws;

/* An effect of a model.  The later one counts. */
typedef struct EffectAssignment {
    const char *target;     /* of offscreen drawing; NULL: the frame */
    const char *owner;      /* file name of the model whose effect has the target; NULL: any */
    const char *material;   /* a name, or numbers from 0 like "0-3,5"; NULL: all */
    const char *file;       /* path of an .fx or .emd, "none" or "hide" */
    const char *key, *name; /* of the job, as those of diag_named_key; NULL: of no key */
} EffectAssignment;

typedef ARENA_LIST(EffectAssignment) Assignments;

typedef struct LoadedEmd {
    const char *file;
    Assignments rules;
} LoadedEmd;

typedef struct Assigning {
    Scene *scene;
    const SceneSpec *spec;
    Assignments *given; /* [model_count of the spec] those of the job */
    EffectLoader loader;
    Assignments *defaults; /* [model_count] of the frame, from the files beside each model */
    bool *found_defaults;  /* [model_count] */
    ARENA_LIST(LoadedEmd) emds;
    const char *owner; /* file name of the owner of the current target; or NULL */
    Arena *arena;
    Diag *diag;
} Assigning;

/* The file that MMD calls the object: that of the mesh; "" for generated cloth. */
static const char *object_file(const Assigning *a, size_t model)
{
    const char *file = a->scene->models[model].model->mesh_file;
    return file ? file : "";
}

/* At least one: the effect of a model without materials may draw the whole frame. */
static uint32_t material_count(const Assigning *a, size_t model)
{
    const uint32_t count = a->scene->models[model].model->pmx.material_count;
    return count ? count : 1;
}

static const DiagLocation *place_of(const Assigning *a, const EffectAssignment *assignment)
{
    return assignment->key ? diag_named_key(a->diag, assignment->name, "%s", assignment->key)
                           : NULL;
}

/* ---- what the job gives to models ---- */

/* common: target and owner; prefix: of the keys `effect` and `effects` */
static void add_given(Assigning *a, Assignments *out, EffectAssignment common, const char *prefix,
                      const char *file, const NamedFile *files, size_t file_count)
{
    EffectAssignment one = common;
    one.file = file;
    one.key = arena_printf(a->arena, "%s.effect", prefix);
    if (file)
        *arena_push(a->arena, out) = one;
    one.key = arena_printf(a->arena, "%s.effects", prefix);
    for (size_t i = 0; i < file_count; i++) {
        one.material = one.name = files[i].name;
        one.file = files[i].file;
        *arena_push(a->arena, out) = one;
    }
}

static void find_given(Assigning *a)
{
    a->given = arena_array(a->arena, Assignments, a->spec->model_count);
    for (size_t m = 0; m < a->spec->model_count; m++) {
        const ModelSpec *spec = &a->spec->models[m];
        add_given(a, &a->given[m], (EffectAssignment){0}, spec->key, spec->effect, spec->effects,
                  spec->effect_count);
        for (size_t i = 0; i < spec->target_count; i++) {
            const TargetEffectSpec *target = &spec->targets[i];
            add_given(a, &a->given[m],
                      (EffectAssignment){.target = target->target, .owner = target->owner},
                      arena_printf(a->arena, "%s.targets.%zu", spec->key, i), target->effect,
                      target->effects, target->effect_count);
        }
    }
}

/* ---- the files beside a model ---- */

/* The effect that a rule of an .emd names; NULL if it is missing, as the paths of its author's disk
 * are: what counts without the rule then draws the object. */
static const char *find_emd_effect(Assigning *a, const char *file, const EmmEntry *entry)
{
    const char *directory = path_directory(file, a->arena), *effect = emm_effect(entry);
    if (!emm_is_effect(entry))
        return effect;
    const char *found = effect_files_find(a->loader.files, directory, effect, true);
    if (found || a->loader.mode != EFFECTS_RUN) /* other modes go by the name */
        return found ? found : path_join(directory, effect, a->arena);
    diag_warn(a->diag, WARN_EFFECT, "effect '%s' is missing; its rule for '%s' is ignored", effect,
              entry->subset < 0 ? "Obj" : arena_printf(a->arena, "Obj[%d]", (int)entry->subset));
    return NULL;
}

/* The rules of an .emd, which is read once; its paths are relative to it. */
static const Assignments *load_emd(Assigning *a, const char *file)
{
    for (size_t i = 0; i < a->emds.count; i++)
        if (!strcmp(a->emds.items[i].file, file))
            return &a->emds.items[i].rules;
    LoadedEmd *out = arena_push(a->arena, &a->emds);
    Bytes bytes;
    Emm emm;
    *out = (LoadedEmd){.file = file};
    effect_files_add(a->loader.files, file);
    diag_file(a->diag, file);
    const bool loaded = file_load(&bytes, file, EMM_MAX_SIZE, a->arena, a->diag) &&
                        emm_load(&emm, bytes, a->arena, a->diag);
    for (size_t i = 0; loaded && i < emm.count; i++) {
        const EmmEntry *entry = &emm.entries[i];
        if (!emm_effect(entry) || !text_equal_ignoring_case(entry->object, "Obj") ||
            emm_target(entry))
            continue;
        const char *effect = find_emd_effect(a, file, entry);
        if (effect)
            *arena_push(a->arena, &out->rules) = (EffectAssignment){
                .material =
                    entry->subset < 0 ? NULL : arena_printf(a->arena, "%d", (int)entry->subset),
                .file = effect};
    }
    diag_file(a->diag, NULL);
    return &out->rules;
}

/* given: what names the file */
static void add_emd(Assigning *a, Assignments *out, const char *file, const EffectAssignment *given)
{
    const Assignments *rules = load_emd(a, file);
    for (size_t i = 0; i < rules->count; i++) {
        EffectAssignment *added = arena_push(a->arena, out);
        *added = *given;
        added->material = rules->items[i].material;
        added->file = rules->items[i].file;
    }
}

/* "dir/NAME[effect.fx].pmx" names its effect. */
static const char *name_in_brackets(const char *file, Arena *arena)
{
    const char *dot = strrchr(path_name(file), '.'), *open = strrchr(path_name(file), '[');
    return dot && open && dot > open && dot[-1] == ']'
               ? arena_strndup(arena, open + 1, (size_t)(dot - open) - 2)
               : NULL;
}

static void find_defaults(Assigning *a, Assignments *out, size_t model)
{
    const char *file = effect_files_normalize(object_file(a, model), a->arena);
    const char *directory = path_directory(file, a->arena), *name = path_name(file);
    const char *dot = strrchr(name, '.'), *own = name_in_brackets(file, a->arena);
    const int stem = dot ? (int)(dot - name) : (int)strlen(name);
    const char *const names[] = {own, arena_printf(a->arena, "%.*s.emd", stem, name),
                                 arena_printf(a->arena, "%.*s.fx", stem, name)};
    for (size_t i = 0; *name && i < sizeof names / sizeof *names; i++) {
        const char *found =
            names[i] ? effect_files_find(a->loader.files, directory, names[i], false) : NULL;
        if (!found)
            continue;
        if (text_equal_ignoring_case(path_extension(found), "emd"))
            add_emd(a, out, found, &(EffectAssignment){0});
        else
            *arena_push(a->arena, out) = (EffectAssignment){.file = found};
        return;
    }
}

static const Assignments *defaults_of(Assigning *a, size_t model)
{
    if (!a->found_defaults[model])
        find_defaults(a, &a->defaults[model], model);
    a->found_defaults[model] = true;
    return &a->defaults[model];
}

/* ---- what draws a model ---- */

/*
 * EFFECT_STANDARD if the effect does not run, so that the runtime need not ask.  In a target
 * EFFECT_HIDE if it fails: the colors of models are no depths or lights.
 */
static int16_t effect_index(Assigning *a, const EffectAssignment *assignment, const char *user)
{
    const char *file = assignment->file;
    if (text_equal_ignoring_case(file, "none"))
        return EFFECT_STANDARD;
    if (text_equal_ignoring_case(file, "hide"))
        return a->loader.mode == EFFECTS_RUN ? EFFECT_HIDE : EFFECT_STANDARD;
    const int index = effect_load_file(&a->loader, file, user, place_of(a, assignment));
    const SceneEffectState state = index < 0 ? EFFECT_OFF : a->loader.items.items[index].state;
    if (state == EFFECT_RUN)
        return (int16_t)index;
    return state == EFFECT_FAILED && a->loader.rule ? EFFECT_HIDE : EFFECT_STANDARD;
}

/* whole: those of all materials, else those of single ones, which come after them */
static void apply(Assigning *a, Draws draws, size_t model, const Assignments *assignments,
                  const char *user, bool whole)
{
    const PmxModel *pmx = &a->scene->models[model].model->pmx;
    const uint32_t count = material_count(a, model);
    for (size_t i = 0; i < assignments->count; i++) {
        const EffectAssignment *assignment = &assignments->items[i];
        bool any = false;
        if (whole != !assignment->material)
            continue;
        const int16_t index = effect_index(a, assignment, user);
        for (uint32_t m = 0; m < count; m++)
            if (whole || effect_rules_has_material(assignment->material, pmx, m)) {
                draws[m] = index;
                any = true;
            }
        if (!any && !whole)
            diag_warn_at(a->diag, place_of(a, assignment), WARN_EFFECT,
                         "no material of '%s' has the name or number '%s'",
                         a->scene->models[model].id, assignment->material);
    }
}

/* Whether an assignment is for a target of an owner's effect. */
static bool is_meant(const EffectAssignment *given, const char *target, const char *owner)
{
    return text_equal_ignoring_case(target, given->target) &&
           (!given->owner || text_equal_ignoring_case(owner, given->owner));
}

/* The job's assignments in the frame (target NULL) or in a target. */
static Assignments own_assignments(Assigning *a, size_t model, const char *target)
{
    Assignments out = {0};
    const size_t count = model < a->spec->model_count ? a->given[model].count : 0;
    for (size_t i = 0; i < count; i++) {
        const EffectAssignment *given = &a->given[model].items[i];
        if (!target != !given->target || (target && !is_meant(given, target, a->owner)))
            continue;
        if (text_equal_ignoring_case(path_extension(given->file), "emd"))
            add_emd(a, &out, effect_files_normalize(given->file, a->arena), given);
        else
            *arena_push(a->arena, &out) = *given;
    }
    return out;
}

static bool is_all(int16_t index, const int16_t *draws, uint32_t count)
{
    uint32_t i = 0;
    while (i < count && draws[i] == index)
        i++;
    return i == count;
}

static bool sets_whole(const Assignments *assignments)
{
    bool any = false;
    for (size_t i = 0; i < assignments->count; i++)
        any |= !assignments->items[i].material;
    return any;
}

/* base: what counts where the job says nothing; NULL: no effect */
static const int16_t *draw_model(Assigning *a, size_t model, const Assignments *base,
                                 const char *target, const char *user)
{
    const uint32_t count = material_count(a, model);
    const Assignments own = own_assignments(a, model, target);
    Draws draws = arena_array(a->arena, int16_t, count);
    for (uint32_t i = 0; i < count; i++)
        draws[i] = EFFECT_STANDARD;
    if (base && !sets_whole(&own)) {
        apply(a, draws, model, base, user, true);
        apply(a, draws, model, base, user, false);
    }
    apply(a, draws, model, &own, user, true);
    apply(a, draws, model, &own, user, false);
    return is_all(EFFECT_STANDARD, draws, count) ? NULL : draws;
}

static SceneEffectDraws draw_frame(Assigning *a)
{
    const int16_t **draws = arena_array(a->arena, const int16_t *, a->scene->model_count);
    for (size_t i = 0; i < a->scene->model_count; i++)
        draws[i] = draw_model(a, i, defaults_of(a, i), NULL, a->scene->models[i].id);
    return draws;
}

/* ---- targets ---- */

/* What the rule of a DefaultEffect means for a model. */
static Assignments rule_assignments(Assigning *a, size_t model, const char *file,
                                    const char *directory)
{
    Assignments out = {0};
    if (!file || text_equal_ignoring_case(file, "none"))
        return out;
    if (text_equal_ignoring_case(file, "main_default"))
        return *defaults_of(a, model);
    if (!text_equal_ignoring_case(file, "hide")) {
        const char *found = effect_files_find(a->loader.files, directory, file, true);
        file = found ? found : path_join(directory, file, a->arena);
    }
    *arena_push(a->arena, &out) = (EffectAssignment){.file = file};
    return out;
}

static const char *annotation_text(const EffectParameter *parameter, const char *name)
{
    const EffectAnnotation *found =
        effect_find_annotation(parameter->annotations, parameter->annotation_count, name);
    return found && found->text ? found->text : "";
}

static SceneEffectDraws draw_target(Assigning *a, size_t owner, int effect,
                                    const EffectParameter *parameter)
{
    const char *file = a->loader.items.items[effect].file;
    const char *directory = path_directory(file, a->arena);
    const char *user =
        arena_printf(a->arena, "the target %s of %s", parameter->name, path_name(file));
    const EffectRules rules =
        effect_rules_parse(annotation_text(parameter, "DefaultEffect"), a->arena);
    const int16_t **draws = arena_array(a->arena, const int16_t *, a->scene->model_count);
    a->owner = path_name(object_file(a, owner));
    for (size_t i = 0; i < a->scene->model_count; i++) {
        const char *object = path_name(object_file(a, i));
        const EffectRule *rule = effect_rules_find(&rules, object, i == owner);
        const Assignments base = rule_assignments(a, i, rule ? rule->file : NULL, directory);
        a->loader.rule =
            rule ? arena_printf(a->arena, "rule '%s' of %s, for %s", rule->object, user, object)
                 : user;
        draws[i] = draw_model(a, i, &base, parameter->name, user);
    }
    a->loader.rule = NULL;
    return draws;
}

typedef ARENA_LIST(SceneEffectTarget) Targets;

/* Whether an effect declares a target, or one that this is inside of: it would never end. */
static bool is_inside_of(const Targets *targets, int32_t target, int effect)
{
    for (; target >= 0; target = targets->items[target].parent)
        if (targets->items[target].effect == effect)
            return true;
    return false;
}

/* Whether a shared target is there already: in a target, effects declare those that they read. */
static bool has_shared(const Assigning *a, const Targets *targets, const EffectParameter *parameter)
{
    for (size_t i = 0; parameter->shared && i < targets->count; i++) {
        const SceneEffectTarget *target = &targets->items[i];
        const EffectParameter *other =
            &a->loader.items.items[target->effect].effect->parameters[target->parameter];
        if (other->shared && !strcmp(other->name, parameter->name))
            return true;
    }
    return false;
}

static void add_targets(Assigning *a, Targets *targets, int32_t parent, size_t model, int index)
{
    const Effect *effect = a->loader.items.items[index].effect;
    for (size_t i = 0; i < effect->parameter_count; i++) {
        const EffectParameter *parameter = &effect->parameters[i];
        if (!text_equal_ignoring_case(parameter->semantic, "OFFSCREENRENDERTARGET") ||
            (parent >= 0 && has_shared(a, targets, parameter)))
            continue;
        if (targets->count == MAX_TARGETS) {
            diag_warn(a->diag, WARN_EFFECT, "a scene has at most %d targets; '%s' is not drawn",
                      MAX_TARGETS, parameter->name);
            return;
        }
        const SceneEffectTarget target = {parent, (int32_t)model, (int16_t)index, (int32_t)i,
                                          draw_target(a, model, index, parameter)};
        *arena_push(a->arena, targets) = target;
    }
}

/* The targets of the effects that draw models in one target, or in the frame. */
static void find_targets_of(Assigning *a, Targets *targets, int32_t parent, SceneEffectDraws draws)
{
    for (size_t model = 0; model < a->scene->model_count; model++) {
        bool *seen = arena_array(a->arena, bool, a->loader.items.count);
        const size_t known = a->loader.items.count;
        for (uint32_t m = 0; draws[model] && m < material_count(a, model); m++) {
            const int index = draws[model][m];
            if (index < 0 || (size_t)index >= known || seen[index] ||
                is_inside_of(targets, parent, index))
                continue;
            seen[index] = true;
            add_targets(a, targets, parent, model, index);
        }
    }
}

/* Those in targets come after the targets that they are in. */
static Targets find_targets(Assigning *a, SceneEffectDraws draws)
{
    Targets targets = {0};
    find_targets_of(a, &targets, -1, draws);
    for (size_t i = 0; i < targets.count && targets.count < MAX_TARGETS; i++)
        find_targets_of(a, &targets, (int32_t)i, targets.items[i].draws);
    return targets;
}

/* Targets that the job names and no effect has. */
static void check_targets(const Assigning *a, const Targets *targets)
{
    for (size_t m = 0; a->loader.mode == EFFECTS_RUN && m < a->spec->model_count; m++)
        for (size_t i = 0; i < a->given[m].count; i++) {
            const EffectAssignment *given = &a->given[m].items[i];
            bool found = !given->target;
            for (size_t k = 0; !found && k < targets->count; k++) {
                const SceneEffectTarget *t = &targets->items[k];
                const Effect *effect = a->loader.items.items[t->effect].effect;
                found = is_meant(given, effect->parameters[t->parameter].name,
                                 path_name(object_file(a, (size_t)t->model)));
            }
            if (!found)
                diag_warn_at(a->diag, place_of(a, given), WARN_EFFECT,
                             "no effect of the scene has the target '%s'", given->target);
        }
}

static bool check_files(const Assigning *a)
{
    bool good = true;
    for (size_t m = 0; m < a->spec->model_count; m++)
        for (size_t i = 0; i < a->given[m].count; i++) {
            const EffectAssignment *given = &a->given[m].items[i];
            if (strcmp(given->file, "none") != 0 && strcmp(given->file, "hide") != 0)
                good &= file_check_exists(given->file, place_of(a, given), a->diag);
        }
    for (size_t i = 0; i < a->spec->effects.package_count; i++)
        good &= file_check_exists(a->spec->effects.packages[i].file,
                                  diag_key(a->diag, "effects.packages.%zu.file", i), a->diag);
    return good;
}

bool effect_assign(Scene *scene, const SceneSpec *spec, TextureBudget *budget, Arena *arena,
                   Diag *diag)
{
    const unsigned errors = diag->errors;
    Assigning a = {.scene = scene,
                   .spec = spec,
                   .loader = {.files = effect_files_create(arena),
                              .mode = spec->effects.mode,
                              .budget = budget,
                              .arena = arena,
                              .diag = diag},
                   .defaults = arena_array(arena, Assignments, scene->model_count),
                   .found_defaults = arena_array(arena, bool, scene->model_count),
                   .arena = arena,
                   .diag = diag};
    find_given(&a);
    for (size_t i = 0; i < a.scene->model_count; i++)
        if (*object_file(&a, i))
            effect_files_allow(a.loader.files, object_file(&a, i));
    for (size_t m = 0; m < a.spec->model_count; m++)
        for (size_t i = 0; i < a.given[m].count; i++)
            if (strchr(a.given[m].items[i].file, '.'))
                effect_files_allow(a.loader.files, a.given[m].items[i].file);
    for (size_t i = 0; i < a.spec->effects.package_count; i++)
        effect_files_allow(a.loader.files, a.spec->effects.packages[i].file);
    if (!check_files(&a))
        return false;
    const SceneEffectDraws draws = draw_frame(&a);
    const Targets targets = find_targets(&a, draws);
    check_targets(&a, &targets);
    const EffectFileNames *names = effect_files_names(a.loader.files);
    bool any = targets.count > 0;
    for (size_t i = 0; i < scene->model_count; i++)
        any |= draws[i] != NULL;
    scene->effects = (SceneEffects){.items = a.loader.items.items,
                                    .count = a.loader.items.count,
                                    .draws = any ? draws : NULL,
                                    .targets = targets.items,
                                    .target_count = targets.count,
                                    .files = names->items,
                                    .file_count = names->count};
    return diag->errors == errors;
}
