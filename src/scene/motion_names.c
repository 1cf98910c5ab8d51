#include "scene/motion_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"

enum { MAX_SUGGESTED = 3 /* names that a message suggests */ };

/* ---- look-up ---- */

static int by_name_and_index(const void *a, const void *b)
{
    const NamedIndex *left = a, *right = b;
    const int order = memcmp(left->name->bytes, right->name->bytes, VMD_NAME_SIZE);
    return order ? order : left->index < right->index ? -1 : left->index > right->index;
}

static NameTable name_table(const VmdName *names, uint32_t count, Arena *arena)
{
    NameTable table = {.items = arena_array(arena, NamedIndex, count), .count = count};
    for (uint32_t i = 0; i < count; i++)
        table.items[i] = (NamedIndex){&names[i], i};
    if (count > 1)
        qsort(table.items, count, sizeof *table.items, by_name_and_index);
    return table;
}

int32_t name_table_find(const NameTable *table, const VmdName *name)
{
    if (!name->bytes[0]) /* empty names never match */
        return -1;
    uint32_t low = 0, high = table->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (memcmp(table->items[middle].name->bytes, name->bytes, VMD_NAME_SIZE) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == table->count || !vmd_name_equal(table->items[low].name, name))
        return -1;
    return (int32_t)table->items[low].index;
}

MotionNames motion_names_create(const Model *model, Arena *arena)
{
    return (MotionNames){
        .model = model,
        .bones = name_table(model->bone_names, model->pmx.bone_count, arena),
        .morphs = name_table(model->morph_names, model->pmx.morph_count, arena),
    };
}

static const Rename *find_rename(const MotionNames *names, const VmdName *name)
{
    for (size_t i = 0; i < names->rename_count; i++)
        if (vmd_name_equal(&names->renames[i].from, name))
            return &names->renames[i];
    return NULL;
}

int32_t motion_names_bone(const MotionNames *names, const VmdName *name)
{
    const Rename *rename = find_rename(names, name);
    return rename ? rename->bone : name_table_find(&names->bones, name);
}

int32_t motion_names_morph(const MotionNames *names, const VmdName *name)
{
    const Rename *rename = find_rename(names, name);
    return rename ? rename->morph : name_table_find(&names->morphs, name);
}

const VmdName *motion_names_renamed_bone(const MotionNames *names, const VmdName *name)
{
    const Rename *rename = find_rename(names, name);
    return rename && rename->bone >= 0 ? &names->model->bone_names[rename->bone] : name;
}

/* ---- renames ---- */

typedef ARENA_LIST(const char *) Candidates;

static bool has_name(const VmdMotion *vmd, const VmdName *name)
{
    for (uint32_t i = 0; i < vmd->bone_key_count; i++)
        if (vmd_name_equal(&vmd->bone_keys[i].name, name))
            return true;
    for (uint32_t i = 0; i < vmd->morph_key_count; i++)
        if (vmd_name_equal(&vmd->morph_keys[i].name, name))
            return true;
    return false;
}

/* Appends a name of the motion, unless it repeats that of the key before. */
static void add_candidate(Candidates *list, const VmdName *name, const VmdName *before,
                          Arena *arena)
{
    if (!before || memcmp(name->bytes, before->bytes, VMD_NAME_SIZE) != 0)
        *arena_push(arena, list) = vmd_name_to_utf8(name, arena);
}

static bool report_unknown_from(const MotionRename *rename, const MotionLayer *layer, Arena *arena,
                                Diag *diag)
{
    const VmdMotion *vmd = layer->vmd;
    Candidates list = {0};
    for (uint32_t i = 0; i < vmd->bone_key_count; i++)
        add_candidate(&list, &vmd->bone_keys[i].name, i ? &vmd->bone_keys[i - 1].name : NULL,
                      arena);
    for (uint32_t i = 0; i < vmd->morph_key_count; i++)
        add_candidate(&list, &vmd->morph_keys[i].name, i ? &vmd->morph_keys[i - 1].name : NULL,
                      arena);
    return diag_unknown_name(diag, rename->place, "keys of", rename->from, layer->file,
                             (TextNames){list.items, list.count, sizeof *list.items, 0});
}

