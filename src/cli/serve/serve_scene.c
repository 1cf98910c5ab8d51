// SPDX-License-Identifier: MIT
#include "cli/serve/serve_scene.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/text.h"
#include "cli/stop.h"
#include "run/pipeline/render_job.h"
#include "sandbox/file_broker.h"

/* ---- a request as a packet ---- */

typedef union Ancillary {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(SCENE_FILES * sizeof(int))];
} Ancillary;

bool scene_request_send(int socket, const SceneRequest *request, const int files[SCENE_FILES])
{
    SceneRequest copy = *request;
    struct iovec part = {&copy, sizeof copy};
    Ancillary ancillary;
    const size_t bytes = (size_t)request->files * sizeof(int);
    memset(&ancillary, 0, sizeof ancillary);
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = &ancillary,
                       .msg_controllen = CMSG_SPACE(bytes)};
    struct cmsghdr *header = CMSG_FIRSTHDR(&m);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(bytes);
    memcpy(CMSG_DATA(header), files, bytes);
    ssize_t sent;
    while ((sent = sendmsg(socket, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return sent == (ssize_t)sizeof copy;
}

/* Files that are not passed become -1.  False: the server has closed the socket. */
static bool receive(int socket, SceneRequest *request, int files[SCENE_FILES])
{
    struct iovec part = {request, sizeof *request};
    Ancillary ancillary;
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = &ancillary,
                       .msg_controllen = sizeof ancillary};
    ssize_t got;
    for (int i = 0; i < SCENE_FILES; i++)
        files[i] = -1;
    while ((got = recvmsg(socket, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR && !stop_signal)
        ;
    const struct cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&m) : NULL;
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(files, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    return got == (ssize_t)sizeof *request;
}

/* ---- a request ---- */

/* The words, each with a NUL at its end. */
static char **read_words(int *count, int file, Arena *arena)
{
    const off_t size = lseek(file, 0, SEEK_END);
    char *text = arena_alloc(arena, (size_t)(size > 0 ? size : 0) + 1);
    ARENA_LIST(char *) words = {0};
    if (size <= 0 || pread(file, text, (size_t)size, 0) != size)
        return NULL;
    for (char *at = text; at < text + size; at += strlen(at) + 1)
        *arena_push(arena, &words) = at;
    *count = (int)words.count;
    *arena_push(arena, &words) = NULL;
    return words.items;
}

static int status_of(bool good, const Diag *diag)
{
    if (stop_signal_number())
        return 128 + stop_signal_number();
    return good ? 0 : diag->kind == DIAG_NONE ? 70 : session_exit_status(diag->kind);
}

/* What main does at the end of a verb. */
static int32_t finish(Session *s, bool good)
{
    if (!good && stop_timed_out() && s->diag->kind == DIAG_NONE)
        diag_fail(s->diag, DIAG_INCOMPLETE, "%s", stop_timeout_text());
    diag_flush(s->diag);
    const int status = status_of(good, s->diag);
    FILE *out = fdopen(dup(STDOUT_FILENO), "w");
    if (out) {
        session_write_result(s, status, out);
        fclose(out);
    }
    progress_end(s->progress, status);
    return status;
}

/* What a drawer has of a request; the film that it draws refers to it until the next one. */
typedef struct Drawing {
    Arena *arena;
    int number; /* 1 for the first one */
    Arguments args;
    Progress progress;
    ProblemList problems;
    Diag diag;
    Session session;
} Drawing;

/* Of the words that the film was loaded for. */
static int32_t run_first(Session *s, WarmFilm *warm, const CheckpointOptions *options,
                         const SceneRequest *request, const int files[SCENE_FILES])
{
    const bool good =
        (request->files == SCENE_BROKER || file_broker_connect(files[SCENE_BROKER], s->diag)) &&
        session_restart_limits(s) && render_loaded(s, warm, options);
    return finish(s, good);
}

static int32_t run(Drawing *d, const Session *entered, WarmFilm *warm, const SceneRequest *request,
                   const int files[SCENE_FILES])
{
    int count = 0;
    int32_t unfit = 0;
    char **words = read_words(&count, files[SCENE_WORDS], d->arena);
    progress_init(&d->progress, stderr, PROGRESS_JSON, COLOR_NEVER);
    d->progress.status_requests = &stop_status_requests;
    diag_init(&d->diag, progress_report, &d->progress);
    d->problems = (ProblemList){.arena = d->arena};
    d->diag.observer = problem_list_add;
    d->diag.observer_user = &d->problems;
    if (!words || !arguments_parse(&d->args, count, words, d->arena, &d->diag) ||
        !arguments_warning_rules(&d->diag.rules, &d->args, d->arena, &d->diag))
        return 2;
    d->progress.describes_outputs = d->args.json;
    session_begin(&d->session, &d->args, &d->problems, &d->progress, d->arena, &d->diag);
    const bool good =
        (request->files == SCENE_BROKER || file_broker_connect(files[SCENE_BROKER], &d->diag)) &&
        render_warm(&d->session, entered, warm, &unfit);
    return unfit ? unfit : finish(&d->session, good);
}

/* ---- a drawer ---- */

/* More requests would only add to what libraries do not release. */
enum { MAX_REQUESTS = 200 };

static double cpu_s_of(int who)
{
    struct rusage usage;
    if (getrusage(who, &usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* All but the socket of the broker, which file_calls_connect closes. */
static void close_files(const int files[SCENE_FILES])
{
    for (int i = 0; i < SCENE_BROKER; i++)
        close(files[i]);
}

static void enter_request(const SceneRequest *request, const int files[SCENE_FILES])
{
    if (setpgid(0, request->group) != 0)
        setpgid(0, 0);
    dup2(files[SCENE_INPUT], STDIN_FILENO);
    dup2(files[SCENE_OUT], STDOUT_FILENO);
    dup2(files[SCENE_ERR], STDERR_FILENO);
}

/* Before the server learns of the end, and ends what is left of the group. */
static void leave_request(int null)
{
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    file_calls_connect(-1, FILE_CALLS_EXIT);
    stop_clear_timeout();
    setpgid(0, 0);
}

/* A lower limit of memory would stay in force. */
static bool remains(const Session *s, const Session *entered, const WarmFilm *warm, int32_t status)
{
    return !status && !stop_signal && warm_film_is_still(warm) &&
           s->job.limits.memory_mib == entered->job.limits.memory_mib;
}

/* Whether the drawer waits for another request. */
static bool draw_request(Drawing *d, Session *entered, WarmFilm *warm,
                         const CheckpointOptions *options, const SceneRequest *request,
                         const int files[SCENE_FILES], int null)
{
    const int32_t pid = getpid();
    const double start_s = cpu_s_of(RUSAGE_SELF) + cpu_s_of(RUSAGE_CHILDREN);
    enter_request(request, files);
    bool written = write(files[SCENE_END], &pid, sizeof pid) == (ssize_t)sizeof pid;
    SceneEnd end = {.status = request->is_first ? run_first(entered, warm, options, request, files)
                                                : run(d, entered, warm, request, files)};
    const Session *session = request->is_first ? entered : &d->session;
    end.remains = d->number < MAX_REQUESTS && remains(session, entered, warm, end.status);
    leave_request(null);
    end.cpu_s = (float)(cpu_s_of(RUSAGE_SELF) + cpu_s_of(RUSAGE_CHILDREN) - start_s);
    written &= write(files[SCENE_END], &end, sizeof end) == (ssize_t)sizeof end;
    return written && end.remains;
}

/* One request after another of the client, as long as they are stills. */
static _Noreturn void serve_requests(Session *entered, WarmFilm *warm,
                                     const CheckpointOptions *options, int socket, int null)
{
    SceneRequest request;
    int files[SCENE_FILES];
    Arena *before = NULL;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGCHLD, SIG_DFL);
    setpgid(0, 0);
    for (int number = 1; receive(socket, &request, files) && !stop_signal; number++) {
        Arena *arena = arena_create();
        Drawing *d = arena_array(arena, Drawing, 1);
        *d = (Drawing){.arena = arena, .number = number};
        if (!draw_request(d, entered, warm, options, &request, files, null))
            break;
        close_files(files);
        arena_destroy(before);
        before = arena;
    }
    _exit(0);
}

/* ---- the process that keeps the film ---- */

int serve_scene_take_socket(void)
{
    const char *text = getenv(SERVE_SCENE_VARIABLE);
    int64_t number = -1;
    if (!text || !text_to_int64(&number, text) || number < 3 || number > 1023)
        return -1;
    unsetenv(SERVE_SCENE_VARIABLE);
    return fcntl((int)number, F_SETFD, FD_CLOEXEC) == 0 ? (int)number : -1;
}

static _Noreturn void fork_drawers(Session *s, WarmFilm *warm, const CheckpointOptions *options,
                                   int socket)
{
    static const char ready = SCENE_READY;
    char message;
    int drawer;
    prctl(PR_SET_NAME, "odori");
    stop_clear_timeout();
    signal(SIGCHLD, SIG_IGN); /* nothing waits for drawers */
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    const bool sent = null >= 0 && send(socket, &ready, 1, MSG_NOSIGNAL) == 1;
    for (int fd = 0; fd < 3 && sent; fd++)
        dup2(null, fd);
    while (sent && !stop_signal && file_calls_receive(socket, &message, 1, &drawer)) {
        if (drawer >= 0 && fork() == 0) {
            close(socket);
            serve_requests(s, warm, options, drawer, null);
        }
        if (drawer >= 0)
            close(drawer);
    }
    _exit(0);
}

bool serve_scene(Session *s, const CheckpointOptions *options, int socket)
{
    WarmFilm warm;
    bool kept;
    if (!warm_film_open(&warm, &kept, &s->job, s->progress, &stop_signal, s->arena, s->diag))
        return false;
    if (!kept) {
        close(socket);
        return render_job_warm(&s->report, &warm, options, s->progress, s->diag);
    }
    file_broker_stop();
    fork_drawers(s, &warm, options, socket);
}
