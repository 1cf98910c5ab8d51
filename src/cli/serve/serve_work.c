// SPDX-License-Identifier: MIT
#include "cli/serve/serve_work.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/checkpoint/checkpoint_files.h"

enum {
    MAX_RUNNING = 64,
    MAX_EVENT = 64 << 10, /* bytes of an event; longer ones are dropped */
    MAX_OUTPUT = 16 << 20 /* bytes of what a verb prints */
};
static const double GRACE_S = 0.3, LAST_S = 0.1; /* from SIGTERM to SIGKILL, of main, of all */

/* ---- the end of a request ---- */

static void release_process(Works *works, Work *w)
{
    if (w->drawer)
        warm_drawer_release(&works->warm, w->drawer, w->end.remains && !w->stopped, w->process.pid);
    w->drawer = NULL;
    serve_process_signal(&w->process, SIGKILL); /* what is left of it */
    serve_process_close(&w->process);
    serve_buffer_clear(&w->output);
    serve_buffer_clear(&w->event);
    serve_buffer_clear(&w->end_bytes);
    if (w->scene && w->loads)
        warm_scene_drop(&works->warm, w->scene); /* not loaded */
    else if (w->scene && --w->scene->running == 0 && w->scene->pid == 0)
        warm_scene_drop(&works->warm, w->scene); /* it has died */
    w->scene = NULL;
    w->loads = w->reaped = w->ended = w->skips_event = w->killed = false;
    w->end = (SceneEnd){0};
}

static void send_result(Works *works, Work *w)
{
    serve_client_send(w->client,
                      serve_answer_result(w->request.id, &w->result, w->outputs, w->arena));
    arena_destroy(w->arena);
    *w = (Work){.process = SERVE_NO_PROCESS};
    works->finished++;
}

/* cleans: what it began must not stay */
static void finish(Works *works, Work *w, ServeResult result, bool cleans)
{
    const double now = clock_monotonic_s();
    const bool started = w->state != WORK_QUEUED;
    result.attempts = w->attempts;
    result.wait_s = (started ? w->started_s : now) - w->received_s;
    result.wall_s = started ? now - w->started_s : 0;
    w->result = result;
    release_process(works, w);
    w->process = SERVE_NO_PROCESS;
    if (started && cleans && w->begins_record &&
        serve_process_clean(&w->process, &w->request, works->args, works->limits))
        w->state = WORK_CLEANING;
    else
        send_result(works, w);
}

static void finish_stopped(Works *works, Work *w)
{
    const bool late = !strcmp(w->stopped, "deadline");
    finish(works, w,
           (ServeResult){.status = late ? 75 : 130,
                         .code = w->stopped,
                         .message = late ? "the deadline has passed" : "the request was cancelled"},
           true);
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
static bool send_output(Work *w)
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
        serve_client_send(w->client,
                          arena_printf(arena, "{\"id\":%s,\"output\":%s}", w->request.id, text));
    }
    arena_destroy(arena);
    return good;
}

/* Puts a request back at its place in the queue. */
static void start_again(Works *works, Work *w)
{
    release_process(works, w);
    w->process = SERVE_NO_PROCESS;
    w->code = w->message = w->outputs = NULL;
    w->state = WORK_QUEUED;
}

static void finish_run(Works *works, Work *w, int status, double cpu_s, bool crashed)
{
    const bool again = crashed || status == 70 || (status == 75 && draws(w) && !w->ended);
    if (w->stopped) {
        finish_stopped(works, w);
        return;
    }
    if (again && w->attempts < 2) {
        works->restarted++;
        start_again(works, w);
        return;
    }
    if (w->output.size && !send_output(w) && !crashed && !status)
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
    finish(works, w, result, crashed);
}

/* ---- starting ---- */

static void start_failed(Works *works, Work *w)
{
    finish(works, w,
           (ServeResult){.status = 69,
                         .code = "resource",
                         .message =
                             arena_printf(w->arena, "cannot start a process: %s", strerror(errno))},
           false);
}

static void start_warm(Works *works, Work *w, WarmScene *scene, bool is_first)
{
    w->scene = scene;
    w->loads = false;
    scene->running++;
    scene->used_s = clock_monotonic_s();
    w->drawer = warm_drawer_take(&works->warm, scene, w->client);
    if (!w->drawer || !serve_process_fork(&w->process, &w->request, is_first, w->drawer->socket,
                                          works->args, works->limits))
        start_failed(works, w);
}

