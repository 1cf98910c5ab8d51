// SPDX-License-Identifier: MIT
/*
 * serve_scene.h - the processes of the server that keep the film of a request loaded
 *
 *   server --exec--> odori render WORDS  (with SERVE_SCENE_VARIABLE: a socket)
 *          <-- SCENE_READY --             the film is loaded and open
 *          -- a socket -->                forks a drawer, which has the other end
 *          -- SceneRequest, 5 or 6 descriptors --> drawer, which renders it
 *
 * The film is loaded in the sandbox of `render`, so that it can read the inputs of its job and the
 * directory of its output, and write nothing.  A request brings the socket of a file broker that
 * writes its output (sandbox/file_broker.h), its words, what its job reads from standard input, its
 * output streams and a pipe for its end.  A drawer that has drawn a still waits for the next
 * request; after anything else it ends.  Where a film cannot be kept the process renders it as
 * usual.
 */
#pragma once

#include "cli/session.h"
#include "run/checkpoint/checkpoint.h"
#include "run/pipeline/warm_film.h"

#define SERVE_SCENE_VARIABLE "ODORI_SERVE_SCENE"

enum { SCENE_READY = 'R' };

/* Instead of an exit status: the film is that of another job; what is drawn is not kept. */
enum { SCENE_MISFIT = -1, SCENE_PLAIN = -2 };

/* Descriptors of a request, in this order. */
enum { SCENE_WORDS, SCENE_INPUT, SCENE_OUT, SCENE_ERR, SCENE_END, SCENE_BROKER, SCENE_FILES };

typedef struct SceneRequest {
    int32_t is_first; /* that of the words with which the process was started */
    int32_t group;    /* the process group of the request */
    int32_t files;    /* SCENE_FILES, or SCENE_BROKER without a broker */
} SceneRequest;

/* What a drawer writes when it has a request: its number; and at the end. */
typedef struct SceneEnd {
    int32_t status;  /* exit status, or one of the above */
    int32_t remains; /* the drawer waits for another request */
    float cpu_s;     /* of all its processes, for this one */
} SceneEnd;

/* False if the other side has ended. */
bool scene_request_send(int socket, const SceneRequest *request, const int files[SCENE_FILES]);

/* The socket of the server if this process was started as one, else -1.  Call it first: processes
 * that this one starts are none. */
int serve_scene_take_socket(void);

/* Loads the film of the session, whose job is loaded, and forks drawers until the server closes the
 * socket. */
bool serve_scene(Session *session, const CheckpointOptions *options, int socket);

/* verbs_render.c: renders the job of the session, which is that of the film. */
bool render_loaded(Session *session, WarmFilm *warm, const CheckpointOptions *options);

/* verbs_render.c: renders another command line by a film that is kept; *unfit: 0, or SCENE_MISFIT
 * or SCENE_PLAIN, and nothing was done. */
bool render_warm(Session *session, const Session *entered, WarmFilm *warm, int32_t *unfit);
