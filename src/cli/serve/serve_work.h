// SPDX-License-Identifier: MIT
/*
 * serve_work.h - requests from the queue to their results
 */
#pragma once

#include "cli/serve/serve_answer.h"
#include "cli/serve/serve_client.h"
#include "cli/serve/serve_process.h"
#include "cli/serve/serve_scene.h"
#include "cli/serve/serve_warm.h"

typedef enum WorkState { WORK_FREE, WORK_QUEUED, WORK_RUNNING, WORK_CLEANING } WorkState;

typedef struct Work {
    WorkState state;
    Arena *arena;
    ServeClient *client; /* NULL: it has gone */
    ServeRequest request;
    double received_s, started_s;
    unsigned long number; /* in the order of arrival */
    ServeProcess process;
    ServeBuffer output, event;
    bool skips_event;
    const char *code, *message; /* the first error */
    const char *outputs;        /* those of the last event, as JSON */
    bool ended;                 /* the last event has come */
    bool reaped;
    int wait_status;
    SceneEnd end;
    ServeBuffer end_bytes;
    WarmScene *scene;   /* that draws it, or that it loads */
    Drawer *drawer;     /* of the scene, that draws it; or NULL */
    bool loads, plain;  /* plain: its film cannot be kept */
    bool begins_record; /* there was none of its output before */
    int attempts;
    const char *stopped; /* why it is stopped, a code; or NULL */
    double stopped_s;
    bool killed;        /* of those processes: the first one, by SIGKILL */
    ServeResult result; /* while it is cleaned */
} Work;

typedef struct Works {
    Work *items; /* [count] */
    size_t count;
    int max_queued, max_running;
    const Arguments *args;
    const HostLimits *limits; /* of the host */
    WarmScenes warm;
    unsigned long received, finished, restarted;
} Works;

/* A request that waits, of which the arena has everything; NULL if too many do already. */
Work *works_add(Works *works, ServeClient *client, const ServeRequest *request, Arena *arena);

/* The request of a client with an id, as JSON; or NULL. */
Work *works_find(const Works *works, const ServeClient *client, const char *id);
bool works_has(const Works *works, const ServeClient *client);
int works_in(const Works *works, WorkState state);

/* Starts those that wait, as far as they may run. */
void works_start(Works *works);

/* Reads what running ones send, and ends them. */
void works_update(Works *works);

/* A child of the server has ended. */
void works_reap(Works *works, pid_t pid, int wait_status);

/* code: cancelled, deadline or stopped */
void works_stop(Works *works, Work *work, const char *code);

/* The client has gone: its requests are cancelled. */
void works_forget(Works *works, const ServeClient *client);
