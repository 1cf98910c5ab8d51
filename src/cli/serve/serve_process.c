// SPDX-License-Identifier: MIT
#include "cli/serve/serve_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/path.h"
#include "base/program.h"
#include "base/write_root.h"
#include "cli/serve/serve_scene.h"
#include "cli/session.h"

enum { CHILD_SOCKET = 3 };

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

void serve_process_close(ServeProcess *process)
{
    close_file(&process->out);
    close_file(&process->err);
    close_file(&process->end);
    close_file(&process->scene);
}

/* ---- files that a process gets ---- */

/* A file in memory with these bytes; -1 with errno. */
static int memory_file(const char *bytes, size_t size)
{
    const int file = memfd_create("odori", MFD_CLOEXEC);
    for (size_t done = 0; file >= 0 && done < size;) {
        const ssize_t n = write(file, bytes + done, size - done);
        if (n <= 0) {
            close(file);
            return -1;
        }
        done += (size_t)n;
    }
    if (file >= 0)
        lseek(file, 0, SEEK_SET);
    return file;
}

static int words_file(const ServeRequest *request)
{
    Arena *arena = arena_create();
    size_t size = 0;
    for (size_t i = 0; i < request->word_count; i++)
        size += strlen(request->words[i]) + 1;
    char *bytes = arena_alloc(arena, size + 1), *at = bytes;
    for (size_t i = 0; i < request->word_count; i++)
        at = stpcpy(at, request->words[i]) + 1;
    const int file = memory_file(bytes, size);
    arena_destroy(arena);
    return file;
}

static int input_file(const ServeRequest *request)
{
    return request->input ? memory_file(request->input, strlen(request->input))
                          : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* The files of a process, and the ends that the server keeps. */
typedef struct Ends {
    int files[SCENE_FILES];
} Ends;

static bool open_pipe(int *read_end, int *write_end)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *read_end = ends[0];
    *write_end = ends[1];
    return true;
}

static void close_ends(Ends *ends)
{
    for (int i = 0; i < SCENE_FILES; i++)
        close_file(&ends->files[i]);
}

static bool open_ends(Ends *ends, ServeProcess *process, const ServeRequest *request)
{
    int *files = ends->files;
    for (int i = 0; i < SCENE_FILES; i++)
        files[i] = -1;
    *process = SERVE_NO_PROCESS;
    if ((files[SCENE_INPUT] = input_file(request)) >= 0 &&
        open_pipe(&process->out, &files[SCENE_OUT]) && open_pipe(&process->err, &files[SCENE_ERR]))
        return true;
    const int error = errno;
    close_ends(ends);
    serve_process_close(process);
    errno = error;
    return false;
}

/* ---- this program again ---- */

/* In the child process. */
static _Noreturn void become(const ServeRequest *request, const Ends *ends, int socket,
                             pid_t server)
{
    char *const *words; /* execv() does not modify its arguments, but lacks const */
    sigset_t none;
    memcpy(&words, &request->words, sizeof words);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != server)
        _exit(70);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    dup2(ends->files[SCENE_INPUT], STDIN_FILENO);
    dup2(ends->files[SCENE_OUT], STDOUT_FILENO);
    dup2(ends->files[SCENE_ERR], STDERR_FILENO);
    unsetenv(SERVE_SCENE_VARIABLE);
    unsetenv("LISTEN_FDS");
    if (socket >= 0) {
        if (socket == CHILD_SOCKET)
            fcntl(socket, F_SETFD, 0);
        else
            dup2(socket, CHILD_SOCKET);
        setenv(SERVE_SCENE_VARIABLE, "3", 1);
    }
    program_become(words);
    dprintf(STDERR_FILENO, "odori: error: cannot start: %s\n", strerror(errno));
    _exit(70);
}

