// SPDX-License-Identifier: MIT
#include "convert/import/pmm_keys.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/units.h"

enum { MAX_KEYS = 1000 };               /* most keys in a list of a job */
static const double GRAVITY_SCALE = 10; /* gravity of a job / that of MMD, by default 9.8 */

/* ---- values ---- */

const char *pmm_keys_model_id(uint32_t model, Arena *arena)
{
    return arena_printf(arena, "model-%" PRIu32, model + 1);
}

void pmm_keys_text(FILE *out, const char *text)
{
    Json json = json_init(out);
    json_text(&json, text);
}

/* With the fewest digits that give it. */
static void write_number(FILE *out, double value)
{
    char text[32];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if ((float)strtod(text, NULL) == (float)value)
            break;
    }
    fputs(text, out);
}

void pmm_keys_pair(FILE *out, const char *key, double value)
{
    fputs(key, out);
    write_number(out, value);
    fputc('\n', out);
}

static void write_vector(FILE *out, const float values[3])
{
    for (size_t i = 0; i < 3; i++) {
        fputs(i ? ", " : "[", out);
        write_number(out, (double)values[i]);
    }
    fputc(']', out);
}

/* Rounds to a ten-thousandth of a degree, within the range of a job. */
static void write_degrees(FILE *out, const float radians[3])
{
    for (size_t i = 0; i < 3; i++) {
        const double degrees = round((double)radians[i] * DEGREES * 1e4) / 1e4;
        fprintf(out, "%s%.10g", i ? ", " : "[",
                fabs(degrees) <= 3600 ? degrees : remainder(degrees, 360));
    }
    fputc(']', out);
}

/* ---- parents ---- */

static bool is_carried(const PmmKeyWriter *w, PmmParent parent)
{
    return parent.model >= 0 && w->model_files[parent.model];
}

static bool any_carried(const PmmKeyWriter *w, const PmmParentKey *keys, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_carried(w, keys[i].parent))
            return true;
    return false;
}

/* A key for a moment before the first one, where nothing carries the bone yet. */
static bool starts_late(const PmmParentKey *keys, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (keys[i].own_bone == keys[index].own_bone)
            return false;
    return keys[index].frame > 0;
}

static bool is_repeated(const PmmParentKey *keys, uint32_t index)
{
    for (uint32_t i = index; i-- > 0 && keys[i].frame == keys[index].frame;)
        if (keys[i].own_bone == keys[index].own_bone)
            return true;
    return false;
}

static void write_parent_key(const PmmKeyWriter *w, const PmmParentKey *key,
                             const char *const *bones, const char *indent, Arena *arena)
{
    fprintf(w->out, "%s  - { frame: %" PRIu32, indent, key->frame);
    if (key->own_bone >= 0 && bones) {
        fputs(", own_bone: ", w->out);
        pmm_keys_text(w->out, bones[key->own_bone]);
    }
    if (is_carried(w, key->parent)) {
        const PmmParent parent = key->parent;
        fputs(", model: ", w->out);
        pmm_keys_text(w->out, pmm_keys_model_id((uint32_t)parent.model, arena));
        fputs(", bone: ", w->out);
        pmm_keys_text(w->out, w->project->models[parent.model].bones[parent.bone]);
    }
    fputs(" }\n", w->out);
}

void pmm_keys_parents(const PmmKeyWriter *w, const PmmParentKey *keys, uint32_t count,
                      const char *const *bones, const char *indent, Arena *arena)
{
    uint32_t written = 0;
    if (!any_carried(w, keys, count))
        return;
    fprintf(w->out, "%sattach_keys:\n", indent);
    for (uint32_t i = 0; i < count; i++)
        if (starts_late(keys, i) && written++ < MAX_KEYS)
            write_parent_key(w, &(PmmParentKey){0, keys[i].own_bone, {-1, -1}}, bones, indent,
                             arena);
    for (uint32_t i = 0; i < count; i++)
        if (!is_repeated(keys, i) && written++ < MAX_KEYS)
            write_parent_key(w, &keys[i], bones, indent, arena);
    if (written > MAX_KEYS)
        diag_warn(w->diag, WARN_JOB, "only the first %d changes of parents are used", MAX_KEYS);
}

/* ---- accessories ---- */

bool pmm_keys_is_carried(const PmmAccessory *accessory)
{
    for (uint32_t i = 0; i < accessory->key_count; i++)
        if (accessory->keys[i].parent.model >= 0)
            return true;
    return false;
}

static bool same_values(const PmmAccessoryKey *a, const PmmAccessoryKey *b)
{
    for (size_t i = 0; i < 3; i++)
        if (a->position[i] != b->position[i] || a->rotation[i] != b->rotation[i])
            return false;
    return a->scale == b->scale && a->opacity == b->opacity && a->visible == b->visible &&
           a->shadow == b->shadow;
}

