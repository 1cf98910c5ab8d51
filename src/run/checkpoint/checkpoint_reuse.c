// SPDX-License-Identifier: MIT
#include "run/checkpoint/checkpoint_reuse.h"

#include <stdlib.h>
#include <string.h>

#include "film/film.h"
#include "film/frame_ranges.h"
#include "render/gl/gl_probe.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/checkpoint_read.h"
#include "run/checkpoint/fact_use.h"
#include "run/checkpoint/renderer_record.h"

Digest checkpoint_output_digest(const Fingerprint *fingerprint, size_t output)
{
    Hash *hash = hash_create();
    for (size_t i = 0; i < fingerprint->facts.count; i++) {
        const FingerprintFact *fact = &fingerprint->facts.items[i];
        const FactPlace place = fact_place(fact->key);
        if (place.use != FACT_OUTPUT || place.output != (int)output)
            continue;
        hash_add(hash, place.rest, strlen(place.rest) + 1);
        hash_add(hash, fact->value, strlen(fact->value) + 1);
    }
    return hash_finish(hash);
}

bool checkpoint_restore(const FilmOutput *output, const FileRecord *finished, const SinkPart *parts,
                        size_t count, const volatile sig_atomic_t *stop, Diag *diag)
{
    const SinkSegments *kind = output->kind->segments;
    return !count || !kind || !kind->restore ||
           !file_record_confirms(finished, output->options.file, stop) ||
           kind->restore(&output->options, parts, count, stop, diag);
}

/* ---- comparison ---- */

typedef struct Comparison {
    const ReuseJob *job;
    CheckpointContent before;
    FactChanges changes;
    PictureDigest *pictures; /* [frame_count] of the edited job; NULL: they are as before */
    Reuse *out;
    Arena *arena;
    Diag *diag;
} Comparison;

/* The index of the same output before; -1 if there is none. */
static int find_output(const Comparison *c, size_t output)
{
    const FilmOutput *now = &c->job->film->outputs[output];
    const char *directory = c->job->directory;
    const char *name = checkpoint_relative_path(directory, now->options.file, c->arena);
    const Film *before = &c->before.film;
    for (size_t i = 0; i < before->output_count; i++) {
        const FilmOutput *old = &before->outputs[i];
        const bool same_file =
            !strcmp(checkpoint_relative_path(directory, old->options.file, c->arena), name);
        if (same_file && checkpoint_kind(old) == checkpoint_kind(now) &&
            !!old->kind->segments == !!now->kind->segments)
            return (int)i;
    }
    return -1;
}

/* The record of a frame before; NULL if there is none. */
static const CompletedRecord *record_before(const Comparison *c, int old, int64_t index)
{
    const int64_t before = film_index_of(&c->before.film, film_frame_at(c->job->film, index));
    return before < 0 ? NULL : completed_set_find(&c->before.completed[old], before);
}

static void keep(Comparison *c, size_t output, int64_t index, const CompletedRecord *record,
                 const FrameIdentity *identity)
{
    *arena_push(c->arena, &c->out->entries) =
        (LedgerEntry){film_frame_at(c->job->film, index), output, record->record, *identity};
}

/* Stills, and frames that leave no file. */
static void keep_stills(Comparison *c, size_t output, int old)
{
    const Digest settings = checkpoint_output_digest(c->job->fingerprint, output);
    for (int64_t p = 0; p < c->job->film->frame_count; p++) {
        const CompletedRecord *record = record_before(c, old, p);
        if (!record)
            continue;
        const FrameIdentity identity =
            c->pictures ? frame_identity_make(&settings, &c->pictures[p], 1, 0) : record->identity;
        if (!c->pictures || frame_identities_equal(&record->identity, &identity))
            keep(c, output, p, record, &identity);
    }
}