static bool report_unknown_to(const MotionRename *rename, const Model *model, Arena *arena,
                              Diag *diag)
{
    const PmxModel *pmx = &model->pmx;
    Candidates list = {0};
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        *arena_push(arena, &list) = pmx->bones[i].name;
    for (uint32_t i = 0; i < pmx->morph_count; i++)
        *arena_push(arena, &list) = pmx->morphs[i].name;
    return diag_unknown_name(diag, rename->place, "bone or morph", rename->to, model->file,
                             (TextNames){list.items, list.count, sizeof *list.items, 0});
}

bool motion_names_set_layer(MotionNames *names, const MotionLayer *layer, Arena *arena, Diag *diag)
{
    Rename *renames = arena_array(arena, Rename, layer->rename_count);
    bool good = true;
    for (size_t i = 0; i < layer->rename_count; i++) {
        const MotionRename *rename = &layer->renames[i];
        renames[i] = (Rename){.from = vmd_name_from_utf8(rename->from),
                              .bone = model_find_bone(names->model, rename->to),
                              .morph = model_find_morph(names->model, rename->to)};
        if (!has_name(layer->vmd, &renames[i].from))
            good = report_unknown_from(rename, layer, arena, diag);
        if (renames[i].bone < 0 && renames[i].morph < 0)
            good = report_unknown_to(rename, names->model, arena, diag);
    }
    names->renames = renames;
    names->rename_count = layer->rename_count;
    return good;
}

/* ---- how many names fit ---- */

NameTally name_tally_create(uint32_t capacity, Arena *arena)
{
    return (NameTally){.items = arena_array(arena, TallyItem, capacity)};
}

void name_tally_add(NameTally *tally, const VmdName *name, int32_t track)
{
    if (name->bytes[0]) {
        tally->items[tally->count] = (TallyItem){*name, track, tally->count};
        tally->count++;
    }
}

static int by_name_and_order(const void *a, const void *b)
{
    const TallyItem *left = a, *right = b;
    const int order = memcmp(left->name.bytes, right->name.bytes, VMD_NAME_SIZE);
    return order ? order : left->order < right->order ? -1 : left->order > right->order;
}