bool serve_process_start(ServeProcess *process, const ServeRequest *request, bool keeps)
{
    int pair[2] = {-1, -1};
    Ends ends;
    if (!open_ends(&ends, process, request))
        return false;
    if (keeps && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0)
        process->scene = pair[0];
    const pid_t server = getpid(), pid = fork();
    if (pid == 0)
        become(request, &ends, pair[1], server);
    const int error = errno;
    close_file(&pair[1]);
    close_ends(&ends);
    if (pid < 0) {
        serve_process_close(process);
        errno = error;
        return false;
    }
    setpgid(pid, pid);
    process->pid = process->child = process->group = pid;
    return true;
}

/* ---- a film that is loaded ---- */

/* What the host says of the paths that are written, as session.h does. */
static void confine_writes(const ServeRequest *request, const HostLimits *limits, Arena *arena)
{
    char real[PATH_MAX];
    const char *directory = request->job ? path_directory(request->job, arena) : "";
    const bool confines = limits->paths == HOST_PATHS_JOB_DIRECTORY &&
                          (request->job || request->input) &&
                          realpath(*directory ? directory : ".", real);
    write_root_set(confines ? real : NULL, limits->paths_source);
}

/* A process of the group of the request, which ends soon: starts the broker, passes everything on.
 */
static _Noreturn void hand_over(const ServeRequest *request, Ends *ends, bool is_first, int scene,
                                const Arguments *args, const HostLimits *limits)
{
    Arena *arena = arena_create();
    SandboxSession sandbox;
    Progress progress;
    Diag diag;
    setpgid(0, 0);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    dup2(ends->files[SCENE_ERR], STDERR_FILENO);
    progress_init(&progress, stderr, PROGRESS_JSON, COLOR_NEVER);
    diag_init(&diag, progress_report, &progress);
    sandbox_session_init(&sandbox, args, arena);
    confine_writes(request, limits, arena);
    sandbox_session_write(&sandbox, request->output);
    SceneEnd end = {.status = 0};
    if (!sandbox_session_lend(&sandbox, &diag))
        end.status = session_exit_status(diag.kind);
    ends->files[SCENE_BROKER] = file_calls_socket();
    const SceneRequest message = {.is_first = is_first,
                                  .group = getpid(),
                                  .files =
                                      ends->files[SCENE_BROKER] >= 0 ? SCENE_FILES : SCENE_BROKER};
    if (!end.status && scene_request_send(scene, &message, ends->files))
        _exit(0);
    if (end.status) { /* otherwise the server starts the request again */
        const int32_t pid = 0;
        progress_end(&progress, end.status);
        const ssize_t n = write(ends->files[SCENE_END], &pid, sizeof pid);
        const ssize_t m = write(ends->files[SCENE_END], &end, sizeof end);
        (void)n;
        (void)m;
    }
    _exit(1);
}

bool serve_process_fork(ServeProcess *process, const ServeRequest *request, bool is_first,
                        int scene, const Arguments *args, const HostLimits *limits)
{
    Ends ends;
    if (!open_ends(&ends, process, request))
        return false;
    ends.files[SCENE_WORDS] = words_file(request);
    const bool open =
        ends.files[SCENE_WORDS] >= 0 && open_pipe(&process->end, &ends.files[SCENE_END]);
    const pid_t pid = open ? fork() : -1;
    if (pid == 0)
        hand_over(request, &ends, is_first, scene, args, limits);
    const int error = errno;
    close_ends(&ends);
    if (pid < 0) {
        serve_process_close(process);
        errno = error;
        return false;
    }
    setpgid(pid, pid);
    process->child = process->group = pid;
    return true;
}

/* ---- ending ---- */

void serve_process_signal(const ServeProcess *process, int number)
{
    if (process->group > 0)
        kill(-process->group, number);
}

void serve_process_kill_main(const ServeProcess *process)
{
    if (process->pid > 0 && getpgid(process->pid) == process->group)
        kill(process->pid, SIGKILL);
}
