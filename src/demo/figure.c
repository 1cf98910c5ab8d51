// SPDX-License-Identifier: MIT
#include "demo/figure.h"

#include <string.h>

enum { NO_EDGE = 0 };

/* Appearance of a material.  Color 0 is white, which keeps the colors of the texture. */
typedef struct MaterialStyle {
    const char *name, *name_en;
    int texture;
    unsigned color;
    int toon;      /* a texture index, SHARED + 0..9, or FLAT */
    int sphere;    /* added to the color; PMX_NONE if there is none */
    unsigned edge; /* color; NO_EDGE: no outline */
    float edge_size;
    uint8_t flags;
} MaterialStyle;

enum { SHARED = 1000, FLAT = -2 /* unlit */ };

static void set_color(float *out, unsigned rgb)
{
    memcpy(out, paint_color(rgb).raw, 3 * sizeof *out);
}

/* Ambient plus light is 1, so the lit side has exactly the colors of the texture. */
static void add_material(Shape *shape, const MaterialStyle *style)
{
    const bool flat = style->toon == FLAT, shared = style->toon >= SHARED;
    PmxMaterial material = {.name = style->name,
                            .name_en = style->name_en,
                            .memo = "",
                            .diffuse = {1, 1, 1, 1},
                            .flags = style->flags,
                            .texture = style->texture,
                            .sphere_texture = style->sphere,
                            .sphere_mode = style->sphere >= 0 ? PMX_SPHERE_ADD : PMX_SPHERE_OFF,
                            .shared_toon = shared,
                            .toon = flat     ? PMX_NONE
                                    : shared ? style->toon - SHARED
                                             : style->toon};

    const unsigned color = style->color ? style->color : 0xffffff;
    set_color(material.diffuse, color);
    for (int i = 0; i < 3; i++) {
        material.ambient[i] = material.diffuse[i] * (flat ? 1.0f : 0.5f);
        material.diffuse[i] *= flat ? 0.0f : 0.83f; /* x 0.604 of light + 0.5 = 1 */
    }
    if (style->edge != NO_EDGE) {
        material.flags |= PMX_EDGE;
        set_color(material.edge_color, style->edge);
        material.edge_color[3] = 1.0f;
        material.edge_size = style->edge_size;
    }
    shape_material(shape, &material);
}

enum {
    SOLID = PMX_GROUND_SHADOW | PMX_CAST_SHADOW | PMX_RECEIVE_SHADOW,
    /* without the shadow of the fringe */
    FACE = PMX_GROUND_SHADOW | PMX_CAST_SHADOW,
    EDGE_SKIN = 0x8c4a45,
    EDGE_HAIR = 0x8a4f35,
    EDGE_CLOTH = 0x4a2c4a
};

static void add_ribbons(Shape *shape)
{
    dress_add_bows(shape);
    hair_add_ribbons(shape);
}

/* The parts in drawing order, each with its material. */
static const struct Part {
    void (*add)(Shape *shape);
    MaterialStyle style;
} PARTS[] = {
    {body_add_skin,
     {"肌", "skin", PICTURE_SKIN, 0, PICTURE_TOON_SKIN, PMX_NONE, EDGE_SKIN, 0.7f, SOLID}},
    {head_add_skin,
     {"顔", "face", PICTURE_FACE, 0, PICTURE_TOON_SKIN, PMX_NONE, EDGE_SKIN, 0.7f, FACE}},
    {face_add_whites,
     {"白目", "white of the eye", PICTURE_WHITE_OF_EYE, 0, FLAT, PMX_NONE, NO_EDGE, 0, 0}},
    {face_add_irises, {"瞳", "iris", PICTURE_IRIS, 0, FLAT, PMX_NONE, NO_EDGE, 0, 0}},
    {face_add_mouth, {"口", "mouth", PICTURE_MOUTH, 0, FLAT, PMX_NONE, NO_EDGE, 0, 0}},
    {face_add_blush, {"照れ", "blush", PICTURE_BLUSH, 0, FLAT, PMX_NONE, NO_EDGE, 0, 0}},
    {face_add_lines,
     {"まつ毛", "lashes", PMX_NONE, 0x5a3330, FLAT, PMX_NONE, NO_EDGE, 0, PMX_DOUBLE_SIDED}},
    {dress_add_white,
     {"靴下", "socks", PMX_NONE, 0xfffaf3, PICTURE_TOON_CLOTH, PMX_NONE, EDGE_CLOTH, 0.7f, SOLID}},
    {dress_add_shoes,
     {"靴", "shoes", PICTURE_SHOE, 0, SHARED + 0, PMX_NONE, EDGE_CLOTH, 0.8f, SOLID}},
    {dress_add_blouse,
     {"上着", "blouse", PICTURE_BLOUSE, 0, PICTURE_TOON_CLOTH, PMX_NONE, EDGE_CLOTH, 0.8f, SOLID}},
    {dress_add_sleeves,
     {"袖", "sleeves", PMX_NONE, 0xfff9f0, PICTURE_TOON_CLOTH, PMX_NONE, EDGE_CLOTH, 0.8f, SOLID}},
    {dress_add_petticoat,
     {"ペチコート", "petticoat", PMX_NONE, 0xfffaf3, PICTURE_TOON_CLOTH, PMX_NONE, EDGE_CLOTH, 0.7f,
      SOLID}},
    {dress_add_skirt,
     {"スカート", "skirt", PICTURE_SKIRT, 0, PICTURE_TOON_CLOTH, PMX_NONE, EDGE_CLOTH, 0.8f,
      SOLID}},
    {dress_add_trim,
     {"袖口", "trim", PMX_NONE, 0x35408f, PICTURE_TOON_CLOTH, PMX_NONE, 0x1c1f45, 0.7f, SOLID}},
    {add_ribbons,
     {"リボン", "ribbons", PMX_NONE, 0x3d4aa5, PICTURE_TOON_CLOTH, PMX_NONE, 0x1c1f45, 0.8f,
      SOLID}},
    {hair_add,
     {"髪", "hair", PICTURE_HAIR, 0, PICTURE_TOON_HAIR, PICTURE_SHEEN, EDGE_HAIR, 0.8f, SOLID}},
};

