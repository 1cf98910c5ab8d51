// SPDX-License-Identifier: MIT
#include "cli/serve/serve.h"

#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/serve/serve_client.h"
#include "cli/serve/serve_socket.h"
#include "cli/serve/serve_work.h"

enum { MAX_CLIENTS = 64, MAX_RUNNING = 64, TICK_MS = 20, IDLE_MS = 500 };
static const double STOP_S = 0.6; /* for the requests that run, when the server stops */

typedef struct Server {
    int listener;
    bool closing;
    const ServeHost *host;
    ServeClient clients[MAX_CLIENTS];
    Works works;
} Server;

/* ---- requests ---- */

static void answer(ServeClient *c, const char *id, ServeResult result)
{
    Arena *arena = arena_create();
    serve_client_send(c, serve_answer_result(id, &result, NULL, arena));
    arena_destroy(arena);
}

static void refuse(ServeClient *c, const char *id, const char *code, int status,
                   const char *message)
{
    answer(c, id, (ServeResult){.status = status, .code = code, .message = message});
}

static void answer_status(const Server *s, ServeClient *c, const char *id)
{
    const Works *works = &s->works;
    ServeStatus status = {.finished = works->finished,
                          .restarted = works->restarted,
                          .queued = works_in(works, WORK_QUEUED),
                          .running = works_in(works, WORK_RUNNING),
                          .scenes = warm_scenes_count(&works->warm),
                          .scenes_mib = warm_scenes_mib(&works->warm)};
    for (size_t i = 0; i < MAX_CLIENTS; i++)
        status.clients += s->clients[i].used;
    Arena *arena = arena_create();
    serve_client_send(c, serve_answer_status(id, &status, arena));
    arena_destroy(arena);
    answer(c, id, (ServeResult){.ok = true});
}

static void cancel(Server *s, ServeClient *c, const ServeRequest *request)
{
    Work *w = works_find(&s->works, c, request->target);
    if (!w) {
        refuse(c, request->id, "missing", 66, "no request of this client has this id");
        return;
    }
    works_stop(&s->works, w, "cancelled");
    answer(c, request->id, (ServeResult){.ok = true});
}

/* The arena then belongs to the request, or is destroyed. */
static void add_work(Server *s, ServeClient *c, const ServeRequest *request, Arena *arena)
{
    if (s->closing)
        refuse(c, request->id, "stopped", 75, "the server stops");
    else if (works_find(&s->works, c, request->id))
        refuse(c, request->id, "bad-request", 2, "a request with this id has not ended");
    else if (works_add(&s->works, c, request, arena))
        return;
    else
        refuse(c, request->id, "busy", 75,
               arena_printf(arena, "%d requests wait already", works_in(&s->works, WORK_QUEUED)));
    arena_destroy(arena);
}

/* ServeTakeLine; user: the server. */
static void take_line(void *user, ServeClient *c, const char *line, size_t size)
{
    Server *s = user;
    Arena *arena = arena_create();
    ServeRequest request = {.id = "null"};
    const char *error = "the line is longer than 2 MiB";
    if (!line || !serve_request_parse(&request, &error, s->host, line, size, arena)) {
        refuse(c, request.id, "bad-request", 2, error);
    } else if (request.verb == SERVE_CANCEL) {
        cancel(s, c, &request);
    } else if (request.verb == SERVE_STATUS) {
        answer_status(s, c, request.id);
    } else if (request.verb == SERVE_SHUTDOWN) {
        s->closing = true;
        answer(c, request.id, (ServeResult){.ok = true});
    } else {
        add_work(s, c, &request, arena);
        works_start(&s->works);
        return;
    }
    arena_destroy(arena);
}

/* ---- clients ---- */

static void drop_client(Server *s, ServeClient *c)
{
    if (!c->used)
        return;
    serve_client_close(c);
    works_forget(&s->works, c);
}

static void add_client(Server *s, int in, int out)
{
    for (size_t i = 0; i < MAX_CLIENTS; i++)
        if (!s->clients[i].used) {
            serve_client_open(&s->clients[i], in, out);
            return;
        }
    static const char busy[] = "{\"id\":null,\"result\":{\"ok\":false,\"status\":75,\"code\":"
                               "\"busy\",\"message\":\"too many clients\"}}\n";
    const ssize_t n = send(out, busy, sizeof busy - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)n;
    close(in);
}