static float job_scale(float scale)
{
    return scale < 0.001f ? 0.001f : scale > 1000 ? 1000 : scale;
}

static void write_constant(const PmmKeyWriter *w, const PmmAccessoryKey *key)
{
    fputs("    position: ", w->out);
    write_vector(w->out, key->position);
    fputs("\n    rotation_deg: ", w->out);
    write_degrees(w->out, key->rotation);
    pmm_keys_pair(w->out, "\n    scale: ", (double)job_scale(key->scale));
    if (key->opacity < 1)
        pmm_keys_pair(w->out, "    opacity: ", (double)key->opacity);
    if (!key->shadow)
        fputs("    shadow: false\n", w->out);
}

static void write_key(const PmmKeyWriter *w, const PmmAccessoryKey *key)
{
    fprintf(w->out, "      - { frame: %" PRIu32 ", position: ", key->frame);
    write_vector(w->out, key->position);
    fputs(", rotation_deg: ", w->out);
    write_degrees(w->out, key->rotation);
    fputs(", scale: ", w->out);
    write_number(w->out, (double)job_scale(key->scale));
    fputs(", opacity: ", w->out);
    write_number(w->out, (double)key->opacity);
    if (!key->shadow)
        fputs(", shadow: false", w->out);
    if (!key->visible || key->scale <= 0)
        fputs(", visible: false", w->out);
    fputs(" }\n", w->out);
}

/* A key that equals both of its neighbours changes nothing. */
static bool is_needed(const PmmAccessory *a, uint32_t index)
{
    const PmmAccessoryKey *key = &a->keys[index];
    return !index || index + 1 == a->key_count || !same_values(key - 1, key) ||
           !same_values(key, key + 1);
}

static void write_keys(const PmmKeyWriter *w, const PmmAccessory *a)
{
    uint32_t written = 0;
    fputs("    keys:\n", w->out);
    for (uint32_t i = 0; i < a->key_count; i++)
        if (is_needed(a, i) && written++ < MAX_KEYS)
            write_key(w, &a->keys[i]);
    if (written > MAX_KEYS)
        diag_warn(w->diag, WARN_JOB,
                  "accessory '%s': only the first %d of %" PRIu32 " keys are used", a->name,
                  MAX_KEYS, written);
}

static bool is_constant(const PmmAccessory *a)
{
    for (uint32_t i = 1; i < a->key_count; i++)
        if (!same_values(&a->keys[0], &a->keys[i]))
            return false;
    return a->keys[0].visible && a->keys[0].scale > 0;
}

void pmm_keys_accessory(const PmmKeyWriter *w, const PmmAccessory *a, Arena *arena)
{
    PmmParentKey *parents = arena_array(arena, PmmParentKey, a->key_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->key_count; i++) {
        const PmmParent now = a->keys[i].parent;
        if (count && parents[count - 1].parent.model == now.model &&
            parents[count - 1].parent.bone == now.bone)
            continue;
        parents[count++] = (PmmParentKey){a->keys[i].frame, -1, now};
    }
    if (is_constant(a))
        write_constant(w, &a->keys[0]);
    else
        write_keys(w, a);
    pmm_keys_parents(w, parents, count, NULL, "    ", arena);
}

/* ---- gravity ---- */

static void write_gravity(FILE *out, const PmmGravityKey *key)
{
    float gravity[3];
    for (size_t i = 0; i < 3; i++)
        gravity[i] = (float)(GRAVITY_SCALE * (double)key->gravity[i]);
    fputs("gravity: ", out);
    write_vector(out, gravity);
}

void pmm_keys_gravity(const PmmKeyWriter *w)
{
    const PmmProject *p = w->project;
    const uint32_t count = p->gravity_count < MAX_KEYS ? p->gravity_count : MAX_KEYS;
    fputs("  ", w->out);
    write_gravity(w->out, &p->gravity[0]);
    fputc('\n', w->out);
    if (p->gravity[0].noise > 0 && count == 1)
        fprintf(w->out, "  gravity_noise: %.9g\n", GRAVITY_SCALE * (double)p->gravity[0].noise);
    if (count == 1)
        return;
    fputs("  gravity_keys:\n", w->out);
    for (uint32_t i = 0; i < count; i++) {
        fprintf(w->out, "    - { frame: %" PRIu32 ", ", p->gravity[i].frame);
        write_gravity(w->out, &p->gravity[i]);
        fprintf(w->out, ", noise: %.9g }\n", GRAVITY_SCALE * (double)p->gravity[i].noise);
    }
    if (count < p->gravity_count)
        diag_warn(w->diag, WARN_JOB, "only the first %d keys of gravity are used", MAX_KEYS);
}
