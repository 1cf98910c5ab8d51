// SPDX-License-Identifier: MIT
/*
 * serve_client.h - a client: the lines that it sends, and those that it has not read yet
 */
#pragma once

#include <stdbool.h>

#include "cli/serve/serve_buffer.h"

typedef struct ServeClient {
    bool used;
    bool ended; /* nothing more comes from it */
    bool lost;  /* nothing can be sent to it */
    int in, out;
    ServeBuffer line, unread;
    bool skips; /* the rest of a line that is too long */
} ServeClient;

void serve_client_open(ServeClient *client, int in, int out);
void serve_client_close(ServeClient *client);

/* Sends a line, which is kept while the client does not read.  NULL, or one that is not used, is
 * fine. */
void serve_client_send(ServeClient *client, const char *text);
void serve_client_flush(ServeClient *client);

/* Whether it has left so much unread that it gets no events, and is read no further. */
bool serve_client_is_slow(const ServeClient *client);

/* Reads what there is.  take: gets each line that is not empty; size is larger than
 * SERVE_MAX_LINE, and the line is NULL, if it is too long. */
enum { SERVE_MAX_LINE = 2 << 20 /* bytes of a request */ };
typedef void ServeTakeLine(void *user, ServeClient *client, const char *line, size_t size);
void serve_client_read(ServeClient *client, ServeTakeLine *take, void *user);
