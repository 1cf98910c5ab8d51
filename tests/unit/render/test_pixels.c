// SPDX-License-Identifier: MIT
/*
 * Pixels of models with one feature each, and of a wall of layered squares: the color that the
 * shading rules (render/README.md 5 to 8) give, worked out beside each row, against the one drawn.
 */

#include <assert.h>
#include <string.h>

#include "base/path.h"
#include "evaluate/frame.h"
#include "model_fixture.h"
#include "pixel_table.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "shared_data.h"
#include "unit_test.h"

/* ---- models of one feature ---- */

typedef enum Subject {
    DIFFUSE_BOX,
    TOON_BOX,
    SPHERE_MULTIPLY,
    SPHERE_ADD,
    CUTOUT,
    UV_PLANE,
    ALPHA_BOXES,
    MORPH_BOXES,
    OUTLINE_BOX,
    PNG_HAIR,
    TGA_OVERLAY,
    TGA_HAIR,
    QUAD,
    STRIP,
    CYLINDER,
    ELBOW,
    SUBJECTS
} Subject;

static const char *const FILES[SUBJECTS] = {
    "mmd-diffuse-lit-box.pmx",
    "mmd-toon-ramp-lit-box.pmx",
    "mmd-sphere-texture-multiply.pmx",
    "mmd-sphere-texture-add.pmx",
    "mmd-texture-alpha-used-uv-cutout.pmx",
    "mmd-texture-uv-orientation-plane.pmx",
    "mmd-alpha-blend-overlap.pmx",
    "mmd-material-morph-alpha-opaque-depth.pmx",
    "mmd-outline-normal-silhouette.pmx",
    "mmd-png-hair-shadow-alpha-morph-blend.pmx",
    "mmd-tga-hair-shadow-overlay-alpha-blend.pmx",
    "mmd-tga-regular-hair-alpha-opaque.pmx",
    "bdef1-single-bone-quad.pmx",
    "bdef2-two-bone-strip.pmx",
    "bdef4-twist-cylinder.pmx",
    "sdef-two-bone-elbow.pmx",
};

/* The eye is 30 units in front of (-z) or behind the model, with a field of view of 1 degree, so
 * rays are parallel enough.  The center of the image shows the point `at` (x, y); 1 unit is 246
 * pixels, so textures are magnified. */
enum { EYE_DISTANCE = 30, SIDE = 129 };
static const float SPACING = 10; /* index of the model; all models share one scene */

typedef enum Side { NEAR, FAR } Side;

#define FROM_EYE \
    {            \
        0, 0, 1  \
    }
#define FROM_BEHIND \
    {               \
        0, 0, -1    \
    }
#define GREY_LIGHT       \
    {                    \
        0.6f, 0.6f, 0.6f \
    }
#define BACKGROUND          \
    {                       \
        0.2f, 0.4f, 0.6f, 1 \
    } /* 51 102 153 */

/* models.N.edge_scale in the job; the other models have 1 */
static float edge_factor(Subject subject)
{
    switch (subject) {
    case OUTLINE_BOX:
        return 10.0f; /* several pixels wide */
    case CYLINDER:
    case ELBOW:
        return 0.0f; /* inverted winding: the outline would cover the surface */
    default:
        return 1.0f;
    }
}

typedef struct Row {
    const char *what;
    Subject subject;
    Side side;
    float at[2];
    float light[3], color[3]; /* direction of travel */
    float morph;              /* weight of the only morph of the model */
    uint8_t expected[3];
} Row;

/* N and H (for highlights) are interpolated between the vertices; N.L, N.H and the positions in
 * textures follow from them.  Texture values are the weighted mean of the four nearest texels. */
