// SPDX-License-Identifier: MIT
#include "inspect/check_result.h"

#include "base/file.h"
#include "base/path.h"
#include "film/film_scenes.h"
#include "film/path_conflicts.h"
#include "inspect/hidden_frames.h"

/* ---- the results ---- */

static const ResultField TrackCounts_fields[] = {
    MEMBER_NAMED(TrackCounts, of[TRACK_BONES], "bones", "tracks of bones"),
    MEMBER_NAMED(TrackCounts, of[TRACK_MORPHS], "morphs", "tracks of morphs"),
    MEMBER_NAMED(TrackCounts, of[TRACK_SWITCHES], "switches", "tracks of visibility and IK"),
};
RESULT(TrackCounts, "numbers of tracks");

static const ResultField MotionShare_fields[] = {
    MEMBER_RECORD(MotionShare, moving, TrackCounts, "tracks with keys of different values"),
    MEMBER_RECORD(MotionShare, moved_before, TrackCounts,
                  "tracks of these that a motion before moves, too"),
    MEMBER_RECORD(MotionShare, constant, TrackCounts, "tracks with several keys of one value"),
    MEMBER_RECORD_NAMED(MotionShare, single, "one_key", TrackCounts, "tracks with one key"),
    MEMBER_RECORD_NAMED(MotionShare, replacing, "one_key_replacing", TrackCounts,
                        "tracks with one key, which replaces one of a motion before"),
    MEMBER_RECORD(MotionShare, overriding, TrackCounts,
                  "tracks for which the keys of all motions before are dropped"),
    MEMBER_VALUES_NAMED(MotionShare, moved_in.items, moved_in.count, "moved_in",
                        "files before that move tracks of moved_before"),
    MEMBER_VALUES_NAMED(MotionShare, replaced.items, replaced.count, "replaces_keys_of",
                        "files before of which keys are replaced"),
    MEMBER_VALUES_NAMED(MotionShare, overridden.items, overridden.count, "overrides",
                        "files before of which tracks are dropped"),
};
RESULT(MotionShare, "what a motion contributes");

static const ResultField MotionFit_fields[] = {
    MEMBER(MotionFit, file, "file of the motion"),
    MEMBER(MotionFit, made_for, "name of the model in the file; may be empty"),
    MEMBER(MotionFit, bones, "bones of the motion with a key away from rest"),
    MEMBER(MotionFit, bones_found, "bones of these that the model has"),
    MEMBER(MotionFit, morphs, "morphs of the motion with a key away from rest"),
    MEMBER(MotionFit, morphs_found, "morphs of these that the model has"),
};
RESULT(MotionFit, "whether a motion fits the model");

typedef struct CheckMotion {
    const char *model, *contribution;
    const MotionFit *fit;
    const MotionShare *share;
} CheckMotion;

static const ResultField CheckMotion_fields[] = {
    MEMBER(CheckMotion, model, "id of the model"),
    MEMBER_PART(CheckMotion, fit, MotionFit),
    MEMBER(CheckMotion, contribution, "what it contributes to the timeline, as a text"),
    MEMBER_PART(CheckMotion, share, MotionShare),
};
RESULT(CheckMotion, "a motion of a model");

typedef struct CheckHidden {
    const char *model;
    int64_t count, shown;
    FrameRanges ranges;
} CheckHidden;

static const ResultField CheckHidden_fields[] = {
    MEMBER(CheckHidden, model, "id of the model"),
    MEMBER(CheckHidden, count, "frames in which keys hide it"),
    MEMBER(CheckHidden, shown, "frames of the film that show its scene"),
    MEMBER(CheckHidden, ranges, "the first of the hidden frames"),
};
RESULT(CheckHidden, "a model that is hidden at times");

static const ResultField Lips_fields[] = {
    MEMBER(Lips, file, "file of the voice"),
    MEMBER_NAMED(Lips, length_s, "seconds", "duration of the file", .unit = "seconds"),
    MEMBER_NAMED(Lips, voiced_s, "voiced", "duration of the voice in it", .unit = "seconds"),
    MEMBER(Lips, periodicity, "mean periodicity of the voice, 0 to 1"),
    MEMBER(Lips, pauses, "share of pauses, 0 to 1"),
    MEMBER(Lips, scale, "length of the vocal tract, relative to the reference"),
    MEMBER(Lips, morphs, "morphs that move"),
    MEMBER(Lips, keys, "keys of these morphs"),
    MEMBER(Lips, blinks, "blinks that were made"),
};
RESULT(Lips, "lips by a voice");