/* Whether all frames of a segment have the same bytes as before, one after another. */
static bool is_same_segment(const Comparison *c, size_t output, int old, FilmSpan span,
                            const Digest *settings)
{
    const size_t count = (size_t)(span.end - span.first);
    const Film *film = c->job->film, *before = &c->before.film;
    const int64_t first = film_index_of(before, film_frame_at(film, span.first));
    const FilmSpan there =
        first < 0 ? (FilmSpan){0, 0} : film_segment(before, first / before->segment_frames);
    const bool moved = old != (int)output || first != span.first;
    if (there.first != first || there.end - there.first != span.end - span.first ||
        (moved && !c->before.has_report)) /* its file has another name */
        return false;
    for (int64_t p = span.first; p < span.end; p++) {
        const CompletedRecord *record = record_before(c, old, p);
        if (!record || film_frame_at(before, first + p - span.first) != film_frame_at(film, p))
            return false;
        const FrameIdentity identity = c->pictures
                                           ? frame_identity_make(settings, &c->pictures[span.first],
                                                                 count, (size_t)(p - span.first))
                                           : record->identity;
        if (c->pictures && !frame_identities_equal(&record->identity, &identity))
            return false;
    }
    return true;
}

/* Keeps the frames of a segment, and adds the part of the finished file that has it. */
static void keep_segment(Comparison *c, size_t output, int old, int64_t segment, SinkPart *part)
{
    const Film *film = c->job->film;
    const FilmSpan span = film_segment(film, segment);
    const size_t count = (size_t)(span.end - span.first);
    const char *extension = film->outputs[output].kind->segments->extension;
    SinkRecord *records = arena_array(c->arena, SinkRecord, count);
    for (int64_t p = span.first; p < span.end; p++) {
        const CompletedRecord *record = record_before(c, old, p);
        records[p - span.first] = record->record;
        keep(c, output, p, record, &record->identity);
    }
    *part = (SinkPart){
        .segment = checkpoint_segment_path(c->job->directory, output, segment, extension, c->arena),
        .first = film_index_of(&c->before.film, film_frame_at(film, span.first)),
        .count = count,
        .records = records};
}

/* Whether the segments of a finished output can be used again. */
static bool can_restore(const Comparison *c, size_t output, int old)
{
    const FilmOutput *out = &c->job->film->outputs[output];
    return (out->kind->segments->restore || !c->changes.uses) &&
           file_record_confirms(&c->before.report.outputs.items[old], out->options.file,
                                c->job->options->stop);
}

static bool keep_segments(Comparison *c, size_t output, int old)
{
    const Film *film = c->job->film;
    const Digest settings = checkpoint_output_digest(c->job->fingerprint, output);
    const int64_t segments = film_segment_count(film);
    SinkPart *parts = arena_array(c->arena, SinkPart, (size_t)segments);
    size_t count = 0;
    if (c->before.has_report && !can_restore(c, output, old))
        return true;
    for (int64_t s = 0; s < segments; s++)
        if (is_same_segment(c, output, old, film_segment(film, s), &settings))
            keep_segment(c, output, old, s, &parts[count++]);
    return !c->before.has_report || c->job->only_compare || !count ||
           film->outputs[output].kind->segments->restore(&film->outputs[output].options, parts,
                                                         count, c->job->options->stop, c->diag);
}

static bool keep_outputs(Comparison *c)
{
    const Film *film = c->job->film;
    bool ok = true;
    for (size_t i = 0; ok && i < film->output_count; i++) {
        const CheckpointKind kind = checkpoint_kind(&film->outputs[i]);
        const int old = kind == CHECKPOINT_WHOLE ? -1 : find_output(c, i);
        if (old >= 0 && kind == CHECKPOINT_SEGMENTS)
            ok = keep_segments(c, i, old);
        else if (old >= 0)
            keep_stills(c, i, old);
    }
    return ok;
}

static bool had_picture(const void *comparison, int64_t index, const PictureDigest *picture)
{
    const Comparison *c = comparison;
    bool same = false;
    for (size_t i = 0; !same && i < c->before.film.output_count; i++) {
        const CompletedRecord *record = record_before(c, (int)i, index);
        same = record && picture_digests_equal(&record->identity.picture, picture);
    }
    return same;
}

