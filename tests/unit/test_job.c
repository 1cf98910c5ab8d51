#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "job/job.h"
#include "job/option_read.h"
#include "job/options.h"

/* Everything that was told, a line each: "error: ...". */
typedef struct Told {
    char text[16384];
} Told;

static void tell(void *user, DiagLevel level, const char *message)
{
    static const char *const words[] = {"", "warning: ", "error: "};
    Told *told = user;
    const size_t used = strlen(told->text);
    snprintf(told->text + used, sizeof told->text - used, "%s%s\n", words[level], message);
}

/* A job file in a folder of its own, so that paths have something to be relative to. */
typedef struct Bench {
    Arena *arena;
    Diag diag;
    Told told;
    char folder[64], path[96];
    Job job;
} Bench;

static int set_up(void **state)
{
    Bench *bench = calloc(1, sizeof *bench);
    bench->arena = arena_create();
    snprintf(bench->folder, sizeof bench->folder, "/tmp/odori-test-job-XXXXXX");
    if (!bench || !mkdtemp(bench->folder))
        return 1;
    snprintf(bench->path, sizeof bench->path, "%s/job.yaml", bench->folder);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    Bench *bench = *state;
    unlink(bench->path);
    rmdir(bench->folder);
    arena_destroy(bench->arena);
    free(bench);
    return 0;
}

