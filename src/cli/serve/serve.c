// SPDX-License-Identifier: MIT
#include "cli/serve/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/process_memory.h"
#include "base/text_stream.h"
#include "cli/serve/serve_buffer.h"
#include "cli/serve/serve_process.h"
#include "cli/serve/serve_scene.h"
#include "cli/serve/serve_socket.h"

enum {
    MAX_CLIENTS = 64,
    MAX_RUNNING = 64,
    MAX_SCENES = 64,
    MAX_LINE = 2 << 20,        /* bytes of a request */
    MAX_EVENT = 64 << 10,      /* bytes of an event; longer ones are left out */
    MAX_OUTPUT = 16 << 20,     /* bytes of what a verb prints */
    UNREAD_EVENTS = 256 << 10, /* with so much unread a client gets no more events, and is read */
    UNREAD_MAX = 64 << 20,     /* no further; with so much it is cut off */
    TICK_MS = 20,
    IDLE_MS = 500
};
static const double GRACE_S = 0.3, LAST_S = 0.1; /* from SIGTERM to SIGKILL, of main, of all */

/* ---- records ---- */

typedef struct ServeResult {
    bool ok;
    int status;
    const char *code, *message;
    bool warm;
    int attempts;
    double wait_s, wall_s, cpu_s;
} ServeResult;

static const ResultField ServeResult_fields[] = {
    MEMBER(ServeResult, ok, "the status is 0"),
    MEMBER(ServeResult, status, "exit status, as of the same command"),
    MEMBER(ServeResult, code,
           "kind of the error: that of the first error event, or bad-request, busy, cancelled, "
           "deadline, stopped, crashed",
           .nullable = true),
    MEMBER(ServeResult, message, "the first error", .nullable = true),
    MEMBER(ServeResult, warm, "drawn by a process that had the film loaded"),
    MEMBER(ServeResult, attempts, "how often it was started: 2 if a process was killed"),
    MEMBER(ServeResult, wait_s, "time in the queue", .unit = "seconds"),
    MEMBER(ServeResult, wall_s, "time since it was started", .unit = "seconds"),
    MEMBER(ServeResult, cpu_s, "CPU time of its processes; 0 if it is not known",
           .unit = "seconds"),
};
const ResultTable serve_result = RESULT_TABLE(ServeResult, "the end of a request");

typedef struct ServeStatus {
    int clients, queued, running, scenes;
    int64_t scenes_mib;
    unsigned long finished, restarted;
} ServeStatus;

static const ResultField ServeStatus_fields[] = {
    MEMBER(ServeStatus, clients, "clients that are connected"),
    MEMBER(ServeStatus, queued, "requests that wait"),
    MEMBER(ServeStatus, running, "requests that run"),
    MEMBER(ServeStatus, scenes, "films that are loaded"),
    MEMBER(ServeStatus, scenes_mib, "memory of their processes", .unit = "MiB"),
    MEMBER(ServeStatus, finished, "requests that have ended"),
    MEMBER(ServeStatus, restarted, "requests that were started again"),
};
const ResultTable serve_status_result = RESULT_TABLE(ServeStatus, "the state of the server");

/* ---- state ---- */

typedef struct Client {
    bool used, ended; /* ended: nothing more comes from it */
    int in, out;
    ServeBuffer line, unread;
    bool skips; /* the rest of a line that is too long */
} Client;

typedef enum WorkState { WORK_FREE, WORK_QUEUED, WORK_RUNNING } WorkState;

typedef struct Work {
    WorkState state;
    Arena *arena;
    Client *client; /* NULL: it has gone */
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
    struct WarmScene *scene; /* that draws it, or that it loads */
    bool loads, plain;       /* plain: its film cannot be kept */
    int attempts;
    const char *stopped; /* why it is stopped, a code; or NULL */
    double stopped_s;
    bool killed; /* of those processes: the first one, by SIGKILL */
} Work;

