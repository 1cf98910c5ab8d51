/*
 * sitting.h - a model alone in a film, to be rendered from several sides
 *
 * The film has one model in its rest pose, without physics, and a camera that frames a part of it
 * (follow/README.md).
 */
#ifndef PORTRAIT_SITTING_H
#define PORTRAIT_SITTING_H

#include "film/film.h"
#include "inspect/scratch_folder.h"
#include "progress/progress.h"

typedef struct Sitting {
    Job job;
    Film film;
    ScratchFolder folder;
    Progress *progress;
    const volatile sig_atomic_t *stop;
    Arena *arena;
} Sitting;

typedef struct SittingView {
    const char *shot;  /* "full", "face", ... as camera.shot */
    double turn_deg;   /* of the camera around the model; 0: from the front */
    int width, height; /* pixels */
    float closer;      /* factor of the distance; 0: 1 */
} SittingView;

/* job: of the model file, without outputs.  _close after it in any case. */
bool sitting_open(Sitting *sitting, const Job *job, Progress *progress,
                  const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);
void sitting_close(const Sitting *sitting);

/* The only model. */
const Model *sitting_model(const Sitting *sitting);

/* Whether it has a head, which a shot of the face needs. */
bool sitting_has_head(const Sitting *sitting);

/* Points the camera; it stays there for all frames. */
bool sitting_set_view(Sitting *sitting, const SittingView *view, Diag *diag);

/* Renders frames 0 to count - 1, and reads one of them. */
bool sitting_render(Sitting *sitting, int64_t count, Diag *diag);
bool sitting_load(Image *image, const Sitting *sitting, int64_t frame, Arena *arena, Diag *diag);

#endif
