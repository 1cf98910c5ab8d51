// SPDX-License-Identifier: MIT
#include "format/model/vrm_look.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

enum { MAX_OFFSET = 1000 }; /* metres */

bool vrm_looks_by_expressions(Vec3 *eyes, const JsonValue *extension, bool older)
{
    const JsonValue *json = json_member(extension, older ? "firstPerson" : "lookAt");
    const char *type = json_string(json_member(json, older ? "lookAtTypeName" : "type"), "");
    const JsonValue *offset =
        json_member(json, older ? "firstPersonBoneOffset" : "offsetFromHeadBone");
    double v[3] = {0, 0.06, 0};
    for (int k = 0; k < 3 && older; k++)
        v[k] = json_number(json_member(offset, (const char[]){(char)('x' + k), '\0'}), v[k]);
    if (older)
        v[2] = -v[2]; /* counted in the other direction */
    else
        json_numbers(v, 3, offset);
    for (int k = 0; k < 3; k++)
        v[k] = fmin(fmax(v[k], -MAX_OFFSET), MAX_OFFSET);
    *eyes = (Vec3){v[0], v[1], v[2]};
    return !strcmp(type, older ? "BlendShape" : "expression");
}

static int32_t find_bone(const PmxModel *model, const char *name)
{
    return text_find(TEXT_NAMES(PmxBone, name, model->bones, model->bone_count), name);
}

/* Looking to a side has the map of the eye that looks outwards. */
static const struct {
    const char *preset, *older_preset; /* of the expression */
    const char *map, *older_map;
} directions[VRM_DIRECTIONS] = {
    {"lookLeft", "lookleft", "rangeMapHorizontalOuter", "lookAtHorizontalOuter"},
    {"lookRight", "lookright", "rangeMapHorizontalOuter", "lookAtHorizontalOuter"},
    {"lookDown", "lookdown", "rangeMapVerticalDown", "lookAtVerticalDown"},
    {"lookUp", "lookup", "rangeMapVerticalUp", "lookAtVerticalUp"}};

/* The expression of a preset; morphs are in the order of the file. */
static int32_t find_expression(const VrmFigure *f, const char *preset)
{
    const JsonValue *list =
        f->older ? json_member(json_member(f->extension, "blendShapeMaster"), "blendShapeGroups")
                 : json_member(json_member(f->extension, "expressions"), "preset");
    for (uint32_t i = 0; i < json_count(list) && i < f->model->morph_count; i++) {
        const JsonValue *json = json_item(list, i);
        const char *name = f->older ? json_string(json_member(json, "presetName"), "") : json->key;
        if (name && !strcmp(name, preset))
            return (int32_t)i;
    }
    return -1;
}

void vrm_look_read(VrmLookAt *look, const VrmFigure *f)
{
    Vec3 eyes;
    const bool on = vrm_looks_by_expressions(&eyes, f->extension, f->older);
    const JsonValue *json = json_member(f->extension, f->older ? "firstPerson" : "lookAt");
    look->both = find_bone(f->model, "両目");
    look->eye[0] = find_bone(f->model, "左目");
    look->eye[1] = find_bone(f->model, "右目");
    for (int k = 0; k < VRM_DIRECTIONS; k++) {
        const JsonValue *map =
            json_member(json, f->older ? directions[k].older_map : directions[k].map);
        const double angle =
            json_number(json_member(map, f->older ? "xRange" : "inputMaxValue"), 90);
        const double most = json_number(json_member(map, f->older ? "yRange" : "outputScale"), 1);
        look->morph[k] =
            on ? find_expression(f, f->older ? directions[k].older_preset : directions[k].preset)
               : -1;
        look->range[k] = (float)(fmin(fmax(angle, 0.01), 180) * RADIANS);
        look->most[k] = (float)fmin(fmax(most, 0), 1);
    }
}
