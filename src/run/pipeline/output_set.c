// SPDX-License-Identifier: MIT
#include "run/pipeline/output_set.h"

#include <limits.h>
#include <math.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/name_pattern.h"
#include "film/film.h"
#include "output/pixels/packed_alpha.h"

/* One output in this process. */
typedef struct OpenOutput {
    const FilmOutput *output;
    size_t index;
    bool segmented;
    PackedAlpha *packed; /* of an output with packed alpha; else NULL */
    Sink *sink;          /* a segmented output has one only while a segment is open */
    int64_t remaining;   /* frames that the open segment still lacks */
    int64_t ended;       /* segments */
} OpenOutput;

struct OutputSet {
    Arena *arena;
    const Film *film;
    const Checkpoint *checkpoint;
    OpenOutput *items;
    size_t count;
};

void output_set_close(OutputSet *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < set->count; i++)
        sink_destroy(set->items[i].sink);
    arena_destroy(set->arena);
}

OutputSet *output_set_open(const Film *film, const Checkpoint *checkpoint, bool ordered, Diag *diag)
{
    Arena *arena = arena_create();
    OutputSet *set = arena_array(arena, OutputSet, 1);
    *set = (OutputSet){.arena = arena,
                       .film = film,
                       .checkpoint = checkpoint,
                       .items = arena_array(arena, OpenOutput, film->output_count)};
    for (size_t i = 0; i < film->output_count; i++) {
        const FilmOutput *output = &film->outputs[i];
        if (output->kind->ordered != ordered)
            continue;
        OpenOutput *o = &set->items[set->count++];
        *o = (OpenOutput){
            .output = output, .index = i, .segmented = checkpoint && output->kind->segments};
        if (output->packed_alpha)
            o->packed = packed_alpha_create(film->render.width, film->render.height, arena);
        if (!o->segmented && !(o->sink = sink_create(output->kind, &output->options, diag))) {
            output_set_close(set);
            return NULL;
        }
    }
    return set;
}

/* The image of a frame that an output without layers writes. */
static Image picture_of(const OpenOutput *o, const Image *images)
{
    const Image *image = &images[o->output->image];
    return o->packed ? packed_alpha_image(o->packed, image) : *image;
}

/* ---- segments ---- */

static bool begin_segment(OutputSet *set, OpenOutput *o, int64_t segment, Diag *diag)
{
    const FilmSpan span = film_segment(set->film, segment);
    SinkOptions options = o->output->options;
    options.film_file = options.file;
    options.approval = NULL; /* the file of a segment is in the checkpoint directory */
    options.file = checkpoint_segment_file(set->checkpoint, o->index, segment, set->arena);
    options.first_frame = film_frame_at(set->film, span.first);
    options.frame_count = o->remaining = span.end - span.first;
    o->sink = sink_create(o->output->kind->segments->kind, &options, diag);
    return o->sink != NULL;
}

static bool end_segment(OpenOutput *o, Diag *diag)
{
    enum { TRIM_INTERVAL = 4 };
    if (!sink_finish(o->sink, diag))
        return false;
    sink_destroy(o->sink);
    o->sink = NULL;
    /* x264 needs 290 MiB at 1080p again for each segment, of which the heap reuses less and less:
     * without this it grows by half within 250 frames, and on.  To get all pages again costs
     * 170 ms. */
    if (++o->ended % TRIM_INTERVAL == 0)
        memory_trim();
    return true;
}

static bool write_to_segment(OutputSet *set, OpenOutput *o, const Image *images, int64_t frame,
                             int64_t index, Diag *diag)
{
    if (checkpoint_has(set->checkpoint, o->index, index))
        return true;
    if (!o->sink && !begin_segment(set, o, index / set->film->segment_frames, diag))
        return false;
    const Image image = picture_of(o, images);
    return sink_write(o->sink, &image, frame, diag) && (--o->remaining || end_segment(o, diag));
}

/* ---- outputs as one file, or as one file per frame ---- */

static bool write_image(const OpenOutput *o, const Image *images, const ImageRect *parts,
                        int64_t frame, Diag *diag)
{
    const FilmOutput *output = o->output;
    SinkLayerImage layers[PASS_COUNT];
    if (!output->layer_count) {
        const Image image = picture_of(o, images);
        return sink_write(o->sink, &image, frame, diag);
    }
    for (size_t i = 0; i < output->layer_count; i++) {
        const size_t from = output->layer_images[i];
        layers[i] = (SinkLayerImage){images[from], parts[from]};
    }
    return sink_write_layers(o->sink, layers, frame, diag);
}

