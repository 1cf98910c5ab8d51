// SPDX-License-Identifier: MIT
/*
 * serve_process.h - the processes of a request
 *
 * Each request has a process group of its own.  This program is started again with the words of the
 * request; or the group begins with the file broker of its output, which a drawer of its film joins
 * (serve_scene.h).
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

/* Passes the request to the drawer at a socket.  limits: of the host. */
bool serve_process_fork(ServeProcess *process, const ServeRequest *request, bool is_first,
                        int drawer, const Arguments *args, const HostLimits *limits);

/* Starts a process that removes what the killed processes of a request left of its output. */
bool serve_process_clean(ServeProcess *process, const ServeRequest *request, const Arguments *args,
                         const HostLimits *limits);

/* Sends a signal to all of its processes, or to the one that is the request itself. */
void serve_process_signal(const ServeProcess *process, int number);
void serve_process_kill_main(const ServeProcess *process);

void serve_process_close(ServeProcess *process);