typedef struct WarmScene {
    bool used, ready;
    pid_t pid;
    int socket;
    Digest key;
    int running;
    double used_s;
    int64_t mib;
} WarmScene;

typedef struct Server {
    const ServeOptions *options;
    const volatile sig_atomic_t *stop;
    int listener;
    bool closing;
    Client clients[MAX_CLIENTS];
    Work *works; /* [work_count] */
    size_t work_count;
    WarmScene scenes[MAX_SCENES];
    unsigned long received, finished, restarted;
} Server;

/* ---- answers ---- */

static void drop_client(Server *s, Client *c);

static void send_unread(Server *s, Client *c)
{
    while (c->used && c->unread.size) {
        const ssize_t n = write(c->out, c->unread.bytes, c->unread.size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN) {
            drop_client(s, c);
            return;
        }
        if (n <= 0)
            break;
        serve_buffer_drop(&c->unread, (size_t)n);
    }
}

static void add_line(Server *s, Client *c, const char *text)
{
    if (!c || !c->used)
        return;
    serve_buffer_add(&c->unread, text, strlen(text));
    serve_buffer_add(&c->unread, "\n", 1);
    if (c->unread.size > UNREAD_MAX)
        drop_client(s, c);
    else
        send_unread(s, c);
}

static void answer(Server *s, Client *c, const char *id, const ServeResult *result,
                   const char *outputs)
{
    Arena *arena = arena_create();
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    json.one_line = true;
    result_write(&json, &serve_result, result);
    const char *text = text_stream_close(&stream);
    add_line(s, c,
             arena_printf(arena, "{\"id\":%s,%s%s%s\"result\":%s}", id,
                          outputs ? "\"outputs\":" : "", outputs ? outputs : "", outputs ? "," : "",
                          text));
    arena_destroy(arena);
}

static void refuse(Server *s, Client *c, const char *id, const char *code, int status,
                   const char *message)
{
    const ServeResult result = {.status = status, .code = code, .message = message};
    answer(s, c, id, &result, NULL);
}

static void answer_status(Server *s, Client *c, const char *id)
{
    ServeStatus status = {.finished = s->finished, .restarted = s->restarted};
    const ServeResult result = {.ok = true};
    for (size_t i = 0; i < MAX_CLIENTS; i++)
        status.clients += s->clients[i].used;
    for (size_t i = 0; i < s->work_count; i++) {
        status.queued += s->works[i].state == WORK_QUEUED;
        status.running += s->works[i].state == WORK_RUNNING;
    }
    for (size_t i = 0; i < MAX_SCENES; i++)
        if (s->scenes[i].used) {
            status.scenes++;
            status.scenes_mib += s->scenes[i].mib;
        }
    Arena *arena = arena_create();
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    json.one_line = true;
    result_write(&json, &serve_status_result, &status);
    add_line(s, c,
             arena_printf(arena, "{\"id\":%s,\"output\":%s}", id, text_stream_close(&stream)));
    answer(s, c, id, &result, NULL);
    arena_destroy(arena);
}

/* ---- scenes ---- */

static void drop_scene(WarmScene *scene)
{
    if (scene->socket >= 0)
        close(scene->socket);
    if (scene->pid > 0)
        kill(-scene->pid, SIGKILL);
    *scene = (WarmScene){.socket = -1};
}

static WarmScene *find_scene(Server *s, const Digest *key)
{
    for (size_t i = 0; i < MAX_SCENES; i++)
        if (s->scenes[i].used && digest_equal(&s->scenes[i].key, key))
            return &s->scenes[i];
    return NULL;
}

/* Ends those that were used longest ago, as long as there are more than so many, or more memory. */
static void evict_scenes(Server *s, int count)
{
    for (;;) {
        WarmScene *oldest = NULL;
        int64_t mib = 0;
        int used = 0;
        for (size_t i = 0; i < MAX_SCENES; i++) {
            WarmScene *scene = &s->scenes[i];
            if (!scene->used)
                continue;
            used++;
            mib += scene->mib;
            if (scene->ready && !scene->running && (!oldest || scene->used_s < oldest->used_s))
                oldest = scene;
        }
        if (!oldest || (used <= count && mib <= s->options->scenes_mib))
            return;
        drop_scene(oldest);
    }
}