typedef struct CheckVoice {
    const char *model;
    const Lips *lips;
} CheckVoice;

static const ResultField CheckVoice_fields[] = {
    MEMBER(CheckVoice, model, "id of the model"),
    MEMBER_PART(CheckVoice, lips, Lips),
};
RESULT(CheckVoice, "a voice that moves the lips of a model");

typedef struct CheckUnused {
    const char *model, *parts;
} CheckUnused;

static const ResultField CheckUnused_fields[] = {
    MEMBER(CheckUnused, model, "id of the model"),
    MEMBER(CheckUnused, parts, "what of its file is not used"),
};
RESULT(CheckUnused, "a model of which parts are not used");

static const ResultField SceneEffect_fields[] = {
    MEMBER(SceneEffect, file, "file of the effect"),
    MEMBER(SceneEffect, used_by, "ids of models, or targets of other effects"),
    MEMBER_WORD(SceneEffect, state, scene_effect_words,
                "whether it runs; mapped: a key of look takes its place"),
    MEMBER_NAMED(SceneEffect, why, "reason", "reason, if it does not run", .nullable = true),
};
RESULT(SceneEffect, "an effect of MikuMikuEffect");

typedef struct CheckFont {
    const char *key, *file, *family;
} CheckFont;

static const ResultField CheckFont_fields[] = {
    MEMBER(CheckFont, key, "key of the text that it draws"),
    MEMBER(CheckFont, file, "file of the font, or its name in a script"),
    MEMBER(CheckFont, family, "name of an installed font", .nullable = true),
};
RESULT(CheckFont, "a font");

typedef struct CheckFile {
    const char *path, *named_by;
    uint64_t bytes;
    Digest sha256;
} CheckFile;

static const ResultField CheckFile_fields[] = {
    MEMBER(CheckFile, path, "file; of a file in an archive the archive"),
    MEMBER(CheckFile, bytes, "size", .unit = "bytes"),
    MEMBER(CheckFile, sha256, "SHA-256 of its contents"),
    MEMBER(CheckFile, named_by, "key or file that names it"),
};
RESULT(CheckFile, "a file that the film is made of");

typedef struct CheckFilm {
    const char *name, *limits;
    size_t models;
    int64_t frames;
    int size[2];
    double seconds;
    ARENA_LIST(CheckMotion) motions;
    ARENA_LIST(CheckHidden) hidden;
    ARENA_LIST(CheckVoice) voices;
    ARENA_LIST(CheckUnused) not_used;
    ARENA_LIST(SceneEffect) effects;
    ARENA_LIST(CheckFont) fonts;
    ARENA_LIST(CheckFile) files;
    SceneSpan *scenes;
    size_t scene_count;
} CheckFilm;

static const ResultField CheckFilm_fields[] = {
    MEMBER(CheckFilm, name, "name of the job"),
    MEMBER(CheckFilm, limits, "limits of the host that are in force"),
    MEMBER(CheckFilm, models, "models of all scenes"),
    MEMBER(CheckFilm, frames, "number of frames"),
    MEMBER_ARRAY(CheckFilm, size, "width and height", .unit = "pixels"),
    MEMBER(CheckFilm, seconds, "duration of the film", .unit = "seconds"),
    MEMBER_ITEMS(CheckFilm, motions, CheckMotion, "motions of all models"),
    MEMBER_ITEMS(CheckFilm, hidden, CheckHidden, "models that keys of visibility hide"),
    MEMBER_ITEMS(CheckFilm, voices, CheckVoice, "voices that move lips"),
    MEMBER_ITEMS(CheckFilm, not_used, CheckUnused, "parts of models that are not used"),
    MEMBER_ITEMS(CheckFilm, effects, SceneEffect, "effects of MikuMikuEffect"),
    MEMBER_ITEMS(CheckFilm, fonts, CheckFont, "fonts in the order in which they are asked"),
    MEMBER_ITEMS(CheckFilm, files, CheckFile, "files that the film is made of"),
    MEMBER_LIST(CheckFilm, scenes, scene_count, SceneSpan, "scenes of the film"),
};
RESULT(CheckFilm, "a film that loads");

typedef struct Check {
    const char *job;
    bool ok;
    Problem *problems;
    size_t problem_count;
    const CheckFilm *film;
} Check;

