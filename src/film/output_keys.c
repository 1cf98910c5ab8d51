// SPDX-License-Identifier: MIT
#include "film/output_keys.h"

#include <string.h>

#include "job/job_options.h"
#include "output/sink.h"
#include "picture/passes/pass.h"
#include "record/yaml.h"

/* Whether a key of an output is an option of the encoder of a video. */
static bool is_video_key(const Option *option)
{
    const size_t start = offsetof(JobOutput, video);
    return option->offset >= start && option->offset < start + sizeof(VideoOptions);
}

/* Whether a key of an output has a value, other than its default, that is neither from the job file
 * nor from a preset. */
static bool is_given(const Job *job, size_t index, const char *key)
{
    const YamlNode *outputs = job->root ? yaml_find(job->root, "outputs") : NULL;
    const YamlNode *output = outputs ? yaml_item(outputs, index) : NULL;
    const YamlNode *value = output ? yaml_find(output, key) : NULL;
    return value && value->source != job->root->source &&
           strncmp(value->source->name, "--preset", strlen("--preset")) != 0 &&
           !yaml_is_null(value) && strcmp(value->text, "auto") != 0;
}

/* The options of an output that select its codec. */
static SinkOptions sink_options(const Job *job, const JobOutput *output)
{
    SinkOptions options = {.file = output->file,
                           .format = output->format,
                           .width = job->render.size[0],
                           .height = job->render.size[1],
                           .fps_num = job->render.fps.num,
                           .fps_den = job->render.fps.den,
                           .alpha = job->background.alpha && output->pass == PASS_BEAUTY,
                           .video = output->video};
    options.video.crf = -1;
    options.video.preset = NULL;
    return options;
}

static bool report_key(const Job *job, size_t index, const char *key, const char *problem,
                       Arena *arena, Diag *diag)
{
    const char *name = arena_printf(arena, "outputs.%zu.%s", index, key);
    return diag_fail_at(diag, job_location(job, name, NULL, arena), DIAG_JOB, "'%s': %s",
                        job->outputs[index].file, problem);
}

static bool check_output(const Job *job, size_t index, Arena *arena, Diag *diag)
{
    const SinkOptions options = sink_options(job, &job->outputs[index]);
    bool good = true;
    Diag silent = diag_quiet();
    const SinkKind *kind = sink_find(options.file, options.format, &silent);
    const OptionTable *keys = option_at("outputs")->table;
    for (size_t i = 0; kind && i < keys->count; i++) {
        const char *key = keys->rows[i].key;
        if (!is_video_key(&keys->rows[i]) || !is_given(job, index, key))
            continue;
        if (!sink_is_video(kind))
            good = report_key(job, index, key, "only videos have this option", arena, diag);
        else if (!sink_ffmpeg_has_key(&options, key))
            good = report_key(job, index, key, "its codec has no such option", arena, diag);
    }
    return good;
}

bool output_keys_check(const Job *job, Arena *arena, Diag *diag)
{
    bool good = true;
    for (size_t i = 0; i < job->output_count; i++)
        good &= check_output(job, i, arena, diag);
    return good;
}