static WarmScene *new_scene(Server *s, const Digest *key)
{
    int used = 0;
    if (s->options->scenes < 1)
        return NULL;
    evict_scenes(s, s->options->scenes - 1);
    for (size_t i = 0; i < MAX_SCENES; i++)
        used += s->scenes[i].used;
    for (size_t i = 0; used < s->options->scenes && i < MAX_SCENES; i++)
        if (!s->scenes[i].used) {
            s->scenes[i] =
                (WarmScene){.used = true, .socket = -1, .key = *key, .used_s = clock_monotonic_s()};
            return &s->scenes[i];
        }
    return NULL;
}

/* ---- the end of a request ---- */

static void release_process(Work *w)
{
    serve_process_signal(&w->process, SIGKILL); /* what is left of it */
    serve_process_close(&w->process);
    w->process = SERVE_NO_PROCESS;
    serve_buffer_clear(&w->output);
    serve_buffer_clear(&w->event);
    serve_buffer_clear(&w->end_bytes);
    if (w->scene && w->loads)
        drop_scene(w->scene); /* not loaded */
    else if (w->scene && --w->scene->running == 0 && w->scene->pid == 0)
        drop_scene(w->scene); /* it has died */
    w->scene = NULL;
    w->loads = w->reaped = w->ended = w->skips_event = w->killed = false;
    w->code = w->message = w->outputs = NULL;
    w->end = (SceneEnd){0};
}

static void free_work(Server *s, Work *w)
{
    release_process(w);
    arena_destroy(w->arena);
    *w = (Work){.process = SERVE_NO_PROCESS};
    s->finished++;
}

static void finish(Server *s, Work *w, ServeResult result)
{
    const double now = clock_monotonic_s();
    const bool started = w->state == WORK_RUNNING;
    result.attempts = w->attempts;
    result.wait_s = (started ? w->started_s : now) - w->received_s;
    result.wall_s = started ? now - w->started_s : 0;
    answer(s, w->client, w->request.id, &result, w->outputs);
    free_work(s, w);
}

static void finish_stopped(Server *s, Work *w)
{
    const bool late = !strcmp(w->stopped, "deadline");
    finish(
        s, w,
        (ServeResult){.status = late ? 75 : 130,
                      .code = w->stopped,
                      .message = late ? "the deadline has passed" : "the request was cancelled"});
}

static bool draws(const Work *w)
{
    return w->request.verb == SERVE_RENDER || w->request.verb == SERVE_STILL;
}

/* The first error of a verb without events. */
static void find_problem(Work *w, const JsonValue *output)
{
    const JsonValue *errors = json_member(output, "errors");
    const JsonValue *list = errors ? errors : json_member(output, "problems");
    for (uint32_t i = 0; !draws(w) && i < json_count(list); i++) {
        const JsonValue *problem = json_item(list, i);
        if (strcmp(json_string(json_member(problem, "severity"), ""), "error") != 0)
            continue;
        w->code = arena_strdup(w->arena, json_string(json_member(problem, "code"), "error"));
        w->message = arena_strdup(w->arena, json_string(json_member(problem, "message"), ""));
        return;
    }
}

/* What a verb has printed, which is JSON on any number of lines; a strict one has line breaks only
 * between values. */
static bool send_output(Server *s, Work *w)
{
    Arena *arena = arena_create();
    const JsonValue *value = json_read(NULL, w->output.bytes, w->output.size, arena);
    const bool good = value != NULL;
    if (good) {
        find_problem(w, value);
        char *text = arena_strndup(arena, w->output.bytes, w->output.size);
        for (char *at = text; *at; at++)
            if (*at == '\n' || *at == '\r')
                *at = ' ';
        add_line(s, w->client,
                 arena_printf(arena, "{\"id\":%s,\"output\":%s}", w->request.id, text));
    }
    arena_destroy(arena);
    return good;
}