static void accept_clients(Server *s)
{
    for (int fd; (fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0;)
        add_client(s, fd, fd);
}

/* ---- the loop ---- */

typedef struct Polls {
    struct pollfd items[1 + 2 * MAX_CLIENTS + 4 * MAX_RUNNING];
    nfds_t count;
} Polls;

static void add_poll(Polls *polls, int fd, int events)
{
    if (fd >= 0)
        polls->items[polls->count++] = (struct pollfd){.fd = fd, .events = (short)events};
}

static bool is_ready(const Polls *polls, int fd, int events)
{
    for (nfds_t i = 0; fd >= 0 && i < polls->count; i++)
        if (polls->items[i].fd == fd && polls->items[i].revents & events)
            return true;
    return false;
}

static void wait_for_events(Polls *polls, const Server *s)
{
    bool running = false;
    polls->count = 0;
    add_poll(polls, s->closing ? -1 : s->listener, POLLIN);
    for (size_t i = 0; i < MAX_CLIENTS; i++) {
        const ServeClient *c = &s->clients[i];
        if (!c->used)
            continue;
        const bool reads = !c->ended && !serve_client_is_slow(c);
        if (reads || c->out == c->in) /* the end of a pipe is reported again and again */
            add_poll(polls, c->in, reads ? POLLIN : 0);
        if (c->unread.size || c->out != c->in)
            add_poll(polls, c->out, c->unread.size ? POLLOUT : 0);
    }
    for (size_t i = 0; i < s->works.count; i++) {
        const Work *w = &s->works.items[i];
        running |= w->state == WORK_CLEANING;
        if (w->state != WORK_RUNNING)
            continue;
        running = true;
        add_poll(polls, w->process.out, POLLIN);
        add_poll(polls, w->process.err, POLLIN);
        add_poll(polls, w->process.end, POLLIN);
        if (w->loads)
            add_poll(polls, w->scene->socket, POLLIN);
    }
    poll(polls->items, polls->count, running ? TICK_MS : IDLE_MS);
}

static void serve_clients(Server *s, const Polls *polls)
{
    for (size_t i = 0; i < MAX_CLIENTS; i++) {
        ServeClient *c = &s->clients[i];
        if (!c->used)
            continue;
        if (is_ready(polls, c->out, POLLOUT | POLLERR))
            serve_client_flush(c);
        if (!c->lost && !c->ended && is_ready(polls, c->in, POLLIN | POLLHUP) &&
            !serve_client_is_slow(c))
            serve_client_read(c, take_line, s);
        const bool gone = c->out == c->in && is_ready(polls, c->in, POLLHUP | POLLERR);
        if (gone || c->lost || (c->ended && !c->unread.size && !works_has(&s->works, c)))
            drop_client(s, c);
    }
}

static void serve_works(Server *s)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        works_reap(&s->works, pid, status);
    works_update(&s->works);
}

static bool is_done(const Server *s)
{
    const bool any = works_in(&s->works, WORK_FREE) < (int)s->works.count;
    bool clients = false;
    for (size_t i = 0; i < MAX_CLIENTS; i++)
        clients |= s->clients[i].used && (s->clients[i].unread.size > 0 || s->listener < 0);
    return !any && (s->closing ? !clients || s->listener < 0 : s->listener < 0 && !clients);
}

static void stop_all(Server *s)
{
    const double until = clock_monotonic_s() + STOP_S;
    Polls polls;
    s->closing = true;
    for (size_t i = 0; i < s->works.count; i++)
        if (s->works.items[i].state != WORK_FREE)
            works_stop(&s->works, &s->works.items[i], "stopped");
    while (!is_done(s) && clock_monotonic_s() < until) {
        wait_for_events(&polls, s);
        serve_clients(s, &polls);
        serve_works(s);
    }
}

bool serve_run(const ServeOptions *options, const volatile sig_atomic_t *stop, Diag *diag)
{
    Arena *arena = arena_create();
    Server *s = arena_array(arena, Server, 1);
    Works *works = &s->works;
    Polls polls;
    s->host = &options->host;
    s->listener = options->passed;
    works->max_queued = options->queue;
    works->max_running = options->parallel;
    works->args = options->args;
    works->limits = options->limits;
    works->count = (size_t)options->queue + 2 * (size_t)options->parallel;
    works->items = arena_array(arena, Work, works->count);
    for (size_t i = 0; i < works->count; i++)
        works->items[i].process = SERVE_NO_PROCESS;
    warm_scenes_init(&works->warm, options->scenes, options->scenes_mib, options->parallel);
    if (s->listener < 0 && options->socket)
        s->listener = serve_socket_open(options->socket, diag);
    const bool good = s->listener >= 0 || !options->socket;
    if (good && s->listener < 0)
        add_client(s, STDIN_FILENO, STDOUT_FILENO);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    while (good && !*stop && !is_done(s)) {
        wait_for_events(&polls, s);
        if (!s->closing && is_ready(&polls, s->listener, POLLIN))
            accept_clients(s);
        serve_clients(s, &polls);
        serve_works(s);
    }
    if (good)
        stop_all(s);
    warm_scenes_finish(&works->warm);
    for (size_t i = 0; i < MAX_CLIENTS; i++)
        drop_client(s, &s->clients[i]);
    if (good && options->passed < 0 && options->socket)
        serve_socket_remove(options->socket);
    arena_destroy(arena);
    return good;
}