static const Row ROWS[] = {
    /* 255 (0.31 * 0.6 + 0.1, 0.56 * 0.6 + 0.18, 0.85 * 0.6 + 0.3) = 72.9 131.6 206.6; specular
     * 255 * 0.6 * (0.03, 0.03, 0.04) * 0.9329^8 = + 2.6 2.6 3.5 */
    {"diffuse times light plus ambient; light from the eye adds a highlight",
     DIFFUSE_BOX,
     NEAR,
     {0.112f, 0.6005f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {76, 134, 210}},
    /* 255 (0.31 * 0.6 + 0.1, 0.56 * 0.6 + 0.18, 0.85 * 0.6 + 0.3) = 72.9 131.6 206.6 */
    {"the light from behind: the same without a highlight, there is no toon",
     DIFFUSE_BOX,
     NEAR,
     {0.112f, 0.6005f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {73, 132, 207}},
    /* 255 (0.31 * 1 + 0.1, 0.56 * 0.5 + 0.18, 0.85 * 0.25 + 0.3) = 104.6 117.3 130.7 */
    {"a colored light",
     DIFFUSE_BOX,
     NEAR,
     {0.112f, 0.6005f},
     FROM_BEHIND,
     {1, 0.5f, 0.25f},
     0,
     {105, 117, 131}},
    /* 255 (0.31 * 3 + 0.1, 0.56 * 1.2 + 0.18, 0.85 * 0.9 + 0.3) = 255.0 217.3 255.0 (saturated) */
    {"a strong light saturates",
     DIFFUSE_BOX,
     NEAR,
     {0.112f, 0.6005f},
     FROM_BEHIND,
     {3, 1.2f, 0.9f},
     0,
     {255, 217, 255}},
    /* 255 (0.31 * 0 + 0.1, 0.56 * 0 + 0.18, 0.85 * 0 + 0.3) = 25.5 45.9 76.5 */
    {"no light: ambient alone",
     DIFFUSE_BOX,
     NEAR,
     {0.112f, 0.6005f},
     FROM_EYE,
     {0, 0, 0},
     0,
     {26, 46, 77}},
    /* 255 (0.31 * 0.6 + 0.1, 0.56 * 0.6 + 0.18, 0.85 * 0.6 + 0.3) = 72.9 131.6 206.6; specular
     * 255 * 0.6 * (0.03, 0.03, 0.04) * 0.9371^8 = + 2.7 2.7 3.6 */
    {"the other side, lit from there",
     DIFFUSE_BOX,
     FAR,
     {-0.08f, 0.55f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {76, 134, 210}},
    /* 255 (0.94 * 0.6 + 0.32, 0.56 * 0.6 + 0.16, 0.22 * 0.6 + 0.06) = 225.4 126.5 49.0; N.L
     * 0.415, toon row 4.68 255.0 244.0 172.0: 225.4 121.0 33.0; specular 255 * 0.6 * (0.04,
     * 0.02, 0.01) * 0.9963^8 = + 5.9 3.0 1.5 */
    {"toon, facing the light: the top rows",
     TOON_BOX,
     NEAR,
     {0, 0.56f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {231, 124, 35}},
    /* 255 (0.94 * 0.6 + 0.32, 0.56 * 0.6 + 0.16, 0.22 * 0.6 + 0.06) = 225.4 126.5 49.0; N.L
     * -0.415, toon row 11.32 132.4 73.0 42.3: 117.1 36.2 8.1 */
    {"toon, away from the light, between middle and bottom rows",
     TOON_BOX,
     NEAR,
     {0, 0.56f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {117, 36, 8}},
    /* 255 (0.94 * 0.6 + 0.32, 0.56 * 0.6 + 0.16, 0.22 * 0.6 + 0.06) = 225.4 126.5 49.0; N.L
     * 0.024, toon row 7.81 226.0 142.0 62.0: 199.8 70.4 11.9; specular 255 * 0.6 * (0.04, 0.02,
     * 0.01) * 0.7454^8 = + 0.6 0.3 0.1 */
    {"toon, light from the side: a middle row",
     TOON_BOX,
     NEAR,
     {0, 0.56f},
     {1, 0, 0},
     GREY_LIGHT,
     0,
     {200, 71, 12}},
    /* 255 (0.94 * 0.6 + 0.32, 0.56 * 0.6 + 0.16, 0.22 * 0.6 + 0.06) = 225.4 126.5 49.0; N.L
     * -0.242, toon row 9.94 226.0 142.0 62.0: 199.8 70.4 11.9 */
    {"toon, light from the other side",
     TOON_BOX,
     NEAR,
     {-0.2f, 0.5f},
     {-1, 0, 0.2f},
     GREY_LIGHT,
     0,
     {200, 70, 12}},
    /* 255 (0.94 * 0.6 + 0.32, 0.56 * 0.6 + 0.16, 0.22 * 0.6 + 0.06) = 225.4 126.5 49.0; N.L
     * -0.321, toon row 10.56 218.6 136.5 60.4: 193.2 67.7 11.6 */
    {"toon, away from the light: the bottom rows",
     TOON_BOX,
     FAR,
     {0.25f, 0.3f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {193, 68, 12}},
    /* 255 (0.94 * 0.6 + 0.32, 0.56 * 0.6 + 0.16, 0.22 * 0.6 + 0.06) = 225.4 126.5 49.0; N.L
     * 0.378, toon row 4.98 255.0 244.0 172.0: 225.4 121.0 33.0; specular 255 * 0.6 * (0.04,
     * 0.02, 0.01) * 0.9525^8 = + 4.1 2.1 1.0 */
    {"toon, the back facing the light",
     TOON_BOX,
     FAR,
     {0.1f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {230, 123, 34}},
    /* 255 (0.76 * 0.6 + 0.24, 0.86 * 0.6 + 0.29, 1 * 0.6 + 0.36) = 177.5 205.5 244.8; sphere at
     * (0.493, 0.485) 104.8 159.8 232.9: 73.0 128.8 223.5 */
    {"sphere multiplied: near the center of the image",
     SPHERE_MULTIPLY,
     NEAR,
     {0, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {73, 129, 224}},
    /* 255 (0.76 * 0.6 + 0.24, 0.86 * 0.6 + 0.29, 1 * 0.6 + 0.36) = 177.5 205.5 244.8; sphere at
     * (0.705, 0.273) 59.5 93.5 149.1: 41.4 75.4 143.1 */
    {"sphere multiplied: to the upper right",
     SPHERE_MULTIPLY,
     NEAR,
     {0.3f, 0.9f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {41, 75, 143}},
    /* 255 (0.76 * 0.6 + 0.24, 0.86 * 0.6 + 0.29, 1 * 0.6 + 0.36) = 177.5 205.5 244.8; sphere at
     * (0.281, 0.696) 61.1 96.2 152.7: 42.5 77.6 146.6 */
    {"sphere multiplied: to the lower left",
     SPHERE_MULTIPLY,
     NEAR,
     {-0.3f, 0.3f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {43, 78, 147}},
    /* 255 (0.76 * 0.6 + 0.24, 0.86 * 0.6 + 0.29, 1 * 0.6 + 0.36) = 177.5 205.5 244.8; sphere at
     * (0.331, 0.308) 67.3 105.3 163.7: 46.9 84.9 157.1 */
    {"sphere multiplied: the view from behind mirrors it",
     SPHERE_MULTIPLY,
     FAR,
     {0.25f, 0.85f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {47, 85, 157}},
    /* 255 (0.36 * 0.6 + 0.1, 0.62 * 0.6 + 0.2, 0.36 * 0.6 + 0.1) = 80.6 145.9 80.6; sphere at
     * (0.785, 0.485) + 135.4 100.3 40.3: 216.0 246.2 120.9 */
    {"sphere added: to the right",
     SPHERE_ADD,
     NEAR,
     {0.42f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {216, 246, 121}},
    /* 255 (0.36 * 0.6 + 0.1, 0.62 * 0.6 + 0.2, 0.36 * 0.6 + 0.1) = 80.6 145.9 80.6; sphere at
     * (0.192, 0.238) + 85.9 62.6 26.3: 166.5 208.5 106.9 */
    {"sphere added: to the upper left",
     SPHERE_ADD,
     NEAR,
     {-0.42f, 0.95f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {166, 208, 107}},
    /* 255 (0.36 * 0.6 + 0.1, 0.62 * 0.6 + 0.2, 0.36 * 0.6 + 0.1) = 80.6 145.9 80.6; sphere at
     * (0.489, 0.485) + 247.1 184.0 73.5: 327.6 329.9 154.1 */
    {"sphere added: saturates",
     SPHERE_ADD,
     NEAR,
     {0, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {255, 255, 154}},
    /* 255 (0.36 * 0.6 + 0.1, 0.62 * 0.6 + 0.2, 0.36 * 0.6 + 0.1) = 80.6 145.9 80.6; sphere at
     * (0.723, 0.732) + 119.9 88.6 36.3: 200.5 234.5 116.9 */
    {"sphere added, from behind",
     SPHERE_ADD,
     FAR,
     {-0.3f, 0.25f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {200, 234, 117}},
    /* 255 (1 * 0.6 + 0.35, 1 * 0.6 + 0.35, 1 * 0.6 + 0.35) = 242.2 242.2 242.2; texture at
     * (0.250, 0.250) 230.0 48.0 54.0: 218.5 45.6 51.3 */
    {"uv, upper left, from the side that the plane faces",
     UV_PLANE,
     FAR,
     {-0.15f, 0.83f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {218, 46, 51}},
    /* 255 (1 * 0.6 + 0.35, 1 * 0.6 + 0.35, 1 * 0.6 + 0.35) = 242.2 242.2 242.2; texture at
     * (0.750, 0.250) 48.0 94.0 230.0: 45.6 89.3 218.5 */
    {"uv, upper right", UV_PLANE, FAR, {0.15f, 0.83f}, FROM_EYE, GREY_LIGHT, 0, {46, 89, 218}},
    /* 255 (1 * 0.6 + 0.35, 1 * 0.6 + 0.35, 1 * 0.6 + 0.35) = 242.2 242.2 242.2; texture at
     * (0.250, 0.750) 42.0 178.0 84.0: 39.9 169.1 79.8 */
    {"uv, lower left", UV_PLANE, FAR, {-0.15f, 0.33f}, FROM_EYE, GREY_LIGHT, 0, {40, 169, 80}},
    /* 255 (1 * 0.6 + 0.35, 1 * 0.6 + 0.35, 1 * 0.6 + 0.35) = 242.2 242.2 242.2; texture at
     * (0.750, 0.750) 238.0 196.0 54.0: 226.1 186.2 51.3 */
    {"uv, lower right", UV_PLANE, FAR, {0.15f, 0.33f}, FROM_EYE, GREY_LIGHT, 0, {226, 186, 51}},
    /* 255 (1 * 0.6 + 0.35, 1 * 0.6 + 0.35, 1 * 0.6 + 0.35) = 242.2 242.2 242.2; texture at
     * (0.250, 0.250) 230.0 48.0 54.0: 218.5 45.6 51.3 */
    {"uv, from behind: x = -0.15 is still the left half of the image",
     UV_PLANE,
     NEAR,
     {-0.15f, 0.83f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {218, 46, 51}},
    /* 255 (1 * 0.6 + 0.35, 1 * 0.6 + 0.35, 1 * 0.6 + 0.35) = 242.2 242.2 242.2; texture at
     * (0.500, 0.750) 140.0 187.0 69.0: 133.0 177.6 65.5 */
    {"uv, the bar between two quarters",
     UV_PLANE,
     NEAR,
     {0, 0.33f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {133, 178, 66}},
    /* 255 (1 * 0.6 + 0.35, 1 * 0.6 + 0.35, 1 * 0.6 + 0.35) = 242.2 242.2 242.2; texture at
     * (0.862, 0.148) 45.0 158.0 76.0: 42.7 150.1 72.2 */
    {"texture alpha 1", CUTOUT, NEAR, {0.3f, 0.9f}, FROM_BEHIND, GREY_LIGHT, 0, {43, 150, 72}},
    /* both texels have alpha 0; the outline ignores textures: its far side is black */
    {"a hole before a hole: the outline's far side",
     CUTOUT,
     NEAR,
     {0.04f, 0.58f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {0, 0, 0}},
    /* 255 (1 * 0.6 + 0.35, 1 * 0.6 + 0.35, 1 * 0.6 + 0.35) = 242.2 242.2 242.2; texture at
     * (0.250, 0.801) 45.0 158.0 76.0: 42.7 150.1 72.2 */
    {"a hole: the far side shows through",
     CUTOUT,
     NEAR,
     {-0.227f, 0.3f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {43, 150, 72}},
    /* 255 (1 * 0.6 + 0.3, 0.1 * 0.6 + 0.04, 0.08 * 0.6 + 0.03) = 229.5 25.5 19.9; 0.550 of it
     * over that: 149.2 59.9 79.8; once more: 193.4 41.0 46.8; 255 (0.08 * 0.6 + 0.03, 0.22 *
     * 0.6 + 0.07, 1 * 0.6 + 0.3) = 19.9 51.5 229.5; 0.580 of it over that: 92.7 47.1 152.8 */
    {"two layers of one box, and the other box in front",
     ALPHA_BOXES,
     NEAR,
     {0, 0.7f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {93, 47, 153}},
    /* 255 (1 * 0.6 + 0.3, 0.1 * 0.6 + 0.04, 0.08 * 0.6 + 0.03) = 229.5 25.5 19.9; 0.550 of it
     * over that: 149.2 59.9 79.8 */
    {"from behind: a later layer is behind and not drawn",
     ALPHA_BOXES,
     FAR,
     {0, 0.7f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {149, 60, 80}},
    /* 255 (1 * 0.6 + 0.3, 0.1 * 0.6 + 0.04, 0.08 * 0.6 + 0.03) = 229.5 25.5 19.9; 0.550 of it
     * over that: 149.2 59.9 79.8; once more: 193.4 41.0 46.8 */
    {"one box alone, two layers",
     ALPHA_BOXES,
     NEAR,
     {-0.45f, 0.5f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {193, 41, 47}},
    /* 255 (0.08 * 0.6 + 0.03, 0.22 * 0.6 + 0.07, 1 * 0.6 + 0.3) = 19.9 51.5 229.5; 0.580 of it
     * over that: 33.0 72.7 197.4; once more: 25.4 60.4 216.0 */
    {"the other box alone, two layers",
     ALPHA_BOXES,
     NEAR,
     {0.4f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {25, 60, 216}},
    /* 255 (0.62 * 0.6 + 0.22, 0.04 * 0.6 + 0.015, 0.03 * 0.6 + 0.012) = 151.0 9.9 7.6 */
    {"alpha morph at 0: opaque in front",
     MORPH_BOXES,
     NEAR,
     {-0.2f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {151, 10, 8}},
    /* 255 (0.08 * 0.6 + 0.03, 0.26 * 0.6 + 0.08, 0.95 * 0.6 + 0.32) = 19.9 60.2 226.9; 255
     * (0.62 * 0.6 + 0.22, 0.04 * 0.6 + 0.015, 0.03 * 0.6 + 0.012) = 151.0 9.9 7.6; 0.750 of it
     * over that: 118.2 22.5 62.5; once more: 142.8 13.1 21.4 */
    {"alpha morph at 0.25",
     MORPH_BOXES,
     NEAR,
     {-0.2f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0.25f,
     {143, 13, 21}},
    /* 255 (0.08 * 0.6 + 0.03, 0.26 * 0.6 + 0.08, 0.95 * 0.6 + 0.32) = 19.9 60.2 226.9; 255
     * (0.62 * 0.6 + 0.22, 0.04 * 0.6 + 0.015, 0.03 * 0.6 + 0.012) = 151.0 9.9 7.6; 0.500 of it
     * over that: 85.4 35.1 117.3; once more: 118.2 22.5 62.5 */
    {"alpha morph at 0.5",
     MORPH_BOXES,
     NEAR,
     {-0.2f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0.5f,
     {118, 23, 62}},
    /* 255 (0.08 * 0.6 + 0.03, 0.26 * 0.6 + 0.08, 0.95 * 0.6 + 0.32) = 19.9 60.2 226.9 */
    {"alpha morph at 1: not drawn, writes no depth",
     MORPH_BOXES,
     NEAR,
     {-0.2f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     1,
     {20, 60, 227}},
    /* 255 (0.08 * 0.6 + 0.03, 0.26 * 0.6 + 0.08, 0.95 * 0.6 + 0.32) = 19.9 60.2 226.9 */
    {"beside it: the box behind, whatever the morph",
     MORPH_BOXES,
     NEAR,
     {0.4f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0.5f,
     {20, 60, 227}},
    /* 255 (0.25 * 0.6 + 0.08, 0.78 * 0.6 + 0.28, 0.36 * 0.6 + 0.12) = 58.6 190.7 85.7; 0.520 of
     * it over that: 55.0 148.1 118.0; once more: 56.9 170.3 101.2 */
    {"half transparent, two sides",
     OUTLINE_BOX,
     NEAR,
     {0.1f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {57, 170, 101}},
    /* 255 (0.25 * 0.6 + 0.08, 0.78 * 0.6 + 0.28, 0.36 * 0.6 + 0.12) = 58.6 190.7 85.7; 0.520 of
     * it over that: 55.0 148.1 118.0 */
    {"half transparent, from behind: the near side is first in the file",
     OUTLINE_BOX,
     FAR,
     {0.1f, 0.6f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {55, 148, 118}},
    /* 255 (0.95 * 0.6 + 0.32, 0.82 * 0.6 + 0.24, 0.28 * 0.6 + 0.08) = 226.9 186.7 63.2; 255 (1 *
     * 0.6 + 0.28, 1 * 0.6 + 0.1, 1 * 0.6 + 0.12) = 224.4 178.5 183.6; texture at (0.459, 0.500)
     * 184.0 70.0 88.0 170.9: 161.9 49.0 63.4; 0.670 of it over that: 183.4 94.4 63.3 */
    {"shadow texture of alpha 0.75 over hair",
     PNG_HAIR,
     NEAR,
     {0, 0.64f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {183, 94, 63}},
    /* 255 (0.95 * 0.6 + 0.32, 0.82 * 0.6 + 0.24, 0.28 * 0.6 + 0.08) = 226.9 186.7 63.2; 255 (1 *
     * 0.6 + 0.28, 1 * 0.6 + 0.1, 1 * 0.6 + 0.12) = 224.4 178.5 183.6; texture at (0.459, 0.500)
     * 184.0 70.0 88.0 170.9: 161.9 49.0 63.4; 0.335 of it over that: 205.2 140.5 63.3 */
    {"the morph takes half of its alpha",
     PNG_HAIR,
     NEAR,
     {0, 0.64f},
     FROM_BEHIND,
     GREY_LIGHT,
     0.5f,
     {205, 141, 63}},
    /* 255 (0.95 * 0.6 + 0.32, 0.82 * 0.6 + 0.24, 0.28 * 0.6 + 0.08) = 226.9 186.7 63.2 */
    {"the morph takes all of it",
     PNG_HAIR,
     NEAR,
     {0, 0.64f},
     FROM_BEHIND,
     GREY_LIGHT,
     1,
     {227, 187, 63}},
    /* 255 (0.95 * 0.6 + 0.32, 0.82 * 0.6 + 0.24, 0.28 * 0.6 + 0.08) = 226.9 186.7 63.2 */
    {"where the texture is transparent: hair",
     PNG_HAIR,
     NEAR,
     {-0.25f, 0.4f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {227, 187, 63}},
    /* 255 (0.94 * 0.6 + 0.32, 0.78 * 0.6 + 0.23, 0.24 * 0.6 + 0.08) = 225.4 178.0 57.1; 255 (1 *
     * 0.6 + 0.1, 1 * 0.6 + 0.09, 1 * 0.6 + 0.18) = 178.5 176.0 198.9; texture at (0.506, 0.500)
     * 68.0 58.0 116.0 194.0: 47.6 40.0 90.5; 0.761 of it over that: 90.1 73.0 82.5 */
    {"a TGA with alpha over hair",
     TGA_OVERLAY,
     NEAR,
     {-0.04f, 0.64f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {90, 73, 82}},
    /* 255 (0.94 * 0.6 + 0.32, 0.78 * 0.6 + 0.23, 0.24 * 0.6 + 0.08) = 225.4 178.0 57.1 */
    {"where the TGA is transparent: hair",
     TGA_OVERLAY,
     NEAR,
     {-0.25f, 0.42f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {225, 178, 57}},
    /* 255 (1 * 0.6 + 0.12, 1 * 0.6 + 0.3, 1 * 0.6 + 0.13) = 183.6 229.5 186.1; texture at (0.517,
     * 0.500) 72.0 148.0 84.0 193.8: 51.8 133.2 61.3; 0.760 of it over that: 51.7 125.7 83.3; once
     * more: 51.8 131.4 66.6 */
    {"a TGA with alpha is blended, whatever the material says",
     TGA_HAIR,
     NEAR,
     {0.02f, 0.59f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {52, 131, 67}},
    /* both texels have alpha 0, as above */
    {"and where it is transparent the far side of the outline is visible",
     TGA_HAIR,
     NEAR,
     {0.2f, 0.3f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {0, 0, 0}},
    /* 255 (0.9 * 0.6 + 0.3, 0.42 * 0.6 + 0.14, 0.12 * 0.6 + 0.04) = 214.2 100.0 28.6; specular
     * 255 * 0.6 * (0.6, 0.3, 0.1) * 1.0000^20 = + 91.8 45.9 15.3 */
    {"full specular: N.H = 1",
     QUAD,
     FAR,
     {0.05f, 0.5f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {255, 146, 44}},
    /* 255 (0.9 * 0.6 + 0.3, 0.42 * 0.6 + 0.14, 0.12 * 0.6 + 0.04) = 214.2 100.0 28.6 */
    {"normals are not flipped: the back has no highlight",
     QUAD,
     NEAR,
     {0.05f, 0.5f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {214, 100, 29}},
    /* 255 (0.9 * 0.6 + 0.3, 0.42 * 0.6 + 0.14, 0.12 * 0.6 + 0.04) = 214.2 100.0 28.6; specular
     * 255 * 0.6 * (0.6, 0.3, 0.1) * 0.8660^20 = + 5.2 2.6 0.9 */
    {"light at 60 degrees: N.H = cos 30",
     QUAD,
     FAR,
     {0.05f, 0.5f},
     {0.866f, 0, -0.5f},
     GREY_LIGHT,
     0,
     {219, 103, 29}},
    /* This cylinder has inverted winding, so the near side of the outline is drawn and covers
     * everything, in its color 255 * (0.1, 0.05, 0.02) = 25.5 12.8 5.1 */
    {"a cylinder with inverted winding: the outline covers it",
     STRIP,
     NEAR,
     {0, 0.5f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {26, 13, 5}},
    /* 255 (0.9 * 0.6 + 0.3, 0.42 * 0.6 + 0.14, 0.12 * 0.6 + 0.04) = 214.2 100.0 28.6; specular
     * 255 * 0.6 * (0.6, 0.3, 0.1) * 0.9770^20 = + 57.7 28.8 9.6 */
    {"round a cylinder of four bones",
     CYLINDER,
     NEAR,
     {0.05f, 0.5f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {255, 129, 38}},
    /* 255 (0.9 * 0.6 + 0.3, 0.42 * 0.6 + 0.14, 0.12 * 0.6 + 0.04) = 214.2 100.0 28.6; specular
     * 255 * 0.6 * (0.6, 0.3, 0.1) * 0.9632^20 = + 43.4 21.7 7.2 */
    {"and of SDEF, a quarter of the radius aside",
     ELBOW,
     NEAR,
     {-0.0625f, 0.4f},
     FROM_EYE,
     GREY_LIGHT,
     0,
     {255, 122, 36}},

    /* The outline: each side of the box is moved along its normal by distance of the eye to the
     * bone 30 * (1 / 30 for the field of view) * 0.001 * factor 10 * size 2.5 = 0.025, and only
     * sides that face away from the eye are drawn.  The right side, x = 0.5341, normal 0.887 to the
     * right: up to 0.5563.  The far side, from x = -0.4141, normal 0.462 to the left: up to
     * -0.4256. */
    {"edge, right: black",
     OUTLINE_BOX,
     NEAR,
     {0.545f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {0, 0, 0}},
    {"edge, right: its last pixel but one",
     OUTLINE_BOX,
     NEAR,
     {0.551f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {0, 0, 0}},
    {"edge, right: beyond",
     OUTLINE_BOX,
     NEAR,
     {0.562f, 0.6f},
     FROM_BEHIND,
     GREY_LIGHT,
     0,
     {51, 102, 153}},
    {"edge, left, in another light",
     OUTLINE_BOX,
     NEAR,
     {-0.420f, 0.6f},
     FROM_EYE,
     {1, 1, 1},
     0,
     {0, 0, 0}},
    {"edge, left: beyond",
     OUTLINE_BOX,
     NEAR,
     {-0.431f, 0.6f},
     FROM_EYE,
     {1, 1, 1},
     0,
     {51, 102, 153}},
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

static bool load_scene(Scene *scene, Arena *arena, Diag *diag)
{
    ModelSpec models[SUBJECTS];

    for (int i = 0; i < SUBJECTS; i++) {
        const char *directory =
            path_join(shared_data_directory(), "yohawing-fixtures/generated/", arena);

        models[i] = (ModelSpec){
            .id = FILES[i], .file = path_join(directory, FILES[i], arena), MODEL_DEFAULT};
        models[i].edge_scale = edge_factor((Subject)i);
        models[i].position.x = (double)(SPACING * (float)i);
        if (!path_is_file(models[i].file)) {
            print_message("skipped: no %s\n", models[i].file);
            return false;
        }
    }
    const SceneSpec spec = {
        .models = models,
        .model_count = SUBJECTS,
        .light = {.color = {154 / 255.0, 154 / 255.0, 154 / 255.0}, .direction = {-0.5, -1, 0.5}},
        .compat = COMPAT_DEFAULT,
        .textures = true};
    assert_true(scene_load(scene, &spec, arena, diag));
    return true;
}

static void set_moment(FrameState *state, Evaluator *evaluator, const Scene *scene, const Row *row)
{
    if (scene->models[row->subject].model->pmx.morph_count > 0)
        scene->models[row->subject].morph_constants[0] = row->morph;
    evaluate_frame(state, evaluator, scene, 0);
    state->camera = (CameraState){
        .target = {SPACING * (float)row->subject + row->at[0], row->at[1], 0},
        .rotation = {0, row->side == FAR ? 3.14159265f : 0, 0},
        .distance = -EYE_DISTANCE,
        .fov_deg = 1,
    };
    memcpy(state->light.color, row->color, sizeof row->color);
    memcpy(state->light.direction, row->light, sizeof row->light);
}

static void test_models(void **unused)
{
    (void)unused;
    const RenderOptions options = {.width = SIDE,
                                   .height = SIDE,
                                   .samples = 1,
                                   .supersample = 1,
                                   .background = BACKGROUND,
                                   .edges = true};
    Arena *arena = arena_create();
    Scene *scene = arena_array(arena, Scene, 1);
    Image image = {.pixels = arena_array(arena, uint8_t, 4 * SIDE * SIDE)};
    Diag diag;

    diag_init(&diag, NULL, NULL);
    if (!load_scene(scene, arena, &diag)) {
        arena_destroy(arena);
        skip();
        return;
    }
    Evaluator *evaluator = evaluator_create(scene);
    FrameState *state = frame_state_create(scene, arena);
    Renderer *renderer = renderer_create(scene, &options, &diag);
    assert_non_null(renderer);

    PixelTable table = pixel_table_begin("models of one feature");
    for (int i = 0; i < ROW_COUNT; i++) {
        set_moment(state, evaluator, scene, &ROWS[i]);
        assert_true(render_frame(&image, renderer, state, &diag));
        pixel_table_check(&table, ROWS[i].what, image.pixels + 4 * (SIDE / 2 * SIDE + SIDE / 2),
                          ROWS[i].expected, 1);
    }
    renderer_destroy(renderer);
    evaluator_destroy(evaluator);
    arena_destroy(arena);
    pixel_table_end(&table);
}

/* ---- layers ---- */

enum { COLUMNS = 8, TILE = 8, WALL = COLUMNS * TILE, LAYERS = 3 };
enum { NO_PICTURE, GREY, HALF, HOLE, PICTURES = HOLE };

/* One square of a tile, in drawing order. */
typedef struct Layer {
    float z; /* smaller is nearer */
    float color[4];
    unsigned flags;
    bool turned; /* faces away from the eye; the normal still points to it */
    int texture, sphere, sphere_mode;
    bool shared_toon; /* toon01; the light comes from behind the wall: N.L = -1 */
    bool hidden;
} Layer;

typedef struct Tile {
    const char *what;
    Layer layers[LAYERS]; /* color[3] 0 and no texture: no layer */
    uint8_t expected[3];  /* over white */
} Tile;

#define RED 1, 0, 0
#define GREEN 0, 1, 0
#define BLUE 0, 0, 1

static const Tile TILES[] = {
    {"nearer and later hides", {{.z = 1, .color = {GREEN, 1}}, {.color = {RED, 1}}}, {255, 0, 0}},
    {"nearer and earlier hides", {{.color = {RED, 1}}, {.z = 1, .color = {GREEN, 1}}}, {255, 0, 0}},
    {"the same depth: later wins", {{.color = {RED, 1}}, {.color = {GREEN, 1}}}, {0, 255, 0}},
    /* 0.5 * 255; 0.5 * 255 more of white */
    {"half over white", {{.color = {RED, 0.5f}}}, {255, 128, 128}},
    /* green over white 128 255 128; half red over it: 0.5 * 255 + 64, 0.5 * 255, 64 */
    {"two halves, far one first",
     {{.z = 1, .color = {GREEN, 0.5f}}, {.color = {RED, 0.5f}}},
     {191, 128, 64}},
    {"two halves, near one first: it hides the other although one sees through",
     {{.color = {RED, 0.5f}}, {.z = 1, .color = {GREEN, 0.5f}}},
     {255, 128, 128}},
    {"two halves at one position are both drawn",
     {{.color = {GREEN, 0.5f}}, {.color = {RED, 0.5f}}},
     {191, 128, 64}},
    /* blue 0.25 over white 191 191 255; green 0.5: 96 223 128; red 0.75: 191 + 24, 56, 32 */
    {"three layers, far to near",
     {{.z = 2, .color = {BLUE, 0.25f}}, {.z = 1, .color = {GREEN, 0.5f}}, {.color = {RED, 0.75f}}},
     {215, 56, 32}},
    /* blue is behind red and in front of green: red 0.5 over green; blue fails the depth
     * test */
    {"a layer between, drawn last, is hidden",
     {{.z = 2, .color = {GREEN, 1}}, {.color = {RED, 0.5f}}, {.z = 1, .color = {BLUE, 1}}},
     {128, 128, 0}},
    {"the back is not drawn", {{.color = {RED, 1}, .turned = true}}, {255, 255, 255}},
    {"nor does it hide",
     {{.color = {RED, 1}, .turned = true}, {.z = 1, .color = {GREEN, 1}}},
     {0, 255, 0}},
    {"the back of a double-sided one",
     {{.color = {RED, 1}, .flags = PMX_DOUBLE_SIDED, .turned = true}},
     {255, 0, 0}},
    /* N.L = -1 on both: the last row of toon01, cd = 205 */
    {"toon of a front", {{.color = {1, 1, 1, 1}, .shared_toon = true}}, {205, 205, 205}},
    {"toon of a back: its normal is not turned",
     {{.color = {1, 1, 1, 1}, .flags = PMX_DOUBLE_SIDED, .turned = true, .shared_toon = true}},
     {205, 205, 205}},
    {"hidden by the job: the one behind",
     {{.color = {RED, 1}, .hidden = true}, {.z = 1, .color = {GREEN, 1}}},
     {0, 255, 0}},
    {"alpha 0: neither color nor depth",
     {{.color = {RED, 0}, .texture = GREY}, {.z = 1, .color = {GREEN, 1}}},
     {0, 255, 0}},
    {"alpha 0.004 is below the test: no depth",
     {{.color = {RED, 0.004f}}, {.z = 1, .color = {GREEN, 1}}},
     {0, 255, 0}},
    /* 0.006 red over white: 255, 253.5; green behind it fails the depth test */
    {"alpha 0.006 is above it: it hides what comes later",
     {{.color = {RED, 0.006f}}, {.z = 1, .color = {GREEN, 1}}},
     {255, 253, 253}},
    {"a hole in a texture: no depth",
     {{.color = {1, 1, 1, 1}, .texture = HOLE}, {.z = 1, .color = {GREEN, 1}}},
     {0, 255, 0}},
    /* texture 200 100 50, alpha 128 / 255 = 0.502: 100.4 + 127 ... */
    {"alpha of the texture", {{.color = {1, 1, 1, 1}, .texture = HALF}}, {227, 177, 152}},
    /* 0.502 * 0.5 = 0.251: 200 * 0.251 + 255 * 0.749 = 241.2, 216.1, 203.5 */
    {"times the material's", {{.color = {1, 1, 1, 0.5f}, .texture = HALF}}, {241, 216, 204}},
    /* white * sphere 200 100 50, alpha 0.502: as with the texture */
    {"alpha of a multiplied sphere",
     {{.color = {1, 1, 1, 1}, .sphere = HALF, .sphere_mode = PMX_SPHERE_MULTIPLY}},
     {227, 177, 152}},
    /* 0 + 200 100 50, alpha 0.502 */
    {"alpha of an added sphere",
     {{.color = {0, 0, 0, 1}, .sphere = HALF, .sphere_mode = PMX_SPHERE_ADD}},
     {227, 177, 152}},
    /* texture 0.502 * sub-texture 0.502 = 0.252; 200 * 200 / 255 = 156.9, 39.2, 9.8:
     * 156.9 * 0.252 + 255 * 0.748 = 230.3, 200.6, 193.2 */
    {"alpha of texture and sub-texture",
     {{.color = {1, 1, 1, 1},
       .texture = HALF,
       .sphere = HALF,
       .sphere_mode = PMX_SPHERE_SUB_TEXTURE}},
     {230, 201, 193}},
    /* 0.4 * 100 150 200 + 100 150 200 = 140 210 280; toon cd: 112.5 168.8 225.1 (of 280, not
     * 255) */
    {"texture, then sphere, then toon, saturated last",
     {{.color = {0.4f, 0.4f, 0.4f, 1},
       .texture = GREY,
       .sphere = GREY,
       .sphere_mode = PMX_SPHERE_ADD,
       .shared_toon = true}},
     {113, 169, 225}},
    {"points: only the corners are drawn",
     {{.color = {RED, 1}, .flags = PMX_POINTS}},
     {255, 255, 255}},
};
enum { TILE_COUNT = sizeof TILES / sizeof *TILES };
static_assert((int)TILE_COUNT <= COLUMNS * COLUMNS, "the wall is full");

static const Image **pictures(Arena *arena)
{
    static const uint8_t colors[PICTURES][4] = {
        {100, 150, 200, 255}, {200, 100, 50, 128}, {255, 255, 255, 0}};
    const Image **list = arena_array(arena, const Image *, PICTURES);

    for (int i = 0; i < PICTURES; i++)
        list[i] = render_fixture_flat(arena, colors[i]);
    return list;
}

static void add_layer(PmxModel *m, uint32_t number, const Layer *layer)
{
    static const uint32_t corners[2][6] = {{0, 1, 2, 2, 1, 3}, {0, 2, 1, 2, 3, 1}};
    const uint32_t tile = number / LAYERS;
    PmxMaterial *material = &m->materials[number];

    for (uint32_t i = 0; i < 4; i++) {
        const float x = (float)(tile % COLUMNS + i % 2), y = (float)(tile / COLUMNS + i / 2);

        m->vertices[4 * number + i] = fixture_vertex(x, -y, layer->z, 0);
    }
    for (uint32_t i = 0; i < 6; i++)
        m->indices[6 * number + i] = 4 * number + corners[layer->turned][i];
    *material = fixture_material("layer", 6 * number, 6);
    material->flags = (uint8_t)layer->flags;
    memset(material->diffuse, 0, sizeof(float[3]));
    memcpy(material->ambient, layer->color, sizeof material->ambient);
    material->diffuse[3] = layer->color[3];
    material->texture = layer->texture - 1;
    material->sphere_texture = layer->sphere - 1;
    material->sphere_mode = (uint8_t)layer->sphere_mode;
    material->shared_toon = layer->shared_toon;
    material->toon = layer->shared_toon ? 0 : PMX_NONE;
}

static PmxModel layered_wall(Arena *arena)
{
    PmxModel m = fixture_bone_only(arena);

    m.material_count = TILE_COUNT * LAYERS;
    m.vertex_count = 4 * m.material_count;
    m.index_count = 6 * m.material_count;
    m.vertices = arena_array(arena, PmxVertex, m.vertex_count);
    m.indices = arena_array(arena, uint32_t, m.index_count);
    m.materials = arena_array(arena, PmxMaterial, m.material_count);
    m.texture_count = PICTURES;
    m.extra_uv_count = 1;
    m.extra_uv[0] = arena_calloc(arena, m.vertex_count, sizeof(float[4]));
    for (uint32_t i = 0; i < m.material_count; i++)
        add_layer(&m, i, &TILES[i / LAYERS].layers[i % LAYERS]);
    return m;
}

static void test_layers(void **unused)
{
    (void)unused;
    const RenderOptions options = {
        .width = WALL, .height = WALL, .samples = 1, .supersample = 1, .background = {1, 1, 1, 1}};
    RenderFixture fixture = {.arena = arena_create()};
    Image image = {.pixels = arena_array(fixture.arena, uint8_t, 4 * WALL * WALL)};
    Diag diag;

    diag_init(&diag, NULL, NULL);
    SceneModel *entry =
        render_fixture_add(&fixture, layered_wall(fixture.arena), pictures(fixture.arena));
    for (int i = 0; i < TILE_COUNT * LAYERS; i++)
        entry->hidden[i] = TILES[i / LAYERS].layers[i % LAYERS].hidden;
    FrameState *state = render_fixture_rest(&fixture);
    state->camera = (CameraState){.target = {COLUMNS / 2.0f, -COLUMNS / 2.0f, 0},
                                  .distance = -COLUMNS / 0.5625f,
                                  .fov_deg = 30,
                                  .orthographic = true};
    state->light = (LightState){GREY_LIGHT, FROM_BEHIND};

    Renderer *renderer = renderer_create(&fixture.scene, &options, &diag);
    assert_non_null(renderer);
    assert_true(render_frame(&image, renderer, state, &diag));
    PixelTable table = pixel_table_begin("layers");
    for (int i = 0; i < TILE_COUNT; i++) {
        const int x = i % COLUMNS * TILE + TILE / 2 + 1, y = i / COLUMNS * TILE + TILE / 2 - 2;

        pixel_table_check(&table, TILES[i].what, image.pixels + 4 * (y * WALL + x),
                          TILES[i].expected, 1);
    }
    renderer_destroy(renderer);
    arena_destroy(fixture.arena);
    pixel_table_end(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models),
                                       cmocka_unit_test(test_layers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