/* Puts a request back at its place in the queue. */
static void start_again(Work *w)
{
    release_process(w);
    w->state = WORK_QUEUED;
}

static void finish_run(Server *s, Work *w, int status, double cpu_s, bool crashed)
{
    const bool again = crashed || status == 70 || (status == 75 && draws(w) && !w->ended);
    if (w->stopped) {
        finish_stopped(s, w);
        return;
    }
    if (again && w->attempts < 2) {
        s->restarted++;
        start_again(w);
        return;
    }
    if (w->output.size && !send_output(s, w) && !crashed && !status)
        crashed = true;
    ServeResult result = {.ok = !status && !crashed,
                          .status = crashed ? 70 : status,
                          .code = w->code,
                          .message = w->message,
                          .warm = w->scene && !w->loads,
                          .cpu_s = cpu_s};
    if (crashed && !result.message) {
        result.code = "crashed";
        result.message = "the process of the request was killed";
    }
    finish(s, w, result);
}

/* ---- starting ---- */

static void start_failed(Server *s, Work *w)
{
    Arena *arena = arena_create();
    finish(s, w,
           (ServeResult){.status = 69,
                         .code = "resource",
                         .message =
                             arena_printf(arena, "cannot start a process: %s", strerror(errno))});
    arena_destroy(arena);
}

static void start_warm(Server *s, Work *w, WarmScene *scene, bool is_first)
{
    w->scene = scene;
    w->loads = false;
    scene->running++;
    scene->used_s = clock_monotonic_s();
    if (!serve_process_fork(&w->process, &w->request, is_first, scene->socket, s->options->args,
                            s->options->limits))
        start_failed(s, w);
}

/* False: the request waits for a film that another one loads. */
static bool start(Server *s, Work *w)
{
    const bool keeps = w->request.has_scene && !w->plain;
    WarmScene *scene = keeps ? find_scene(s, &w->request.scene) : NULL;
    if (scene && !scene->ready)
        return false;
    w->state = WORK_RUNNING;
    w->started_s = clock_monotonic_s();
    w->attempts++;
    if (scene) {
        start_warm(s, w, scene, false);
        return true;
    }
    scene = keeps ? new_scene(s, &w->request.scene) : NULL;
    if (!serve_process_start(&w->process, &w->request, scene != NULL)) {
        if (scene)
            drop_scene(scene);
        start_failed(s, w);
        return true;
    }
    w->scene = scene;
    w->loads = scene != NULL;
    if (scene) {
        scene->pid = w->process.pid;
        scene->socket = w->process.scene;
        w->process.scene = -1;
    }
    return true;
}

static Work *next_work(Server *s, const Work *const *waiting, size_t count)
{
    Work *best = NULL;
    for (size_t i = 0; i < s->work_count; i++) {
        Work *w = &s->works[i];
        bool waits = w->state != WORK_QUEUED;
        for (size_t k = 0; k < count; k++)
            waits |= waiting[k] == w;
        if (!waits && (!best || w->request.priority > best->request.priority ||
                       (w->request.priority == best->request.priority && w->number < best->number)))
            best = w;
    }
    return best;
}

static void start_waiting(Server *s)
{
    const Work *waiting[MAX_RUNNING];
    size_t count = 0;
    for (;;) {
        int running = 0;
        for (size_t i = 0; i < s->work_count; i++)
            running += s->works[i].state == WORK_RUNNING;
        Work *w = running < s->options->parallel && count < MAX_RUNNING
                      ? next_work(s, waiting, count)
                      : NULL;
        if (!w)
            return;
        if (!start(s, w))
            waiting[count++] = w;
    }
}

/* ---- what a running request sends ---- */