static bool load(Bench *bench, const char *text, const char *const *sets, size_t set_count)
{
    FILE *file = fopen(bench->path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    bench->told.text[0] = '\0';
    diag_init(&bench->diag, tell, &bench->told);
    const JobSource source = {
        .path = bench->path, .sets = sets, .set_count = set_count, .needs_output = true};
    return job_load(&bench->job, &source, bench->arena, &bench->diag);
}

/* The page that says what a job looks like, word for word. */
static const char example[] =
    "version: 1\n"
    "name: my-dance\n"
    "models:\n"
    "  - id: gene\n"
    "    file: models/gene/Gene_light.pmx\n"
    "    motions:                          # later ones win, per bone and per morph\n"
    "      - motions/dance.vmd             # short form\n"
    "      - { file: motions/face.vmd, offset: 0, speed: 1.0, only: [morphs] }\n"
    "    position: [0, 0, 0]               # MMD units\n"
    "    rotation_deg: [0, 0, 0]\n"
    "    scale: 1.0\n"
    "    physics: true\n"
    "    morphs: { \"笑い\": 0.4 }           # constants, applied last\n"
    "    hide_materials: []\n"
    "  - { id: glasses, file: models/glasses/glasses.pmx, attach: { model: gene, bone: \"頭\", "
    "offset: [0, 0, 0] } }\n"
    "stage: [ { file: stages/room.pmx } ]   # a model or .x accessory without motion\n"
    "cloth:                                # methods.md 8\n"
    "  - { model: gene, material: \"スカート\", integrator: symplectic,\n"
    "      pin: { bone: \"下半身\" }, capsules: [ [\"左足\", \"左ひざ\", 0.9], [\"右足\", "
    "\"右ひざ\", 0.9] ] }\n"
    "camera: { motion: motions/camera.vmd }   # or fixed: {target, distance, rotation_deg, "
    "fov_deg}, or path: (methods.md 6, 7)\n"
    "light: { color: [0.6, 0.6, 0.6], direction: [-0.5, -1, 0.5], motion: null }\n"
    "shadows: { ground: true, self: true, map_size: 2048 }\n"
    "background: { color: \"#ffffff\", image: null, alpha: false }\n"
    "physics: { gravity: [0, -98, 0], step_hz: 120, warmup_s: 1.0, floor: true, bake: auto }   # "
    "bake: auto | none | FILE\n"
    "compat: { curve_halvings: 12, ik: plane, append_chain: appended, fixed_axis: keys }   # the "
    "disputed rules, each with its alternatives\n"
    "audio: { file: music/song.wav, offset_s: 0, gain_db: 0, fade_out_s: 1.5 }   # .mid: synth: "
    "beep (methods.md 9)\n"
    "render: { size: [1920, 1080], fps: 60, frames: all, samples: 4, supersample: 1, workers: auto "
    "}\n"
    "                                      # frames: all | \"0-1799\" | \"0-99,400-499\": output "
    "frames, inclusive; samples 1 or 4: all that llvmpipe has\n"
    "outputs:\n"
    "  - { file: out/dance.mp4, codec: h264, crf: 18, preset: medium }\n"
    "  - { file: \"out/frames/%05d.png\" }   # the output frame's number, whatever range is drawn\n"
    "previews:\n"
    "  - { type: sheet, file: out/sheet.png, cells: [6, 4] }\n"
    "  - { type: webp, file: out/preview.webp, width: 480, fps: 12, range_s: [30, 36] }\n"
    "burn_in: { text: \"{name} {frame} {time}\", corner: bottom-left }\n"
    "limits: { frame_timeout_s: 60, memory_mib: 4096 }\n"
    "credits: [ \"Model: Gene, CC BY 4.0 ...\" ]   # many MMD assets demand it: copied into the "
    "video's metadata and the report\n";

static void assert_path(const Bench *bench, const char *path, const char *relative)
{
    char expected[256];
    snprintf(expected, sizeof expected, "%s/%s", bench->folder, relative);
    assert_string_equal(path, expected);
}

static void test_example(void **state)
{
    Bench *bench = *state;
    const Job *job = &bench->job;
    const bool good = load(bench, example, NULL, 0);
    if (!good)
        print_message("%s", bench->told.text);
    assert_true(good);

    assert_string_equal(job->name, "my-dance");
    assert_int_equal(job->model_count, 2);
    assert_path(bench, job->models[0].file, "models/gene/Gene_light.pmx");
    assert_int_equal(job->models[0].motion_count, 2);
    assert_path(bench, job->models[0].motions[0].file, "motions/dance.vmd");
    assert_int_equal(job->models[0].motions[0].parts, MOTION_ALL);
    assert_int_equal(job->models[0].motions[1].parts, MOTION_MORPHS);
    assert_int_equal(job->models[0].morph_count, 1);
    assert_string_equal(job->models[0].morphs[0].name, "笑い");
    assert_true(job->models[0].morphs[0].weight == 0.4);
    assert_null(job->models[0].attach);
    assert_string_equal(job->models[1].attach->bone, "頭");
    assert_int_equal(job->stage_count, 1);
    assert_int_equal(job->cloth_count, 1);
    assert_int_equal(job->cloth[0].integrator, INTEGRATOR_SYMPLECTIC);
    assert_string_equal(job->cloth[0].pin_bone, "下半身");
    assert_int_equal(job->cloth[0].capsule_count, 2);
    assert_string_equal(job->cloth[0].capsules[1].to, "右ひざ");
    assert_path(bench, job->camera.motion->file, "motions/camera.vmd");
    assert_null(job->light.motion);
    assert_true(job->light.color[1] == 0.6 && job->light.direction[2] == 0.5);
    assert_true(job->background.color[2] == 1 && !job->background.image);
    assert_string_equal(job->physics.bake, "auto");
    assert_true(job->audio->fade_out_s == 1.5 && job->audio->fade_in_s == 0);
    assert_int_equal(job->render.size[1], 1080);
    assert_int_equal(job->render.fps.num, 60);
    assert_int_equal(job->render.frames.count, 0);
    assert_int_equal(job->render.workers, 0);
    assert_int_equal(job->outputs[0].crf, 18);
    assert_int_equal(job->outputs[1].crf, -1);
    assert_int_equal(job->preview_count, 2);
    assert_true(job->previews[1].range_s[1] == 36);
    assert_int_equal(job->burn_in->corner, BOTTOM_LEFT);
    assert_int_equal(job->credit_count, 1);

    /* One warning for all that does not exist yet. */
    assert_int_equal(bench->diag.warnings, 1);
    assert_non_null(strstr(
        bench->told.text, "job.yaml:12:5: models.0.physics, cloth, shadows.self, shadows.map_size, "
                          "physics, previews, burn_in: not built yet, ignored\n"
                          "   12 |     physics: true\n"
                          "      |     ^\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_example, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