/* The frames that have another picture than before, or had none. */
static void find_changed(Comparison *c)
{
    FrameRangeList changed = {0};
    for (int64_t p = 0; p < c->job->film->frame_count; p++) {
        const int64_t frame = film_frame_at(c->job->film, p);
        if (!had_picture(c, p, &c->pictures[p]))
            frame_ranges_add(&changed, (FrameRange){frame, frame}, c->arena);
    }
    c->out->changed = (FrameRanges){changed.items, changed.count};
}

/* ---- the earlier film, for comparisons ---- */

/* Whether a fact is that of before, under another key or not. */
static bool is_same_fact(const Comparison *c, const char *key, const char *key_before)
{
    const FingerprintFacts *facts = &c->job->fingerprint->facts;
    const char *before = checkpoint_read_fact(&c->before, key_before), *now = NULL;
    for (size_t i = 0; i < facts->count; i++)
        if (!strcmp(facts->items[i].key, key))
            now = facts->items[i].value;
    return before && now ? !strcmp(before, now) : before == now;
}

/* Whether an output shows the picture, in the form in which it is drawn, as it did before. */
static bool shows_pictures(const Comparison *c, size_t output, int old)
{
    static const char *const facts[] = {"pass", "passes", "alpha"};
    const Film *film = c->job->film;
    const FilmOutput *out = &film->outputs[output];
    bool same = out->options.pixels == PIXEL_RGBA8 && !out->layer_count && !out->packed_alpha &&
                film->images[out->image].pass == PASS_BEAUTY;
    for (size_t i = 0; same && i < sizeof facts / sizeof *facts; i++)
        same = is_same_fact(c, arena_printf(c->arena, "outputs.%zu.%s", output, facts[i]),
                            arena_printf(c->arena, "outputs.%d.%s", old, facts[i]));
    return same;
}

/* Chooses the output that shows the earlier film: a video or PNG files.  Frames with other numbers
 * or of another size cannot be compared. */
static void find_earlier(Comparison *c)
{
    const Film *film = c->job->film;
    EarlierFilm *earlier = &c->out->earlier;
    if (!c->before.has_report || !is_same_fact(c, "render.size", "render.size") ||
        !is_same_fact(c, "render.fps", "render.fps"))
        return;
    for (size_t i = 0; i < film->output_count && !earlier->film; i++) {
        const FilmOutput *out = &film->outputs[i];
        const int old = find_output(c, i);
        const bool is_video = sink_is_video(out->kind);
        if (old < 0 || (!is_video && out->kind != &sink_png) || !shows_pictures(c, i, old) ||
            (is_video && !file_record_confirms(&c->before.report.outputs.items[old],
                                               out->options.file, c->job->options->stop)))
            continue;
        *earlier = (EarlierFilm){.output = i,
                                 .film = &c->before.film,
                                 .stills = is_video ? NULL : &c->before.completed[old],
                                 .frames = c->out->why_nothing ? film->frames : c->out->changed};
    }
}

/* ---- whether there is anything to compare ---- */

static bool has_identities(const Comparison *c)
{
    for (size_t i = 0; i < c->before.film.output_count; i++)
        for (int64_t p = 0; p < c->before.film.frame_count; p++) {
            const CompletedRecord *record = completed_set_find(&c->before.completed[i], p);
            if (record && picture_digest_is_known(&record->identity.picture))
                return true;
        }
    return false;
}

/* Whether the pictures are those of before without a look at the states. */
static bool has_same_pictures(const Comparison *c)
{
    const unsigned sound = 1u << FACT_SOUND;
    return !(c->changes.uses & ~sound) && !c->changes.voice;
}

static const char *why_nothing(const Comparison *c)
{
    const ReuseJob *job = c->job;
    const char *other = job->options->accept_renderer
                            ? NULL
                            : renderer_record_other(job->directory, job->renderer, c->arena);
    if (other)
        return arena_printf(c->arena, "it was drawn by %s, and this machine draws with %s", other,
                            job->renderer);
    if (has_same_pictures(c))
        return NULL;
    if (!has_identities(c))
        return "its record does not say what each frame shows";
    return c->changes.all_pictures || !job->options->identify ? "every picture depends on that"
                                                              : NULL;
}