static void read_event(Server *s, Work *w, const char *line, size_t size)
{
    Arena *arena = arena_create();
    const JsonValue *event = json_read(NULL, line, size, arena);
    const char *kind = json_string(json_member(event, "event"), "");
    if (!event || event->kind != JSON_OBJECT) {
        const char *text = arena_strndup(arena, line, size);
        if (!w->message) { /* a message of the loader or of a library: the last thing it says */
            const char *printable = json_quote(text, w->arena);
            w->code = "message";
            w->message = json_string(json_read(NULL, printable, strlen(printable), w->arena), text);
        }
        arena_destroy(arena);
        return;
    }
    if (!strcmp(kind, "error") && !w->code) {
        w->code = arena_strdup(w->arena, json_string(json_member(event, "code"), "error"));
        w->message = arena_strdup(w->arena, json_string(json_member(event, "message"), ""));
    }
    if (!strcmp(kind, "end")) {
        w->ended = true;
        const JsonValue *outputs = json_member(event, "outputs");
        w->outputs = outputs ? serve_json_text(outputs, w->arena) : NULL;
    }
    if (w->client && w->client->unread.size < UNREAD_EVENTS)
        add_line(s, w->client,
                 arena_printf(arena, "{\"id\":%s,\"event\":%s}", w->request.id,
                              serve_json_text(event, arena)));
    arena_destroy(arena);
}

static void take_events(Server *s, Work *w, const char *bytes, size_t size)
{
    while (size) {
        const char *end = memchr(bytes, '\n', size);
        const size_t part = end ? (size_t)(end - bytes) : size;
        w->skips_event |= w->event.size + part > MAX_EVENT;
        if (!w->skips_event)
            serve_buffer_add(&w->event, bytes, part);
        if (!end)
            return;
        if (!w->skips_event && w->event.size)
            read_event(s, w, w->event.bytes, w->event.size);
        serve_buffer_clear(&w->event);
        w->skips_event = false;
        bytes += part + 1;
        size -= part + 1;
    }
}

/* Reads what there is; the descriptor becomes -1 at its end. */
static void read_stream(Server *s, Work *w, int *file)
{
    static char bytes[1 << 16];
    for (;;) {
        const ssize_t n = *file >= 0 ? read(*file, bytes, sizeof bytes) : -1;
        if (n < 0 && *file >= 0 && errno == EINTR)
            continue;
        if (*file < 0 || (n < 0 && errno == EAGAIN))
            return;
        if (n <= 0) {
            close(*file);
            *file = -1;
        } else if (file == &w->process.err) {
            take_events(s, w, bytes, (size_t)n);
        } else if (file == &w->process.out) {
            if (w->output.size + (size_t)n <= MAX_OUTPUT)
                serve_buffer_add(&w->output, bytes, (size_t)n);
        } else if (w->end_bytes.size + (size_t)n <= 64) {
            serve_buffer_add(&w->end_bytes, bytes, (size_t)n);
        }
    }
}

/* The number of the process, and the end. */
static bool has_end(Work *w)
{
    int32_t pid = 0;
    if (w->end_bytes.size >= sizeof pid) {
        memcpy(&pid, w->end_bytes.bytes, sizeof pid);
        w->process.pid = pid;
    }
    if (w->end_bytes.size < sizeof pid + sizeof w->end)
        return false;
    memcpy(&w->end, w->end_bytes.bytes + sizeof pid, sizeof w->end);
    return true;
}

/* A film is loaded by the process that was started with the words of the request. */
static void scene_ready(Server *s, Work *w)
{
    WarmScene *scene = w->scene;
    read_stream(s, w, &w->process.err);
    serve_process_close(&w->process);
    w->process = SERVE_NO_PROCESS;
    scene->ready = true;
    scene->mib = process_memory_usage(scene->pid);
    if (scene->mib <= 0)
        scene->mib = 1;
    start_warm(s, w, scene, true);
    evict_scenes(s, s->options->scenes);
}