enum { MATERIAL_BLUSH = 5 }; /* index in PARTS */

static void build_mesh(Shape *shape)
{
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        PARTS[i].add(shape);
        add_material(shape, &PARTS[i].style);
    }
    shape->materials.items[MATERIAL_BLUSH].diffuse[3] = 0.0f; /* invisible without its morph */
}

/* ---- morphs ---- */

enum { PANEL_BROW = 1, PANEL_EYE, PANEL_MOUTH, PANEL_OTHER };

typedef struct MorphRow {
    const char *name, *name_en;
    uint8_t panel;
} MorphRow;

static const MorphRow MORPHS[MORPH_COUNT] = {
    [MORPH_BLINK] = {"まばたき", "blink", PANEL_EYE},
    [MORPH_HAPPY_EYES] = {"笑い", "happy eyes", PANEL_EYE},
    [MORPH_WINK_LEFT] = {"ウィンク", "wink", PANEL_EYE},
    [MORPH_WINK_RIGHT] = {"ウィンク右", "wink right", PANEL_EYE},
    [MORPH_A] = {"あ", "a", PANEL_MOUTH},
    [MORPH_I] = {"い", "i", PANEL_MOUTH},
    [MORPH_U] = {"う", "u", PANEL_MOUTH},
    [MORPH_E] = {"え", "e", PANEL_MOUTH},
    [MORPH_O] = {"お", "o", PANEL_MOUTH},
    [MORPH_GRIN] = {"にやり", "grin", PANEL_MOUTH},
    [MORPH_BROW_TROUBLE] = {"困る", "trouble", PANEL_BROW},
    [MORPH_BROW_UP] = {"上", "brows up", PANEL_BROW},
    [MORPH_BLUSH] = {"照れ", "blush", PANEL_OTHER},
};

const char *figure_morph_name(FaceMorph morph)
{
    return MORPHS[morph].name;
}

static void build_morphs(PmxModel *model, const Shape *face, Arena *arena)
{
    PmxMorph *morphs = arena_array(arena, PmxMorph, MORPH_COUNT);
    PmxMaterialOffset *show = arena_array(arena, PmxMaterialOffset, 1);

    for (int i = 0; i < MORPH_COUNT; i++)
        morphs[i] = (PmxMorph){
            .name = MORPHS[i].name, .name_en = MORPHS[i].name_en, .panel = MORPHS[i].panel};
    for (int i = 0; i < MORPH_VERTEX_COUNT; i++) {
        morphs[i].type = PMX_MORPH_VERTEX;
        morphs[i].count = (uint32_t)face->offsets[i].count;
        morphs[i].offsets.vertex = face->offsets[i].items;
    }
    *show = (PmxMaterialOffset){.material = MATERIAL_BLUSH, .add = 1, .diffuse = {0, 0, 0, 1}};
    morphs[MORPH_BLUSH].type = PMX_MORPH_MATERIAL;
    morphs[MORPH_BLUSH].count = 1;
    morphs[MORPH_BLUSH].offsets.material = show;
    model->morphs = morphs;
    model->morph_count = MORPH_COUNT;
}

/* Display frames of an editor: root, and all other bones. */
static void build_display(PmxModel *model, Arena *arena)
{
    const uint32_t sizes[] = {1, model->morph_count, model->bone_count - 1};
    static const PmxDisplayFrame names[] = {{"Root", "Root", true, NULL, 0},
                                            {"表情", "Exp", true, NULL, 0},
                                            {"体", "Body", false, NULL, 0}};

    model->display_frame_count = 3;
    model->display_frames = arena_copy(arena, names, sizeof names);
    for (int f = 0; f < 3; f++) {
        PmxDisplayItem *items = arena_array(arena, PmxDisplayItem, sizes[f]);
        for (uint32_t i = 0; i < sizes[f]; i++)
            items[i] = (PmxDisplayItem){f == 1, (int32_t)(f == 2 ? i + 1 : i)};
        model->display_frames[f].items = items;
        model->display_frames[f].item_count = sizes[f];
    }
}

PmxModel figure_make(Arena *arena)
{
    Shape shape = shape_init(arena);

    build_mesh(&shape);
    PmxModel model = shape_model(&shape, "踊り子", "Odoriko", FIGURE_PAINTINGS);
    rig_build(&model, arena);
    build_morphs(&model, &shape, arena);
    build_display(&model, arena);
    return model;
}
