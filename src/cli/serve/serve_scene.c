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
    while ((got = recvmsg(socket, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR && !stop_signal)
        ;
    for (int i = 0; i < SCENE_FILES; i++)
        files[i] = -1;
    const struct cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&m) : NULL;
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(files, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    return got == (ssize_t)sizeof *request;
}

/* ---- the process of a request ---- */

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

static void take_files(const int files[SCENE_FILES])
{
    dup2(files[SCENE_INPUT], STDIN_FILENO);
    dup2(files[SCENE_OUT], STDOUT_FILENO);
    dup2(files[SCENE_ERR], STDERR_FILENO);
    file_calls_connect(files[SCENE_BROKER], FILE_CALLS_EXIT);
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
    session_print_result(s, status);
    fflush(stdout);
    progress_end(s->progress, status);
    return status;
}

/* Of the words that the film was loaded for. */
static int32_t run_first(Session *s, WarmFilm *warm, const CheckpointOptions *options)
{
    session_limit_time(s);
    return finish(s, render_job_warm(&s->report, warm, options, s->progress, s->diag));
}

static int32_t run(const Session *entered, WarmFilm *warm, int words_file)
{
    Arena *arena = arena_create();
    Arguments args;
    Progress progress;
    Session session;
    Diag diag;
    int count = 0;
    bool fits = true;
    char **words = read_words(&count, words_file, arena);
    progress_init(&progress, stderr, PROGRESS_JSON, COLOR_NEVER);
    progress.status_requests = &stop_status_requests;
    diag_init(&diag, progress_report, &progress);
    ProblemList problems = {.arena = arena};
    diag.observer = problem_list_add;
    diag.observer_user = &problems;
    if (!words || !arguments_parse(&args, count, words, arena, &diag) ||
        !arguments_warning_rules(&diag.rules, &args, arena, &diag))
        return 2;
    progress.describes_outputs = args.json;
    session_begin(&session, &args, &problems, &progress, arena, &diag);
    const bool good = render_warm(&session, entered, warm, &fits);
    return fits ? finish(&session, good) : SCENE_MISFIT;
}

static double cpu_s_of(int who)
{
    struct rusage usage;
    if (getrusage(who, &usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static _Noreturn void serve_request(Session *entered, WarmFilm *warm,
                                    const CheckpointOptions *options, const SceneRequest *request,
                                    const int files[SCENE_FILES])
{
    const int32_t pid = getpid();

    prctl(PR_SET_NAME, "odori");
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGCHLD, SIG_DFL);
    if (setpgid(0, request->group) != 0)
        setpgid(0, 0);
    take_files(files);
    bool written = write(files[SCENE_END], &pid, sizeof pid) == (ssize_t)sizeof pid;
    SceneEnd end = {.status = request->is_first ? run_first(entered, warm, options)
                                                : run(entered, warm, files[SCENE_WORDS])};
    end.cpu_s = (float)(cpu_s_of(RUSAGE_SELF) + cpu_s_of(RUSAGE_CHILDREN));
    written &= write(files[SCENE_END], &end, sizeof end) == (ssize_t)sizeof end;
    _exit(!written);
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

static _Noreturn void wait_for_requests(Session *s, WarmFilm *warm,
                                        const CheckpointOptions *options, int socket)
{
    static const char ready = SCENE_READY;
    SceneRequest request;
    int files[SCENE_FILES];
    prctl(PR_SET_NAME, "odori");
    stop_clear_timeout();
    signal(SIGCHLD, SIG_IGN); /* nothing waits for the processes of requests */
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    const bool sent = send(socket, &ready, 1, MSG_NOSIGNAL) == 1;
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        dup2(null, fd);
    while (sent && !stop_signal && receive(socket, &request, files)) {
        if (fork() == 0) {
            close(socket);
            serve_request(s, warm, options, &request, files);
        }
        for (int i = 0; i < SCENE_FILES; i++)
            if (files[i] >= 0)
                close(files[i]);
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
    wait_for_requests(s, &warm, options, socket);
}