static void read_scene(Server *s, Work *w)
{
    char message = 0;
    ssize_t n;
    while ((n = recv(w->scene->socket, &message, 1, MSG_DONTWAIT)) < 0 && errno == EINTR)
        ;
    if (n == 1 && message == SCENE_READY) {
        scene_ready(s, w);
    } else if (n == 0) { /* it draws the film itself */
        w->scene->pid = 0;
        drop_scene(w->scene);
        w->scene = NULL;
        w->loads = false;
    }
}

/* The scene is that of another job: its process is replaced. */
static void misfit(Work *w)
{
    WarmScene *scene = w->scene;
    w->attempts--;
    w->state = WORK_QUEUED;
    release_process(w);
    if (!scene->running)
        drop_scene(scene);
    else
        w->plain = true;
}

static void update_work(Server *s, Work *w)
{
    ServeProcess *p = &w->process;
    read_stream(s, w, &p->out);
    read_stream(s, w, &p->err);
    const bool warm = w->scene && !w->loads;
    if (warm)
        read_stream(s, w, &p->end);
    if (warm && has_end(w)) {
        if (p->err >= 0 && p->end >= 0)
            return; /* until it has ended */
        if (w->end.status == SCENE_MISFIT && !w->stopped)
            misfit(w);
        else
            finish_run(s, w, w->end.status, (double)w->end.cpu_s, false);
    } else if (warm && p->end < 0) {
        WarmScene *scene = w->scene;
        finish_run(s, w, 0, 0, true);
        if (scene->used && !scene->running) /* perhaps it has died */
            drop_scene(scene);
    } else if (!warm && w->reaped && p->err < 0 && p->out < 0) {
        const int status = w->wait_status;
        finish_run(s, w, WIFEXITED(status) ? WEXITSTATUS(status) : 0, 0, WIFSIGNALED(status));
    }
}

/* ---- stopping ---- */

static void stop_work(Server *s, Work *w, const char *code)
{
    if (w->stopped)
        return;
    w->stopped = code;
    w->stopped_s = clock_monotonic_s();
    if (w->state == WORK_QUEUED)
        finish_stopped(s, w);
    else
        serve_process_signal(&w->process, SIGTERM);
}

static void watch_work(Server *s, Work *w, double now)
{
    if (w->request.deadline_s > 0 && now > w->received_s + w->request.deadline_s)
        stop_work(s, w, "deadline");
    if (w->state != WORK_RUNNING || !w->stopped || now < w->stopped_s + GRACE_S)
        return;
    if (!w->killed)
        serve_process_kill_main(&w->process); /* its spawner removes its files */
    w->killed = true;
    if (now > w->stopped_s + GRACE_S + LAST_S)
        finish_stopped(s, w);
}

/* ---- clients ---- */

static void drop_client(Server *s, Client *c)
{
    if (!c->used)
        return;
    c->used = false;
    close(c->in);
    if (c->out != c->in)
        close(c->out);
    serve_buffer_clear(&c->line);
    serve_buffer_clear(&c->unread);
    for (size_t i = 0; i < s->work_count; i++)
        if (s->works[i].state != WORK_FREE && s->works[i].client == c) {
            s->works[i].client = NULL;
            stop_work(s, &s->works[i], "cancelled");
        }
}

