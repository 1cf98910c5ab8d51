// SPDX-License-Identifier: MIT
#include "cli/serve/serve_client.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* UNREAD_MAX: with so much unread it is cut off. */
enum { UNREAD_EVENTS = 256 << 10, UNREAD_MAX = 64 << 20 };

void serve_client_open(ServeClient *c, int in, int out)
{
    *c = (ServeClient){.used = true, .in = in, .out = out};
    fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
    fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}

void serve_client_close(ServeClient *c)
{
    close(c->in);
    if (c->out != c->in)
        close(c->out);
    serve_buffer_clear(&c->line);
    serve_buffer_clear(&c->unread);
    c->used = false;
}

void serve_client_flush(ServeClient *c)
{
    while (c->used && !c->lost && c->unread.size) {
        const ssize_t n = write(c->out, c->unread.bytes, c->unread.size);
        if (n < 0 && errno == EINTR)
            continue;
        c->lost = n < 0 && errno != EAGAIN;
        if (n <= 0)
            break;
        serve_buffer_drop(&c->unread, (size_t)n);
    }
}

void serve_client_send(ServeClient *c, const char *text)
{
    if (!c || !c->used || c->lost)
        return;
    serve_buffer_add(&c->unread, text, strlen(text));
    serve_buffer_add(&c->unread, "\n", 1);
    serve_client_flush(c);
    c->lost |= c->unread.size > UNREAD_MAX;
}

bool serve_client_is_slow(const ServeClient *c)
{
    return c->unread.size >= UNREAD_EVENTS;
}

static void take_bytes(ServeClient *c, const char *bytes, size_t size, ServeTakeLine *take,
                       void *user)
{
    while (size && !c->lost) {
        const char *end = memchr(bytes, '\n', size);
        const size_t part = end ? (size_t)(end - bytes) : size;
        if (!c->skips && c->line.size + part > SERVE_MAX_LINE) {
            take(user, c, NULL, c->line.size + part);
            serve_buffer_clear(&c->line);
            c->skips = true;
        }
        if (!c->skips)
            serve_buffer_add(&c->line, bytes, part);
        if (!end)
            return;
        ServeBuffer line = c->line;
        c->line = (ServeBuffer){0};
        if (!c->skips && line.size)
            take(user, c, line.bytes, line.size);
        serve_buffer_clear(&line);
        c->skips = false;
        bytes += part + 1;
        size -= part + 1;
    }
}

void serve_client_read(ServeClient *c, ServeTakeLine *take, void *user)
{
    static char bytes[1 << 16];
    ssize_t n;
    while ((n = read(c->in, bytes, sizeof bytes)) < 0 && errno == EINTR)
        ;
    if (n > 0) {
        take_bytes(c, bytes, (size_t)n, take, user);
    } else if (n == 0 || errno != EAGAIN) {
        if (n == 0 && c->line.size && !c->skips)
            take_bytes(c, "\n", 1, take, user); /* a last line without its end */
        c->ended = true;
    }
}
