// SPDX-License-Identifier: MIT
#include "run/pipeline/picture_digest.h"

#include <string.h>

#include "film/credits.h"
#include "film/film.h"
#include "film/film_images.h"
#include "film/film_scenes.h"
#include "film/overlays.h"
#include "film/sub_frames.h"
#include "film/subtitle_load.h"
#include "run/checkpoint/fact_use.h"
#include "run/pipeline/bake_run.h"
#include "typesetting/subtitle_spans.h"

struct PictureDigester {
    const Film *film;
    Digest *scenes;   /* [scene_count] facts of every picture */
    Digest *overlays; /* [overlay_count] */
    Digest subtitles; /* their settings and fonts */
    Digest credits, fade;
    SubtitleSpans spans;
};

/* ---- facts ---- */

static void add_fact(Hash *hash, const char *key, const char *value)
{
    hash_add(hash, key, strlen(key) + 1);
    hash_add(hash, value, strlen(value) + 1);
}

/* Whether every picture of a scene depends on a fact. */
static bool counts(const FactPlace *place, const Film *film, int scene)
{
    const bool effects = film->scenes[scene].scene.effects.draws != NULL;
    return (place->use == FACT_PICTURE || (place->use == FACT_PLACE && effects)) &&
           (place->scene < 0 || place->scene == scene);
}

/* Facts that every picture of a scene depends on.  all: every fact of every scene. */
static Digest scene_digest(const Film *film, const Fingerprint *fingerprint, int scene, bool all)
{
    Hash *hash = hash_create();
    for (size_t i = 0; i < fingerprint->facts.count; i++) {
        const FingerprintFact *fact = &fingerprint->facts.items[i];
        const FactPlace place = fact_place(fact->key);
        if (all ? place.use != FACT_OUTPUT : counts(&place, film, scene))
            add_fact(hash, fact->key, fact->value);
    }
    const DepthRange depth = film->passes.depth; /* which may be found in all frames */
    const double bounds[] = {depth.near, depth.far};
    if (film_has_image(film, PASS_DEPTH))
        hash_add(hash, bounds, sizeof bounds);
    return hash_finish(hash);
}

/* The facts of a section or item, by the rest of their keys: its place in a list does not count,
 * nor when it is shown. */
static Digest section_digest(const Fingerprint *fingerprint, const char *const *sections)
{
    Hash *hash = hash_create();
    for (size_t i = 0; i < fingerprint->facts.count; i++) {
        const FingerprintFact *fact = &fingerprint->facts.items[i];
        for (const char *const *section = sections; *section; section++) {
            const size_t size = strlen(*section);
            const char *rest = fact->key + size;
            if (!strncmp(fact->key, *section, size) && (!*rest || *rest == '.') &&
                strcmp(rest, ".frames") != 0 && strcmp(rest, ".fade") != 0)
                add_fact(hash, rest, fact->value);
        }
    }
    return hash_finish(hash);
}

/* Passes whose values count over all scenes: labels, bounds. */
static bool has_passes(const Film *film)
{
    return film->image_count > 1 || !film_has_image(film, PASS_BEAUTY);
}

PictureDigester *picture_digester_create(const Film *film, const Fingerprint *fingerprint,
                                         Arena *arena)
{
    static const char *const credits[] = {"credits", "credits that are shown", NULL};
    static const char *const fade[] = {"fade", NULL};
    PictureDigester *d = arena_array(arena, PictureDigester, 1);
    *d = (PictureDigester){.film = film,
                           .scenes = arena_array(arena, Digest, film->scene_count),
                           .overlays = arena_array(arena, Digest, film->overlay_count),
                           .credits = section_digest(fingerprint, credits),
                           .fade = section_digest(fingerprint, fade)};
    for (size_t i = 0; i < film->scene_count; i++)
        d->scenes[i] =
            scene_digest(film, fingerprint, (int)i,
                         film->job->effects.history || (has_passes(film) && film->scene_count > 1));
    for (size_t i = 0; i < film->overlay_count; i++) {
        const char *const section[] = {film->overlays[i].key, NULL};
        d->overlays[i] = section_digest(fingerprint, section);
    }
    if (film->subtitles.script) {
        subtitle_spans_find(&d->spans, film->subtitles.script, arena);
        Hash *hash = hash_create();
        for (size_t i = 0; i < fingerprint->facts.count; i++) {
            const FingerprintFact *fact = &fingerprint->facts.items[i];
            if ((!strncmp(fact->key, "subtitles.", 10) &&
                 strcmp(fact->key, "subtitles.file") != 0) ||
                !strcmp(fact->key, "libass"))
                add_fact(hash, fact->key, fact->value);
        }
        d->subtitles = hash_finish(hash);
    }
    return d;
}

