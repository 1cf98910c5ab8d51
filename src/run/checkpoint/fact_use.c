// SPDX-License-Identifier: MIT
#include "run/checkpoint/fact_use.h"

#include <stdlib.h>
#include <string.h>

#include "job/job_options.h"
#include "record/options.h"

/* "name" itself, or a key of it: "name.x". */
static bool is_of(const char *key, const char *name)
{
    const size_t size = strlen(name);
    return !strncmp(key, name, size) && (!key[size] || key[size] == '.');
}

/* Skips "list.N." and sets the number. */
static bool skip_item(const char **key, int *number, const char *list)
{
    const size_t size = strlen(list);
    char *end;
    if (strncmp(*key, list, size) != 0 || (*key)[size] != '.')
        return false;
    const long n = strtol(*key + size + 1, &end, 10);
    if (end == *key + size + 1 || *end != '.' || n < 0 || n > OPTION_MAX_ITEMS)
        return false;
    *number = (int)n;
    *key = end + 1;
    return true;
}

static bool is_one_of(const char *key, const char *const *names)
{
    while (*names && !is_of(key, *names))
        names++;
    return *names != NULL;
}

/* Keys whose whole effect is in the packed states, which a picture's digest covers; FACT_PICTURE
 * for others.  Of these only the names that options have, not what was found for them. */
static FactUse state_use(const char *key)
{
    static const char *const of_scene[] = {"physics",
                                           "compat",
                                           "light",
                                           "camera.motion",
                                           "camera.fixed",
                                           "camera.path",
                                           "camera.orientation",
                                           "camera.attach",
                                           "camera.attach_keys",
                                           "camera.reframe",
                                           "camera.reframe_fov_deg",
                                           NULL};
    static const char *const of_model[] = {"motions", "face", "physics", "morphs", NULL};
    static const char *const of_place[] = {"position", "rotation_deg", "scale", "opacity",
                                           "path",     "keys",         NULL};
    const Option *option = option_at_table(&option_job, key);
    const char *rest = key;
    int model;
    if (is_of(key, "motions")) /* the buffers of a .gltf, as it */
        return FACT_STATE;
    if (!option || option->stage != STAGE_EVALUATION)
        return FACT_PICTURE;
    if (is_one_of(key, of_scene))
        return FACT_STATE;
    if (!skip_item(&rest, &model, "models") && !skip_item(&rest, &model, "stage"))
        return FACT_PICTURE;
    return is_one_of(rest, of_model)   ? FACT_STATE
           : is_one_of(rest, of_place) ? FACT_PLACE
                                       : FACT_PICTURE;
}

FactPlace fact_place(const char *key)
{
    static const char *const shown[] = {"titles", "pictures", "subtitles",
                                        "libass", "credits",  "credits that are shown",
                                        "fade",   NULL};
    static const char *const lengths[] = {"frames", "render.frames", "frames of a segment", NULL};
    static const char *const sounds[] = {"audio", "sounds", "loudness_lufs", "cover", NULL};
    static const char *const of_output[] = {"audio_codec", "audio_kbps", NULL};
    FactPlace place = {FACT_PICTURE, -1, -1, key};
    skip_item(&place.rest, &place.scene, "scenes");
    if (skip_item(&place.rest, &place.output, "outputs"))
        place.use = is_one_of(place.rest, of_output) ? FACT_SOUND : FACT_OUTPUT;
    else if (!strcmp(place.rest, "outputs")) /* those are compared one by one */
        place.use = FACT_LENGTH;
    else if (is_one_of(place.rest, shown))
        place.use = FACT_SHOWN;
    else if (is_one_of(place.rest, lengths))
        place.use = FACT_LENGTH;
    else if (is_one_of(place.rest, sounds))
        place.use = FACT_SOUND;
    else
        place.use = state_use(place.rest);
    return place;
}

/* ---- differences ---- */

static void add_change(FactChanges *changes, const char *key)
{
    const FactPlace place = fact_place(key);
    changes->uses |= 1u << place.use;
    changes->all_pictures |= place.use == FACT_PICTURE && place.scene < 0;
}

FactChanges fact_changes(const CheckpointJob *before, const Fingerprint *now, Arena *arena)
{
    const size_t old_count = before->covered, new_count = now->facts.count;
    CheckpointFact *old = arena_array(arena, CheckpointFact, old_count + 1);
    CheckpointFact *new = arena_array(arena, CheckpointFact, new_count + 1);
    FactChanges changes = {0};
    for (size_t i = 0; i < old_count; i++)
        old[i] = before->facts.items[i];
    for (size_t i = 0; i < new_count; i++) {
        new[i] = (CheckpointFact){now->facts.items[i].key, now->facts.items[i].value};
        changes.voice |= strstr(new[i].key, ".face.") != NULL;
    }
    qsort(old, old_count, sizeof *old, text_compare);
    qsort(new, new_count, sizeof *new, text_compare);
    for (size_t i = 0, k = 0; i < old_count || k < new_count;) {
        const int order = i == old_count ? 1 : k == new_count ? -1 : text_compare(&old[i], &new[k]);
        const char *key = order <= 0 ? old[i].key : new[k].key;
        if (order != 0 || strcmp(old[i].value, new[k].value) != 0)
            add_change(&changes, key);
        i += order <= 0;
        k += order >= 0;
    }
    return changes;
}