/* Whether the request would be the first one that records anything of its output. */
static bool begins_record(const Work *w)
{
    struct stat st;
    return w->request.output &&
           lstat(checkpoint_directory_beside(w->request.output, w->arena), &st) != 0;
}

/* False: the request waits for a film that another one loads. */
static bool start(Works *works, Work *w)
{
    const bool keeps = w->request.has_scene && !w->plain;
    WarmScene *scene = keeps ? warm_scene_find(&works->warm, &w->request.scene) : NULL;
    if (scene && !scene->ready)
        return false;
    if (!w->attempts)
        w->begins_record = begins_record(w);
    w->state = WORK_RUNNING;
    w->started_s = clock_monotonic_s();
    w->attempts++;
    if (scene) {
        start_warm(works, w, scene, false);
        return true;
    }
    scene = keeps ? warm_scene_add(&works->warm, &w->request.scene) : NULL;
    if (!serve_process_start(&w->process, &w->request, scene != NULL)) {
        if (scene)
            warm_scene_drop(&works->warm, scene);
        start_failed(works, w);
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

static Work *next_work(const Works *works, const Work *const *waiting, size_t count)
{
    Work *best = NULL;
    for (size_t i = 0; i < works->count; i++) {
        Work *w = &works->items[i];
        bool waits = w->state != WORK_QUEUED;
        for (size_t k = 0; k < count; k++)
            waits |= waiting[k] == w;
        if (!waits && (!best || w->request.priority > best->request.priority ||
                       (w->request.priority == best->request.priority && w->number < best->number)))
            best = w;
    }
    return best;
}

void works_start(Works *works)
{
    const Work *waiting[MAX_RUNNING];
    size_t count = 0;
    for (;;) {
        Work *w = works_in(works, WORK_RUNNING) < works->max_running && count < MAX_RUNNING
                      ? next_work(works, waiting, count)
                      : NULL;
        if (!w)
            return;
        if (!start(works, w))
            waiting[count++] = w;
    }
}

/* ---- what a running request sends ---- */

static void read_event(Work *w, const char *line, size_t size)
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
    if (w->client && !serve_client_is_slow(w->client))
        serve_client_send(w->client, arena_printf(arena, "{\"id\":%s,\"event\":%s}", w->request.id,
                                                  serve_json_text(event, arena)));
    arena_destroy(arena);
}

static void take_events(Work *w, const char *bytes, size_t size)
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
            read_event(w, w->event.bytes, w->event.size);
        serve_buffer_clear(&w->event);
        w->skips_event = false;
        bytes += part + 1;
        size -= part + 1;
    }
}

/* Reads what there is; the descriptor becomes -1 at its end. */
static void read_stream(Work *w, int *file)
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
            take_events(w, bytes, (size_t)n);
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
static void scene_ready(Works *works, Work *w)
{
    WarmScene *scene = w->scene;
    read_stream(w, &w->process.err);
    serve_process_close(&w->process);
    w->process = SERVE_NO_PROCESS;
    warm_scene_ready(&works->warm, scene);
    start_warm(works, w, scene, true);
}

static void read_scene(Works *works, Work *w)
{
    char message = 0;
    ssize_t n;
    while ((n = recv(w->scene->socket, &message, 1, MSG_DONTWAIT)) < 0 && errno == EINTR)
        ;
    if (n == 1 && message == SCENE_READY) {
        scene_ready(works, w);
    } else if (n == 0) { /* it draws the film itself */
        w->scene->pid = 0;
        warm_scene_drop(&works->warm, w->scene);
        w->scene = NULL;
        w->loads = false;
    }
}

/* The scene cannot draw the request, which starts again: by a new one if it is that of another job.
 */
static void misfit(Works *works, Work *w)
{
    WarmScene *scene = w->scene;
    const bool is_other = w->end.status == SCENE_MISFIT;
    w->attempts--;
    start_again(works, w);
    w->plain = !is_other || scene->running;
    if (is_other && !scene->running)
        warm_scene_drop(&works->warm, scene);
}