static int by_order(const void *a, const void *b)
{
    const TallyItem *left = a, *right = b;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* Keeps the first item of each name, in file order.  Returns how many the model has. */
static uint32_t keep_distinct(NameTally *tally)
{
    uint32_t kept = 0, found = 0;
    if (!tally->count)
        return 0;
    qsort(tally->items, tally->count, sizeof *tally->items, by_name_and_order);
    for (uint32_t i = 0; i < tally->count; i++)
        if (!kept || memcmp(tally->items[kept - 1].name.bytes, tally->items[i].name.bytes,
                            VMD_NAME_SIZE) != 0) {
            found += tally->items[i].track >= 0;
            tally->items[kept++] = tally->items[i];
        }
    tally->count = kept;
    qsort(tally->items, kept, sizeof *tally->items, by_order);
    return found;
}

/* A growing text "a: b, c: d" of renames that are suggested. */
typedef struct Suggestion {
    const char *pairs;
    unsigned count;
} Suggestion;

static bool is_moved(const NameTally *tally, uint32_t index)
{
    for (uint32_t i = 0; i < tally->count; i++)
        if (tally->items[i].track == (int32_t)index)
            return true;
    return false;
}

/* The first bone or morph in file order with this English name that no name of the motion moves. */
static const char *find_english(const PmxModel *pmx, const NameTally *tally, bool bones,
                                const VmdName *name)
{
    const uint32_t count = bones ? pmx->bone_count : pmx->morph_count;
    for (uint32_t i = 0; i < count; i++) {
        const VmdName english =
            vmd_name_from_utf8(bones ? pmx->bones[i].name_en : pmx->morphs[i].name_en);
        if (vmd_name_equal(&english, name) && !is_moved(tally, i))
            return bones ? pmx->bones[i].name : pmx->morphs[i].name;
    }
    return NULL;
}

static void suggest_english(Suggestion *out, const PmxModel *pmx, const NameTally *tally,
                            bool bones, Arena *arena)
{
    for (uint32_t i = 0; i < tally->count; i++) {
        const VmdName *name = &tally->items[i].name;
        const char *to = tally->items[i].track < 0 ? find_english(pmx, tally, bones, name) : NULL;
        if (to && out->count++ < MAX_SUGGESTED)
            out->pairs = arena_printf(arena, "%s%s%s: %s", out->pairs, *out->pairs ? ", " : "",
                                      vmd_name_to_utf8(name, arena), to);
    }
}

/* "; use rename: { center: X, ... } (12 names of the motion are English names of the model)" */
static const char *english_hint(const MotionNames *names, const NameTally *bones,
                                const NameTally *morphs, Arena *arena)
{
    Suggestion s = {.pairs = ""};
    suggest_english(&s, &names->model->pmx, bones, true, arena);
    suggest_english(&s, &names->model->pmx, morphs, false, arena);
    return s.count ? arena_printf(arena,
                                  "; use rename: { %s%s } (%u name%s of the motion %s English in "
                                  "the model)",
                                  s.pairs, s.count > MAX_SUGGESTED ? ", ..." : "", s.count,
                                  s.count == 1 ? "" : "s", s.count == 1 ? "is" : "are")
                   : "";
}

/* The first name in the file that the model does not have. */
static const char *first_missing(const NameTally *bones, const NameTally *morphs, Arena *arena)
{
    const NameTally *const tallies[] = {bones, morphs};
    for (size_t t = 0; t < 2; t++)
        for (uint32_t i = 0; i < tallies[t]->count; i++)
            if (tallies[t]->items[i].track < 0)
                return vmd_name_to_utf8(&tallies[t]->items[i].name, arena);
    return "";
}

const char *motion_fit_text(const MotionFit *fit, Arena *arena)
{
    const char *bones = arena_printf(arena, "%" PRIu32 " of %" PRIu32 " bone%s", fit->bones_found,
                                     fit->bones, fit->bones == 1 ? "" : "s");
    const char *morphs = arena_printf(arena, "%" PRIu32 " of %" PRIu32 " morph%s",
                                      fit->morphs_found, fit->morphs, fit->morphs == 1 ? "" : "s");
    return !fit->morphs  ? bones
           : !fit->bones ? morphs
                         : arena_printf(arena, "%s and %s", bones, morphs);
}

bool motion_names_report(MotionFit *fit, const MotionNames *names, const MotionLayer *layer,
                         NameTally *bones, NameTally *morphs, Arena *arena, Diag *diag)
{
    const uint32_t bones_found = keep_distinct(bones), morphs_found = keep_distinct(morphs);
    *fit = (MotionFit){layer->file,   layer->vmd->model_name ? layer->vmd->model_name : "",
                       bones->count,  bones_found,
                       morphs->count, morphs_found};
    const uint32_t total = fit->bones + fit->morphs, found = bones_found + morphs_found;
    if (found == total)
        return true;
    const char *in_file =
        layer->place ? arena_printf(arena, " of '%s'", path_name(layer->file)) : "";
    const char *made_for =
        *fit->made_for ? arena_printf(arena, "; made for '%s'", fit->made_for) : "";
    return diag_warn_at(diag, layer->place, 4 * found < total ? WARN_MISFIT : WARN_PARTIAL_FIT,
                        "%s%s fit %s, but not '%s'%s%s", motion_fit_text(fit, arena), in_file,
                        path_name(names->model->file), first_missing(bones, morphs, arena),
                        made_for, english_hint(names, bones, morphs, arena));
}
