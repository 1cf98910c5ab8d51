// SPDX-License-Identifier: MIT
/*
 * serve_socket.h - the Unix socket that a server listens at
 */
#pragma once

#include "base/diag.h"

/* The socket that a service manager passes (LISTEN_FDS, as systemd does); -1: none. */
int serve_socket_passed(void);

/* Creates a socket that only this user can connect to.  One that a server left which has died is
 * replaced; anything else at the path is an error (DIAG_CREATE).  -1 after an error. */
int serve_socket_open(const char *path, Diag *diag);
void serve_socket_remove(const char *path);
