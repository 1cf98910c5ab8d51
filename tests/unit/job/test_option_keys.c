/*
 * The keys of a job file with what each accepts and its default: the job format as documented.  A
 * change of a row changes the meaning of existing job files, so it is made here, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/option_help.h"

/* clang-format off */
static const struct {
    const char *key, *accepts, *value; /* value: the default; "" for a section */
} rows[] = {
    {"version", "1", "required"},
    {"name", "text", "null"},
    {"models", "list of maps or files", "required"},
    {"models.N.id", "text", "null"},
    {"models.N.file", "file", "required"},
    {"models.N.motions", "list of maps or files", "[]"},
    {"models.N.motions.N.file", "file", "required"},
    {"models.N.motions.N.offset", "-10000000..10000000", "0"},
    {"models.N.motions.N.speed", "0.01..100", "1"},
    {"models.N.motions.N.only", "list of bones, morphs, properties", "[bones, morphs, properties]"},
    {"models.N.motions.N.rename", "map of name: name", "{}"},
    {"models.N.position", "3 x -1000000..1000000", "[0, 0, 0]"},
    {"models.N.rotation_deg", "3 x -3600..3600", "[0, 0, 0]"},
    {"models.N.scale", "0.001..1000", "1"},
    {"models.N.path", "list of maps", "[]"},
    {"models.N.path.N.time_s", "0..1000000", "null"},
    {"models.N.path.N.frame", "0..30000000", "null"},
    {"models.N.path.N.position", "3 x -1000000..1000000", "[0, 0, 0]"},
    {"models.N.path.N.rotation_deg", "3 x -3600..3600", "[0, 0, 0]"},
    {"models.N.path.N.velocity", "3 x -1000000..1000000", "null"},
    {"models.N.path.N.cut", "true, false", "false"},
    {"models.N.physics", "true, false", "true"},
    {"models.N.edge_scale", "0..10", "1"},
    {"models.N.morphs", "map of name: number", "{}"},
    {"models.N.hide_materials", "list of texts", "[]"},
    {"models.N.attach", "map", "null"},
    {"models.N.attach.model", "text", "required"},
    {"models.N.attach.bone", "text", "required"},
    {"models.N.attach.offset", "3 x -1000000..1000000", "[0, 0, 0]"},
    {"stage", "list of maps or files", "[]"},
    {"stage.N.file", "file", "required"},
    {"stage.N.position", "3 x -1000000..1000000", "[0, 0, 0]"},
    {"stage.N.rotation_deg", "3 x -3600..3600", "[0, 0, 0]"},
    {"stage.N.scale", "0.001..1000", "1"},
    {"stage.N.path", "list of maps", "[]"},
    {"stage.N.path.N.time_s", "0..1000000", "null"},
    {"stage.N.path.N.frame", "0..30000000", "null"},
    {"stage.N.path.N.position", "3 x -1000000..1000000", "[0, 0, 0]"},
    {"stage.N.path.N.rotation_deg", "3 x -3600..3600", "[0, 0, 0]"},
    {"stage.N.path.N.velocity", "3 x -1000000..1000000", "null"},
    {"stage.N.path.N.cut", "true, false", "false"},
    {"stage.N.edge_scale", "0..10", "1"},
    {"stage.N.morphs", "map of name: number", "{}"},
    {"stage.N.hide_materials", "list of texts", "[]"},
    {"cloth", "list of maps", "[]"},
    {"cloth.N.model", "text", "required"},
    {"cloth.N.material", "text", "null"},
    {"cloth.N.lining", "0..10", "0.1"},
    {"cloth.N.shape", "map", "null"},
    {"cloth.N.shape.form", "cone, tube, sheet", "cone"},
    {"cloth.N.shape.columns", "3..1000", "40"},
    {"cloth.N.shape.rows", "2..1000", "30"},
    {"cloth.N.shape.radius", "2 x 0.01..1000", "[1, 3]"},
    {"cloth.N.shape.depth", "0.05..20", "1"},
    {"cloth.N.shape.width", "0.01..1000", "4"},
    {"cloth.N.shape.length", "0.01..1000", "5"},
    {"cloth.N.shape.offset", "3 x -1000000..1000000", "[0, 0, 0]"},
    {"cloth.N.shape.rotation_deg", "3 x -3600..3600", "[0, 0, 0]"},
    {"cloth.N.shape.hold", "top, left", "top"},
    {"cloth.N.shape.color", "\"#rrggbb\" or [r, g, b]", "\"#c03040\""},
    {"cloth.N.shape.texture", "file", "null"},
    {"cloth.N.shape.edge", "true, false", "false"},
    {"cloth.N.pin", "map", ""},
    {"cloth.N.pin.bone", "text", "null"},
    {"cloth.N.pin.bones", "list of texts", "[]"},
    {"cloth.N.capsules", "list of [bone, bone, radius]", "[]"},
    {"cloth.N.bodies", "true, false", "false"},
    {"cloth.N.floor", "true, false", "true"},
    {"cloth.N.integrator", "euler, symplectic, rk2, rk4, leapfrog", "symplectic"},
    {"cloth.N.substeps", "auto or 1..64", "auto"},
    {"cloth.N.any_step", "true, false", "false"},
    {"cloth.N.mass", "0.001..1000", "1"},
    {"cloth.N.stiffness", "1..100000000", "60000"},
    {"cloth.N.shear", "0..1", "0.5"},
    {"cloth.N.bend", "0..1", "0.1"},
    {"cloth.N.damping", "0..2", "0.1"},
    {"cloth.N.drag", "0..10000", "0.5"},
    {"cloth.N.air", "0..1000", "1"},
    {"cloth.N.wind", "3 x -10000..10000", "[0, 0, 0]"},
    {"cloth.N.gust", "0..1", "0.5"},
    {"cloth.N.gravity_scale", "-100..100", "1"},
    {"cloth.N.contact", "0..1000", "4"},
    {"cloth.N.friction", "0..10", "0.3"},
    {"cloth.N.thickness", "0..10", "0.15"},
    {"camera", "map", ""},
    {"camera.motion", "map or file", "null"},
    {"camera.motion.file", "file", "required"},
    {"camera.motion.offset", "-10000000..10000000", "0"},
    {"camera.motion.speed", "0.01..100", "1"},
    {"camera.fixed", "map", "null"},
    {"camera.fixed.target", "3 x -1000000..1000000", "[0, 10, 0]"},
    {"camera.fixed.distance", "-1000000..1000000", "-45"},
    {"camera.fixed.rotation_deg", "3 x -3600..3600", "[0, 0, 0]"},
    {"camera.fixed.fov_deg", "1..179", "30"},
    {"camera.fixed.orthographic", "true, false", "false"},
    {"camera.path", "list of maps", "[]"},
    {"camera.path.N.time_s", "0..1000000", "null"},
    {"camera.path.N.frame", "0..30000000", "null"},
    {"camera.path.N.eye", "3 x -1000000..1000000", "required"},
    {"camera.path.N.target", "3 x -1000000..1000000", "[0, 10, 0]"},
    {"camera.path.N.up", "3 x -1000000..1000000", "[0, 1, 0]"},
    {"camera.path.N.roll_deg", "-3600..3600", "0"},
    {"camera.path.N.fov_deg", "1..179", "30"},
    {"camera.path.N.velocity", "3 x -1000000..1000000", "null"},
    {"camera.path.N.cut", "true, false", "false"},
    {"camera.orientation", "target, axes", "target"},
    {"camera.follow", "text or list of texts", "[]"},
    {"camera.shot", "list of full, knee, waist, bust, face", "[]"},
    {"camera.smooth_s", "0..60", "1"},
    {"camera.margin", "0..0.4", "0.05"},
    {"camera.rotation_deg", "3 x -3600..3600", "[0, 0, 0]"},
    {"camera.fov_deg", "1..179", "30"},
    {"camera.cuts", "none, auto, seconds", "none"},
    {"light", "map", ""},
    {"light.color", "\"#rrggbb\" or [r, g, b]", "[0.603921569, 0.603921569, 0.603921569]"},
    {"light.direction", "3 x -1000000..1000000", "[-0.5, -1, 0.5]"},
    {"light.motion", "map or file", "null"},
    {"light.motion.file", "file", "required"},
    {"light.motion.offset", "-10000000..10000000", "0"},
    {"light.motion.speed", "0.01..100", "1"},
    {"light.path", "list of maps", "[]"},
    {"light.path.N.time_s", "0..1000000", "null"},
    {"light.path.N.frame", "0..30000000", "null"},
    {"light.path.N.color", "\"#rrggbb\" or [r, g, b]", "null"},
    {"light.path.N.direction", "3 x -1000000..1000000", "null"},
    {"light.path.N.cut", "true, false", "false"},
    {"shadows", "map", ""},
    {"shadows.ground", "true, false", "true"},
    {"shadows.ground_height", "-1000000..1000000", "0"},
    {"shadows.self", "true, false", "true"},
    {"shadows.map_size", "256..8192", "2048"},
    {"shadows.soft", "0..1", "0.05"},
    {"background", "map", ""},
    {"background.color", "\"#rrggbb\" or [r, g, b]", "\"#ffffff\""},
    {"background.image", "file", "null"},
    {"background.video", "file", "null"},
    {"background.fit", "cover, contain, stretch", "cover"},
    {"background.video_offset_s", "-100000..100000", "0"},
    {"background.video_loop", "true, false", "false"},
    {"background.alpha", "true, false", "false"},
    {"look", "map", ""},
    {"look.grade", "map or file", "null"},
    {"look.grade.lut", "file", "null"},
    {"look.grade.lut_strength", "0..1", "1"},
    {"look.grade.exposure_ev", "-10..10", "0"},
    {"look.grade.temperature", "-1..1", "0"},
    {"look.grade.contrast", "0..4", "1"},
    {"look.grade.saturation", "0..4", "1"},
    {"look.grade.vignette", "0..0.99", "0"},
    {"look.grade.grain", "0..0.5", "0"},
    {"physics", "map", ""},
    {"physics.gravity", "3 x -1000000..1000000", "[0, -98, 0]"},
    {"physics.step_hz", "30..1200", "120"},
    {"physics.cloth_hz", "30..4800", "240"},
    {"physics.warmup_s", "0..60", "1"},
    {"physics.floor", "true, false", "true"},
    {"physics.teleport_reset", "true, false", "false"},
    {"physics.bake", "auto, none, file", "auto"},
    {"compat", "map", ""},
    {"compat.curve_halvings", "1..52", "12"},
    {"compat.ik", "plane, pmxe", "plane"},
    {"compat.append_chain", "appended, own", "appended"},
    {"compat.fixed_axis", "keys, off", "keys"},
    {"audio", "map or file", "null"},
    {"audio.file", "file", "required"},
    {"audio.offset_s", "-100000..100000", "0"},
    {"audio.gain_db", "-100..40", "0"},
    {"audio.fade_in_s", "0..600", "0"},
    {"audio.fade_out_s", "0..600", "0"},
    {"audio.synth", "beep, fluidsynth", "beep"},
    {"audio.voices", "1..128", "16"},
    {"audio.slice_ms", "1..1000", "10"},
    {"audio.percussion", "true, false", "false"},
    {"audio.soundfont", "file", "null"},
    {"render", "map", ""},
    {"render.size", "2 x 2..8192", "[1920, 1080]"},
    {"render.fps", "1..240", "60"},
    {"render.frames", "all, ranges", "all"},
    {"render.quality", "draft, good, best", "good"},
    {"render.samples", "1, 4", "auto"},
    {"render.supersample", "auto or 1..4", "auto"},
    {"render.anisotropy", "1..16", "1"},
    {"render.workers", "auto or 1..256", "auto"},
    {"render.gl", "auto, osmesa, egl", "auto"},
    {"render.edges", "true, false", "true"},
    {"render.transparency", "mmd, split", "mmd"},
    {"render.shader_dir", "file", "null"},
    {"outputs", "list of maps or files", "required"},
    {"outputs.N.file", "file", "required"},
    {"outputs.N.codec", "text", "auto"},
    {"outputs.N.crf", "auto or 0..63", "auto"},
    {"outputs.N.preset", "text", "null"},
    {"outputs.N.gop", "auto or 1..10000", "auto"},
    {"outputs.N.pixel_format", "text", "auto"},
    {"outputs.N.audio_codec", "text", "auto"},
    {"outputs.N.audio_kbps", "auto or 8..1024", "auto"},
    {"previews", "list of maps", "[]"},
    {"previews.N.type", "sheet, still, webp, gif", "required"},
    {"previews.N.file", "file", "required"},
    {"previews.N.cells", "2 x 1..64", "[6, 4]"},
    {"previews.N.width", "auto or 16..8192", "auto"},
    {"previews.N.frame", "auto or 0..99999999", "auto"},
    {"previews.N.time_s", "0..400000", "0"},
    {"previews.N.fps", "1..60", "12"},
    {"previews.N.range_s", "2 x 0..1000000", "[0, 0]"},
    {"burn_in", "map", "null"},
    {"burn_in.text", "text", "required"},
    {"burn_in.corner", "top-left, top-right, bottom-left, bottom-right", "bottom-left"},
    {"burn_in.font", "file", "null"},
    {"limits", "map", ""},
    {"limits.frame_timeout_s", "0.1..86400", "60"},
    {"limits.total_timeout_s", "0..31536000", "0"},
    {"limits.memory_mib", "64..16777216", "8192"},
    {"limits.sandbox", "auto, require, off", "auto"},
    {"warnings", "map", ""},
    {"warnings.strict", "list of names", "null"},
    {"warnings.hide", "list of names", "null"},
    {"credits", "list of texts", "[]"},
};
/* clang-format on */

enum { ROW_COUNT = sizeof rows / sizeof *rows };

static void test_keys(void **state)
{
    (void)state;
    char *text = NULL, expected[512];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    option_markdown(out);
    fclose(out);
    const char *line = text;
    for (size_t i = 0; i < 2 + ROW_COUNT; i++, line += strcspn(line, "\n") + 1) {
        if (i < 2) /* the head of the table */
            continue;
        const char *value = rows[i - 2].value;
        const char *quote = !strcmp(value, "required") ? "*" : value[0] ? "`" : "";
        snprintf(expected, sizeof expected, "| `%s` | %s | %s%s%s | ", rows[i - 2].key,
                 rows[i - 2].accepts, quote, value, quote);
        if (strncmp(line, expected, strlen(expected)) != 0)
            fail_msg("%.*s\nexpected %s", (int)strcspn(line, "\n"), line, expected);
    }
    assert_string_equal(line, "");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
