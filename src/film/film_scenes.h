// SPDX-License-Identifier: MIT
/*
 * film_scenes.h - the scenes of a film: which of them a frame shows, and how each is drawn
 *
 * A frame of a scene is that of a job which has only this scene: it has the time of the scene's own
 * motions, and an output frame number of its own, from which that follows.
 */
#pragma once

#include "film/film.h"
#include "picture/transition.h"
#include "record/result.h"

/* A scene and one of its own output frames. */
typedef struct FilmShown {
    size_t scene;
    int64_t frame;
} FilmShown;

/* What a frame of a film shows: a scene or, in a transition, the one that ends, then the one that
 * begins. */
typedef struct FilmMoment {
    FilmShown shown[2];
    int count;
    const TransitionOptions *transition; /* NULL: there is one scene */
    TransitionTime time;
} FilmMoment;

/* frame: of the film; after its last scene that scene goes on. */
FilmMoment film_moment(const Film *film, int64_t frame);

/* The own output frames of a scene that a range of the film shows; false if there are none. */
bool film_scene_range(FrameRange *out, const Film *film, size_t scene, FrameRange range);

/* The frames of the film that show a scene and the one before it: the length of a transition. */
int64_t film_overlap(const Film *film, size_t scene);

/* Sets the job of a scene and where it begins, when those before it are loaded; then, when it is
 * loaded too, its last frame.  False after an error: a transition is longer than its scenes. */
void film_begin_scene(Film *film, size_t scene, Arena *arena);
bool film_end_scene(Film *film, size_t scene, Arena *arena, Diag *diag);

/* The last output frame of the film if all of it is rendered. */
int64_t film_end(const Film *film);

/* Where the packed states of one of these scenes are among those of the frame, bytes. */
size_t film_states_offset(const Film *film, const FilmMoment *moment, int index);

/* Bytes of the packed states of a frame: those of its scenes, one after another
 * (film/sub_frames.h). */
size_t film_state_bytes(const Film *film);

/* The options with which a scene is drawn.  common: Film.render, with the size of the images. */
RenderOptions film_scene_render(const RenderOptions *common, const FilmScene *scene);

/* "frames 270-569 of the film, its own 0-299, cross-fade of 30" */
const char *film_scene_text(const Film *film, size_t scene, Arena *arena);

/* The first and the last frame of a scene: of the film, and its own. */
typedef struct SceneSpan {
    int64_t frames[2], scene_frames[2];
} SceneSpan;

extern const ResultTable SceneSpan_result;

/* An array of Film.scene_count. */
SceneSpan *film_scene_spans(const Film *film, Arena *arena);

/* Whether the pixels of a scene's textures are kept: those of the first scene, and of others as
 * long as all of them are a small part of limits.memory_mib.  Else whoever draws the scene decodes
 * them again (scene/texture_pixels.h). */
bool film_keeps_pixels(const Film *film, size_t scene);

/* Whether a scene has physics or cloth. */
bool film_is_simulated(const Film *film);