static void update(Works *works, Work *w)
{
    ServeProcess *p = &w->process;
    read_stream(w, &p->out);
    read_stream(w, &p->err);
    const bool warm = w->scene && !w->loads;
    if (warm)
        read_stream(w, &p->end);
    if (warm && has_end(w)) {
        if (p->err >= 0 && p->end >= 0)
            return; /* until it has ended */
        if (w->end.status < 0 && !w->stopped)
            misfit(works, w);
        else
            finish_run(works, w, w->end.status, (double)w->end.cpu_s, false);
    } else if (warm && p->end < 0) {
        WarmScene *scene = w->scene;
        finish_run(works, w, 0, 0, true);
        if (scene->used && !scene->running) /* perhaps it has died */
            warm_scene_drop(&works->warm, scene);
    } else if (!warm && w->reaped && p->err < 0 && p->out < 0) {
        const int status = w->wait_status;
        finish_run(works, w, WIFEXITED(status) ? WEXITSTATUS(status) : 0, 0, WIFSIGNALED(status));
    }
}

/* ---- stopping ---- */

void works_stop(Works *works, Work *w, const char *code)
{
    if (w->stopped || w->state == WORK_CLEANING)
        return;
    w->stopped = code;
    w->stopped_s = clock_monotonic_s();
    if (w->state == WORK_QUEUED)
        finish_stopped(works, w);
    else
        serve_process_signal(&w->process, SIGTERM);
}

static void watch(Works *works, Work *w, double now)
{
    if (w->request.deadline_s > 0 && now > w->received_s + w->request.deadline_s)
        works_stop(works, w, "deadline");
    if (w->state != WORK_RUNNING || !w->stopped || now < w->stopped_s + GRACE_S)
        return;
    if (!w->killed)
        serve_process_kill_main(&w->process); /* its spawner removes its files */
    w->killed = true;
    if (now > w->stopped_s + GRACE_S + LAST_S)
        finish_stopped(works, w);
}

/* ---- all requests ---- */

int works_in(const Works *works, WorkState state)
{
    int count = 0;
    for (size_t i = 0; i < works->count; i++)
        count += works->items[i].state == state;
    return count;
}

bool works_has(const Works *works, const ServeClient *client)
{
    for (size_t i = 0; i < works->count; i++)
        if (works->items[i].state != WORK_FREE && works->items[i].client == client)
            return true;
    return false;
}

Work *works_find(const Works *works, const ServeClient *client, const char *id)
{
    for (size_t i = 0; i < works->count; i++)
        if (works->items[i].state != WORK_FREE && works->items[i].client == client &&
            !strcmp(works->items[i].request.id, id))
            return &works->items[i];
    return NULL;
}

Work *works_add(Works *works, ServeClient *client, const ServeRequest *request, Arena *arena)
{
    if (works_in(works, WORK_QUEUED) >= works->max_queued)
        return NULL;
    for (size_t i = 0; i < works->count; i++) {
        Work *w = &works->items[i];
        if (w->state != WORK_FREE)
            continue;
        *w = (Work){.state = WORK_QUEUED,
                    .arena = arena,
                    .client = client,
                    .request = *request,
                    .received_s = clock_monotonic_s(),
                    .number = works->received++,
                    .process = SERVE_NO_PROCESS};
        return w;
    }
    return NULL;
}

void works_forget(Works *works, const ServeClient *client)
{
    warm_drawers_forget(&works->warm, client);
    for (size_t i = 0; i < works->count; i++)
        if (works->items[i].state != WORK_FREE && works->items[i].client == client) {
            works->items[i].client = NULL;
            works_stop(works, &works->items[i], "cancelled");
        }
}

void works_reap(Works *works, pid_t pid, int wait_status)
{
    for (size_t i = 0; i < works->count; i++)
        if (works->items[i].state != WORK_FREE && works->items[i].process.child == pid) {
            works->items[i].reaped = true;
            works->items[i].wait_status = wait_status;
        }
    warm_scenes_reap(&works->warm, pid);
}

void works_update(Works *works)
{
    const double now = clock_monotonic_s();
    for (size_t i = 0; i < works->count; i++) {
        Work *w = &works->items[i];
        if (w->state == WORK_CLEANING && w->reaped)
            send_result(works, w);
        if (w->state == WORK_RUNNING && w->loads)
            read_scene(works, w);
        if (w->state == WORK_RUNNING)
            update(works, w);
        if (w->state == WORK_RUNNING || w->state == WORK_QUEUED)
            watch(works, w, now);
    }
    works_start(works);
}
