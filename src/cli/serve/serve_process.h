// SPDX-License-Identifier: MIT
/*
 * serve_process.h - the processes of a request
 *
 * Each request has a process group of its own.  This program is started again with the words of the
 * request, or the process that keeps its film (serve_scene.h) forks one, for which a process of the
 * group starts the file broker of its output.
 */
#pragma once

#include <sys/types.h>

#include "cli/arguments.h"
#include "cli/serve/serve_request.h"
#include "job/host_limits.h"

typedef struct ServeProcess {
    pid_t pid;    /* that of the request itself; 0: not known */
    pid_t child;  /* a child of the server, which it waits for; 0: none */
    pid_t group;  /* 0: none */
    int out, err; /* its output streams; -1: closed */
    int end;      /* of a warm one: its number and a SceneEnd; -1: closed */
    int scene;    /* socket of a process that loads a film; -1: none */
} ServeProcess;

#define SERVE_NO_PROCESS ((ServeProcess){.out = -1, .err = -1, .end = -1, .scene = -1})

/* Starts the program; keeps: it is to keep its film.  False with errno. */
bool serve_process_start(ServeProcess *process, const ServeRequest *request, bool keeps);

/* Lets the process at `scene` render a request.  limits: of the host. */
bool serve_process_fork(ServeProcess *process, const ServeRequest *request, bool is_first,
                        int scene, const Arguments *args, const HostLimits *limits);

/* Sends a signal to all of its processes, or to the one that is the request itself. */
void serve_process_signal(const ServeProcess *process, int number);
void serve_process_kill_main(const ServeProcess *process);

void serve_process_close(ServeProcess *process);