bool checkpoint_reuse(Reuse *out, const ReuseJob *job, Arena *arena, Diag *diag)
{
    Diag trial = diag_quiet();
    Comparison *c = arena_array(arena, Comparison, 1); /* `earlier` refers to it */
    *c = (Comparison){.job = job, .out = out, .arena = arena, .diag = diag};
    *out = (Reuse){0};
    if (!checkpoint_read(&c->before, job->directory, arena, &trial)) {
        out->why_nothing = "its record cannot be read";
        return true;
    }
    c->changes = fact_changes(&c->before.record, job->fingerprint, arena);
    out->why_nothing = why_nothing(c);
    if (!out->why_nothing && !has_same_pictures(c)) {
        c->pictures = arena_array(arena, PictureDigest, (size_t)job->film->frame_count);
        const EarlierPictures earlier = {had_picture, c};
        if (!job->options->identify(job->options->user, c->pictures, &earlier, job->film,
                                    job->fingerprint, diag))
            return false;
        find_changed(c);
    }
    if (!job->only_compare && (out->why_nothing || out->changed.count))
        find_earlier(c);
    return out->why_nothing ? true : keep_outputs(c);
}

/* ---- what is drawn ---- */

static int by_frame(const void *a, const void *b)
{
    const LedgerEntry *left = a, *right = b;
    return (left->frame > right->frame) - (left->frame < right->frame);
}

FrameRanges checkpoint_reuse_drawn(const Film *film, Reuse *reuse, Arena *arena)
{
    const bool all = checkpoint_leaves_no_file(film);
    LedgerEntry *kept = reuse->entries.items;
    const size_t count = reuse->entries.count;
    FrameRangeList drawn = {0};
    size_t at = 0;
    if (count)
        qsort(kept, count, sizeof *kept, by_frame);
    for (int64_t p = 0; p < film->frame_count; p++) {
        const int64_t frame = film_frame_at(film, p);
        size_t needed = 0, found = 0;
        for (size_t i = 0; i < film->output_count; i++)
            needed += film_output_has_frame(&film->outputs[i], frame) &&
                      (all || checkpoint_kind(&film->outputs[i]) != CHECKPOINT_NOTHING);
        for (; at < count && kept[at].frame <= frame; at++)
            found += kept[at].frame == frame;
        if (found < needed)
            frame_ranges_add(&drawn, (FrameRange){frame, frame}, arena);
    }
    return (FrameRanges){drawn.items, drawn.count};
}

bool checkpoint_forecast(DrawForecast *out, const Film *film, const Fingerprint *fingerprint,
                         const CheckpointOptions *options, Arena *arena, Diag *diag)
{
    GlProbe gl;
    Reuse reuse = {0};
    Diag trial = diag_quiet();
    *out = (DrawForecast){.count = film->frame_count, .drawn = film->frames};
    const char *directory =
        options->directory ? options->directory : checkpoint_directory(film, arena);
    if (!directory || !checkpoint_read_is_directory(directory))
        return true;
    const ReuseJob job = {film,
                          fingerprint,
                          options,
                          directory,
                          gl_probe(&gl, film->render.backend, &trial) ? gl.renderer : "none",
                          true};
    if (!checkpoint_reuse(&reuse, &job, arena, diag))
        return false;
    JobChanges changes;
    const char *difference = checkpoint_job_difference(&changes, directory, fingerprint, arena);
    out->drawn = checkpoint_reuse_drawn(film, &reuse, arena);
    out->count = film_frame_count(&out->drawn);
    if (difference)
        out->why = arena_printf(
            arena, "%s%s%s%s%s", difference, reuse.changed.count ? "; changed in frames " : "",
            reuse.changed.count ? frame_ranges_text(&reuse.changed, arena) : "",
            reuse.why_nothing ? "; " : "", reuse.why_nothing ? reuse.why_nothing : "");
    return true;
}