static void add_client(Server *s, int in, int out)
{
    for (size_t i = 0; i < MAX_CLIENTS; i++)
        if (!s->clients[i].used) {
            s->clients[i] = (Client){.used = true, .in = in, .out = out};
            fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
            fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
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

static Work *find_work(const Server *s, const Client *c, const char *id)
{
    for (size_t i = 0; i < s->work_count; i++)
        if (s->works[i].state != WORK_FREE && s->works[i].client == c &&
            !strcmp(s->works[i].request.id, id))
            return &s->works[i];
    return NULL;
}

static void cancel(Server *s, Client *c, const ServeRequest *request)
{
    const ServeResult done = {.ok = true};
    Work *w = find_work(s, c, request->target);
    if (!w) {
        refuse(s, c, request->id, "missing", 66, "no request of this client has this id");
        return;
    }
    stop_work(s, w, "cancelled");
    answer(s, c, request->id, &done, NULL);
}

static void queue(Server *s, Client *c, const ServeRequest *request, Arena *arena)
{
    Work *free_one = NULL;
    int queued = 0;
    for (size_t i = 0; i < s->work_count; i++) {
        queued += s->works[i].state == WORK_QUEUED;
        if (s->works[i].state == WORK_FREE)
            free_one = &s->works[i];
    }
    const char *code = s->closing                                 ? "stopped"
                       : find_work(s, c, request->id)             ? "bad-request"
                       : queued >= s->options->queue || !free_one ? "busy"
                                                                  : NULL;
    if (code) {
        refuse(s, c, request->id, code, *code == 'b' && code[1] == 'a' ? 2 : 75,
               s->closing ? "the server stops"
               : *code == 'b' && code[1] == 'a'
                   ? "a request with this id has not ended"
                   : arena_printf(arena, "%d requests wait already", queued));
        arena_destroy(arena);
        return;
    }
    *free_one = (Work){.state = WORK_QUEUED,
                       .arena = arena,
                       .client = c,
                       .request = *request,
                       .received_s = clock_monotonic_s(),
                       .number = s->received++,
                       .process = SERVE_NO_PROCESS};
}

static void take_request(Server *s, Client *c, const char *line, size_t size)
{
    Arena *arena = arena_create();
    const ServeResult done = {.ok = true};
    ServeRequest request;
    const char *error = NULL;
    if (!serve_request_parse(&request, &error, &s->options->host, line, size, arena)) {
        refuse(s, c, request.id, "bad-request", 2, error);
    } else if (request.verb == SERVE_CANCEL) {
        cancel(s, c, &request);
    } else if (request.verb == SERVE_STATUS) {
        answer_status(s, c, request.id);
    } else if (request.verb == SERVE_SHUTDOWN) {
        s->closing = true;
        answer(s, c, request.id, &done, NULL);
    } else {
        queue(s, c, &request, arena);
        start_waiting(s);
        return;
    }
    arena_destroy(arena);
}

static void take_bytes(Server *s, Client *c, const char *bytes, size_t size)
{
    while (size && c->used) {
        const char *end = memchr(bytes, '\n', size);
        const size_t part = end ? (size_t)(end - bytes) : size;
        if (!c->skips && c->line.size + part > MAX_LINE) {
            refuse(s, c, "null", "bad-request", 2, "the line is longer than 2 MiB");
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
            take_request(s, c, line.bytes, line.size);
        serve_buffer_clear(&line);
        c->skips = false;
        bytes += part + 1;
        size -= part + 1;
    }
}

static void read_client(Server *s, Client *c)
{
    static char bytes[1 << 16];
    ssize_t n;
    while ((n = read(c->in, bytes, sizeof bytes)) < 0 && errno == EINTR)
        ;
    if (n > 0) {
        take_bytes(s, c, bytes, (size_t)n);
    } else if (n == 0 || errno != EAGAIN) {
        if (n == 0 && c->line.size && !c->skips)
            take_bytes(s, c, "\n", 1); /* a last line without its end */
        c->ended = true;
    }
}

static bool has_work(const Server *s, const Client *c)
{
    for (size_t i = 0; i < s->work_count; i++)
        if (s->works[i].state != WORK_FREE && s->works[i].client == c)
            return true;
    return false;
}

/* ---- the loop ---- */

static void reap(Server *s)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        for (size_t i = 0; i < s->work_count; i++)
            if (s->works[i].state == WORK_RUNNING && s->works[i].process.child == pid) {
                s->works[i].reaped = true;
                s->works[i].wait_status = status;
            }
        for (size_t i = 0; i < MAX_SCENES; i++)
            if (s->scenes[i].used && s->scenes[i].ready && s->scenes[i].pid == pid) {
                close(s->scenes[i].socket);
                s->scenes[i].socket = -1;
                s->scenes[i].pid = 0;
                if (!s->scenes[i].running)
                    drop_scene(&s->scenes[i]);
                else
                    memset(&s->scenes[i].key, 0, sizeof s->scenes[i].key);
            }
    }
}

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
        const Client *c = &s->clients[i];
        const bool reads = c->used && !c->ended && c->unread.size < UNREAD_EVENTS;
        if (!c->used)
            continue;
        add_poll(polls, c->in, reads ? POLLIN : 0);
        if (c->unread.size || c->out != c->in)
            add_poll(polls, c->out, c->unread.size ? POLLOUT : 0);
    }
    for (size_t i = 0; i < s->work_count; i++) {
        const Work *w = &s->works[i];
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
        Client *c = &s->clients[i];
        if (c->used && is_ready(polls, c->out, POLLOUT | POLLERR))
            send_unread(s, c);
        if (c->used && !c->ended && is_ready(polls, c->in, POLLIN | POLLHUP) &&
            c->unread.size < UNREAD_EVENTS)
            read_client(s, c);
        const bool gone = c->used && c->out == c->in && is_ready(polls, c->in, POLLHUP | POLLERR);
        if (gone || (c->used && c->ended && !c->unread.size && !has_work(s, c)))
            drop_client(s, c);
    }
}