static bool write_to_file(const OutputSet *set, OpenOutput *o, const Image *images,
                          const ImageRect *parts, int64_t frame, int64_t index,
                          FrameReceipt *receipt, Diag *diag)
{
    const SinkKind *kind = o->output->kind;
    if (!film_output_has_frame(o->output, frame))
        return true;
    if (kind->each_frame && set->checkpoint && checkpoint_has(set->checkpoint, o->index, index))
        return true;
    if (!write_image(o, images, parts, frame, diag))
        return false;
    if (kind->each_frame && receipt) {
        receipt->written |= 1u << o->index;
        receipt->records[o->index] = o->sink->record;
    }
    return true;
}

bool output_set_write(OutputSet *set, const Image *images, const ImageRect *parts, int64_t frame,
                      FrameReceipt *receipt, Diag *diag)
{
    const int64_t index = set->checkpoint ? film_index_of(set->film, frame) : 0;
    for (size_t i = 0; i < set->count; i++) {
        OpenOutput *o = &set->items[i];
        if (!(o->segmented ? write_to_segment(set, o, images, frame, index, diag)
                           : write_to_file(set, o, images, parts, frame, index, receipt, diag)))
            return false;
    }
    return true;
}

bool output_set_finish(OutputSet *set, Diag *diag)
{
    for (size_t i = 0; i < set->count; i++) {
        const OpenOutput *o = &set->items[i];
        if (!o->segmented && !sink_finish(o->sink, diag))
            return false;
    }
    return true;
}

/* ---- for the main process ---- */

bool output_set_needs(const Film *film, const Checkpoint *checkpoint, int64_t index)
{
    if (!checkpoint)
        return true;
    for (size_t i = 0; i < film->output_count; i++)
        if (!checkpoint_has(checkpoint, i, index))
            return true;
    return false;
}

void output_set_clean(const Film *film, const Checkpoint *checkpoint, long pid)
{
    for (size_t i = 0; i < film->output_count; i++)
        file_remove_temporaries(film->outputs[i].options.file, pid);
    if (!checkpoint)
        return;
    Arena *arena = arena_create();
    file_remove_temporaries(
        arena_printf(arena, "%s/segment/%%d", checkpoint_directory_of(checkpoint)), pid);
    arena_destroy(arena);
}

/* The digest of an image sequence is that of its files, one after another.  One that cannot be read
 * is no fault of the run. */
static void measure_sequence(ProgressOutput *output, const FilmOutput *out, const Film *film)
{
    char path[PATH_MAX];
    Diag trial = diag_quiet();
    Hash *hash = hash_create();
    uint64_t bytes = 0;
    bool read = true;
    for (int64_t i = 0; i < film->frame_count; i++) {
        const int64_t frame = film_frame_at(film, i);
        if (film_output_has_frame(out, frame))
            read = name_pattern_file(path, sizeof path, output->file, frame) &&
                   file_hash(hash, &bytes, path, NULL, &trial) && read;
    }
    const Digest digest = hash_finish(hash);
    output->size = (int64_t)bytes;
    if (read)
        output->digest = digest;
}

static int64_t count_frames(const FilmOutput *out, const Film *film)
{
    int64_t count = 0;
    for (int64_t i = 0; i < film->frame_count; i++)
        count += film_output_has_frame(out, film_frame_at(film, i));
    return count;
}

void output_set_report_files(const Film *film, Progress *progress)
{
    for (size_t i = 0; i < film->output_count; i++) {
        const FilmOutput *out = &film->outputs[i];
        const SinkOptions *options = &out->options;
        ProgressOutput output = {
            .file = options->file, .size = -1, .frames = count_frames(out, film)};
        output.seconds = out->kind == &sink_sheet
                             ? (double)NAN
                             : (double)output.frames * options->fps_den / options->fps_num;
        if (!out->kind->verify || !name_pattern_has_number(options->file))
            progress_measure_output(progress, &output);
        else if (progress->describes_outputs)
            measure_sequence(&output, out, film);
        progress_output(progress, &output);
    }
}