/* ---- a frame ---- */

static void add_digest(Hash *hash, char what, const Digest *digest)
{
    hash_add(hash, &what, 1);
    hash_add(hash, digest, sizeof *digest);
}

static void add_number(Hash *hash, double value)
{
    hash_add(hash, &value, sizeof value);
}

/* The overlays of a scene, or of the film, that a frame shows, in the order of drawing. */
static void add_overlays(Hash *hash, const PictureDigester *d, size_t scene, int64_t frame)
{
    const Film *film = d->film;
    for (size_t i = 0; i < film->overlay_count; i++) {
        const double opacity = overlay_opacity(&film->overlays[i], frame);
        if (opacity <= 0 || film->overlays[i].scene != scene)
            continue;
        add_digest(hash, 'o', &d->overlays[i]);
        add_number(hash, opacity);
    }
}

/* What is drawn over the whole frame. */
static void add_additions(Hash *hash, const PictureDigester *d, int64_t frame)
{
    const Film *film = d->film;
    const JobFade *fade = film->job->fade;
    const int64_t since = frame - film->fade.first, left = film->fade.last - frame;
    const int seen = credits_visibility(film, frame);
    const int64_t time_ms = film->subtitles.script ? subtitle_time_ms(film, frame) : 0;
    const SubtitleSpan *lines =
        film->subtitles.script ? subtitle_spans_at(&d->spans, time_ms) : NULL;
    if (lines) {
        add_digest(hash, 's', &d->subtitles);
        hash_add(hash, &lines->digest, sizeof lines->digest);
        add_number(hash, (double)time_ms);
    }
    if (seen) {
        add_digest(hash, 'c', &d->credits);
        add_number(hash, seen);
    }
    if (fade && since >= 0 && since < fade->in) {
        add_digest(hash, 'b', &d->fade);
        add_number(hash, (double)since);
    }
    if (fade && left >= 0 && left < fade->out) {
        add_digest(hash, 'e', &d->fade);
        add_number(hash, (double)left);
    }
}

PictureDigest picture_digest(const PictureDigester *d, const void *packed, int64_t frame)
{
    const Film *film = d->film;
    const FilmMoment moment = film_moment(film, frame);
    PictureDigest picture;
    Hash *hash = hash_create();
    add_number(hash, (double)frame);
    add_number(hash, moment.count);
    for (int i = 0; i < moment.count; i++) {
        const FilmShown shown = moment.shown[i];
        const FilmScene *scene = &film->scenes[shown.scene];
        add_digest(hash, 'p', &d->scenes[shown.scene]);
        add_number(hash, (double)shown.frame);
        hash_add(hash, (const uint8_t *)packed + film_states_offset(film, &moment, i),
                 sub_frames_bytes(scene->job, &scene->scene));
        add_overlays(hash, d, shown.scene, frame);
    }
    if (moment.count > 1) {
        add_number(hash, (double)moment.time.index);
        add_number(hash, (double)moment.time.length);
    }
    add_overlays(hash, d, OVERLAY_OF_FILM, frame);
    add_additions(hash, d, frame);
    const Digest digest = hash_finish(hash);
    memcpy(picture.bytes, digest.bytes, sizeof picture.bytes);
    return picture;
}

bool picture_digest_all(void *user, PictureDigest *pictures, const EarlierPictures *earlier,
                        const Film *film, const Fingerprint *fingerprint, Diag *diag)
{
    PictureEvaluation *e = user;
    Arena *arena = arena_create();
    const PictureDigester *digester = picture_digester_create(film, fingerprint, arena);
    void *states = arena_alloc(arena, film_state_bytes(film));
    FrameStateSource source;
    bool ok = frame_state_source_open(&source, film, NULL, e->progress, e->stop, arena, diag);
    if (e->keeps)
        e->kept = kept_states_create(film);
    progress_stage(e->progress, "evaluate", film->frame_count, 0);
    for (int64_t p = 0; ok && p < film->frame_count; p++) {
        const int64_t frame = film_frame_at(film, p);
        ok = !(e->stop && *e->stop) && frame_state_source_read(states, &source, frame, diag);
        if (ok)
            pictures[p] = picture_digest(digester, states, frame);
        if (ok && e->kept)
            kept_states_add(e->kept, p, states, !earlier->has(earlier->user, p, &pictures[p]));
        progress_step(e->progress, p + 1);
    }
    frame_state_source_close(&source);
    arena_destroy(arena);
    return ok;
}