static void serve_works(Server *s)
{
    const double now = clock_monotonic_s();
    reap(s);
    for (size_t i = 0; i < s->work_count; i++) {
        Work *w = &s->works[i];
        if (w->state == WORK_RUNNING && w->loads)
            read_scene(s, w);
        if (w->state == WORK_RUNNING)
            update_work(s, w);
        if (w->state != WORK_FREE)
            watch_work(s, w, now);
    }
    start_waiting(s);
}

static bool is_done(const Server *s)
{
    bool any = false, clients = false;
    for (size_t i = 0; i < s->work_count; i++)
        any |= s->works[i].state != WORK_FREE;
    for (size_t i = 0; i < MAX_CLIENTS; i++)
        clients |= s->clients[i].used && (s->clients[i].unread.size > 0 || s->listener < 0);
    return !any && (s->closing ? !clients || s->listener < 0 : s->listener < 0 && !clients);
}

static void stop_all(Server *s)
{
    const double until = clock_monotonic_s() + GRACE_S + 3 * LAST_S;
    Polls polls;
    s->closing = true;
    for (size_t i = 0; i < s->work_count; i++)
        if (s->works[i].state != WORK_FREE)
            stop_work(s, &s->works[i], "stopped");
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
    Polls polls;
    s->options = options;
    s->stop = stop;
    s->listener = options->passed;
    s->work_count = (size_t)options->queue + (size_t)options->parallel;
    s->works = arena_array(arena, Work, s->work_count);
    for (size_t i = 0; i < s->work_count; i++)
        s->works[i].process = SERVE_NO_PROCESS;
    for (size_t i = 0; i < MAX_SCENES; i++)
        s->scenes[i].socket = -1;
    if (s->listener < 0 && options->socket)
        s->listener = serve_socket_open(options->socket, diag);
    const bool good = s->listener >= 0 || !options->socket;
    if (good && s->listener < 0)
        add_client(s, STDIN_FILENO, STDOUT_FILENO);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    while (good && !*stop && !is_done(s)) {
        wait_for_events(&polls, s);
        if (s->listener >= 0 && !s->closing)
            accept_clients(s);
        serve_clients(s, &polls);
        serve_works(s);
    }
    if (good)
        stop_all(s);
    for (size_t i = 0; i < MAX_SCENES; i++)
        if (s->scenes[i].used)
            drop_scene(&s->scenes[i]);
    for (size_t i = 0; i < MAX_CLIENTS; i++)
        drop_client(s, &s->clients[i]);
    if (good && options->passed < 0 && options->socket)
        serve_socket_remove(options->socket);
    arena_destroy(arena);
    return good;
}