static const ResultField Check_fields[] = {
    MEMBER(Check, job, "job file, or what the job is made of"),
    MEMBER(Check, ok, "the job loads; without it there are problems only"),
    MEMBER_LIST(Check, problems, problem_count, Problem, "errors and warnings"),
    MEMBER_OPTIONAL_PART(Check, film, CheckFilm),
};
const ResultTable check_result = RESULT_TABLE(Check, "problems of a job, and its film");

/* ---- from a film ---- */

static void add_model(CheckFilm *check, const SceneModel *model, Arena *arena)
{
    for (size_t i = 0; i < model->motion.fit_count; i++) {
        const MotionFit *fit = &model->motion.fits[i];
        *arena_push(arena, &check->motions) =
            (CheckMotion){model->id, motion_share_text(&fit->share, arena), fit, &fit->share};
    }
    if (model->lips.file)
        *arena_push(arena, &check->voices) = (CheckVoice){model->id, &model->lips};
    if (model->model->pmx.ignored)
        *arena_push(arena, &check->not_used) = (CheckUnused){model->id, model->model->pmx.ignored};
}

static void add_fonts(CheckFilm *check, const FilmFontUse *use, Arena *arena)
{
    for (size_t i = 0; i < use->fonts.count; i++)
        *arena_push(arena, &check->fonts) =
            (CheckFont){use->key, use->fonts.items[i].path, use->fonts.items[i].family};
}

/* The job, what its keys name, textures, includes of effects, fonts. */
static void add_files(CheckFilm *check, const Film *film, Arena *arena)
{
    PathConflicts *inputs = path_conflicts_create(DIAG_JOB, arena);
    Diag silent = diag_quiet();
    path_conflicts_add_film(inputs, film);
    for (size_t i = 0; i < film->fonts.count; i++)
        for (size_t k = 0; k < film->fonts.items[i].fonts.count; k++)
            path_conflicts_add_input(inputs, film->fonts.items[i].key,
                                     film->fonts.items[i].fonts.items[k].path);
    for (size_t i = 0; i < path_conflicts_input_count(inputs); i++) {
        CheckFile file = {.path = path_conflicts_input_file(inputs, i),
                          .named_by = path_conflicts_input_label(inputs, i)};
        if (path_is_file(file.path) &&
            file_digest(&file.sha256, &file.bytes, file.path, NULL, &silent))
            *arena_push(arena, &check->files) = file;
    }
}

size_t check_count_models(const Film *film)
{
    size_t count = 0;
    for (size_t i = 0; i < film->scene_count; i++)
        count += film->scenes[i].scene.model_count;
    return count;
}

static CheckFilm list_film(const Film *film, Arena *arena)
{
    const JobRender *render = &film->job->render;
    CheckFilm check = {.name = film->job->name,
                       .limits = film->job->host.title,
                       .models = check_count_models(film),
                       .frames = film->frame_count,
                       .size = {render->size[0], render->size[1]},
                       .seconds = (double)film->frame_count * render->fps.den / render->fps.num,
                       .scenes = film_scene_spans(film, arena),
                       .scene_count = film->scene_count};
    for (size_t i = 0; i < film->scene_count; i++) {
        const Scene *scene = &film->scenes[i].scene;
        for (size_t m = 0; m < scene->model_count; m++) {
            add_model(&check, &scene->models[m], arena);
            HiddenFrames *hidden = arena_array(arena, HiddenFrames, 1);
            *hidden = hidden_frames_find(film, i, m);
            const size_t listed =
                hidden->range_count < HIDDEN_RANGES ? hidden->range_count : HIDDEN_RANGES;
            if (hidden->count)
                *arena_push(arena, &check.hidden) =
                    (CheckHidden){film->scenes[i].scene.models[m].id,
                                  hidden->count,
                                  hidden->shown,
                                  {hidden->ranges, listed}};
        }
        for (size_t k = 0; k < scene->effects.count; k++)
            *arena_push(arena, &check.effects) = scene->effects.items[k];
    }
    for (size_t i = 0; i < film->fonts.count; i++)
        add_fonts(&check, &film->fonts.items[i], arena);
    add_files(&check, film, arena);
    return check;
}

void check_write_json(FILE *out, const char *job, const Film *film, const ProblemList *problems)
{
    Arena *arena = arena_create();
    CheckFilm contents;
    Check check = {.job = job,
                   .ok = film != NULL,
                   .problems = problem_list_results(problems, arena),
                   .problem_count = problems->count};
    if (film) {
        contents = list_film(film, arena);
        check.film = &contents;
    }
    result_print_line(out, &check_result, &check);
    arena_destroy(arena);
}
