// SPDX-License-Identifier: MIT
/*
 * serve_warm.h - the films that stay loaded, and their drawers, in the server
 *
 * serve_scene.h describes their processes.  A drawer draws for one client only, so that whatever a
 * request did to its memory reaches no other client.  The films and drawers that were used longest
 * ago end first, where there are too many or they take too much memory.
 */
#pragma once

#include <sys/types.h>

#include "base/hash.h"

typedef struct WarmScene {
    bool used, ready;
    pid_t pid; /* 0: it has died, while requests still run */
    int socket;
    Digest key; /* of the requests whose film it may be */
    int running;
    double used_s;
    int64_t mib;
} WarmScene;

typedef struct Drawer {
    bool used, busy;
    WarmScene *scene;
    const void *client; /* NULL: it has gone */
    int socket;
    double used_s;
    int64_t mib; /* 0: not known yet */
} Drawer;

enum { WARM_MAX_SCENES = 64, WARM_MAX_DRAWERS = 128 };

typedef struct WarmScenes {
    int max_scenes, max_drawers; /* drawers that wait */
    int64_t max_mib;             /* of all of them */
    WarmScene scenes[WARM_MAX_SCENES];
    Drawer drawers[WARM_MAX_DRAWERS];
} WarmScenes;

void warm_scenes_init(WarmScenes *warm, int max_scenes, int64_t max_mib, int max_drawers);
void warm_scenes_finish(WarmScenes *warm);

WarmScene *warm_scene_find(WarmScenes *warm, const Digest *key);

/* One that is going to be loaded; NULL if none may. */
WarmScene *warm_scene_add(WarmScenes *warm, const Digest *key);

/* It is loaded. */
void warm_scene_ready(WarmScenes *warm, WarmScene *scene);
void warm_scene_drop(WarmScenes *warm, WarmScene *scene);

/* A child of the server has ended. */
void warm_scenes_reap(WarmScenes *warm, pid_t pid);

/* Their number, and the memory of all processes. */
int warm_scenes_count(const WarmScenes *warm);
int64_t warm_scenes_mib(const WarmScenes *warm);

/* A drawer for a request of the client: one that waits, or a new one.  NULL with errno. */
Drawer *warm_drawer_take(WarmScenes *warm, WarmScene *scene, const void *client);

/* After the request.  remains: it waits for another one.  pid: its number */
void warm_drawer_release(WarmScenes *warm, Drawer *drawer, bool remains, pid_t pid);

/* The client has gone. */
void warm_drawers_forget(WarmScenes *warm, const void *client);
