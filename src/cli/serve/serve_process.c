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
#include <sys/syscall.h>
#include <unistd.h>

#include "base/path.h"
#include "base/program.h"
#include "base/write_root.h"
#include "cli/serve/serve_scene.h"
#include "cli/session.h"
#include "run/checkpoint/checkpoint_clean.h"
#include "sandbox/file_broker.h"

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

/* In the server, after a fork: the group of the process is that of the request. */
static bool adopt(ServeProcess *process, Ends *ends, pid_t pid)
{
    const int error = errno;
    close_ends(ends);
    if (pid < 0) {
        serve_process_close(process);
        errno = error;
        return false;
    }
    setpgid(pid, pid);
    process->child = process->group = pid;
    return true;
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
    const bool started = adopt(process, &ends, pid);
    close_file(&pair[1]);
    process->pid = process->child;
    return started;
}

/* ---- a film that is loaded ---- */

/* Of the output, with what the host says of the paths that are written, as session.h does.  NULL:
 * no process is confined. */
static const SandboxRules *rules_of(const ServeRequest *request, const Arguments *args,
                                    const HostLimits *limits, Arena *arena)
{
    SandboxSession *sandbox = arena_array(arena, SandboxSession, 1);
    char real[PATH_MAX];
    const char *directory = request->job ? path_directory(request->job, arena) : "";
    const bool confines = limits->paths == HOST_PATHS_JOB_DIRECTORY &&
                          (request->job || request->input) &&
                          realpath(*directory ? directory : ".", real);
    write_root_set(confines ? real : NULL, limits->paths_source);
    sandbox_session_init(sandbox, args, arena);
    sandbox_session_write(sandbox, request->output);
    return sandbox_session_lend(sandbox);
}

/* Nothing of the server but standard streams and the socket of the broker. */
static int close_others(int socket)
{
    const unsigned kept = 3;
    if (socket != (int)kept && dup2(socket, (int)kept) < 0)
        _exit(70);
    syscall(SYS_close_range, kept + 1, ~0U, 0U);
    return (int)kept;
}

/* The process group of the request: passes it to a drawer, and becomes the broker of its output. */
static _Noreturn void hand_over(const ServeRequest *request, Ends *ends, bool is_first, int drawer,
                                const Arguments *args, const HostLimits *limits)
{
    Arena *arena = arena_create();
    int pair[2] = {-1, -1};
    setpgid(0, 0);
    const SandboxRules *rules = rules_of(request, args, limits, arena);
    if (rules && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        _exit(70);
    ends->files[SCENE_BROKER] = pair[0];
    const SceneRequest message = {
        .is_first = is_first, .group = getpid(), .files = rules ? SCENE_FILES : SCENE_BROKER};
    if (!scene_request_send(drawer, &message, ends->files))
        _exit(70); /* the server starts the request again */
    close_ends(ends);
    if (rules)
        file_broker_become(rules, close_others(pair[1]));
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        pause(); /* as long as the group exists */
}

bool serve_process_fork(ServeProcess *process, const ServeRequest *request, bool is_first,
                        int drawer, const Arguments *args, const HostLimits *limits)
{
    Ends ends;
    if (!open_ends(&ends, process, request))
        return false;
    ends.files[SCENE_WORDS] = words_file(request);
    const bool open =
        ends.files[SCENE_WORDS] >= 0 && open_pipe(&process->end, &ends.files[SCENE_END]);
    const pid_t pid = open ? fork() : -1;
    if (pid == 0)
        hand_over(request, &ends, is_first, drawer, args, limits);
    return adopt(process, &ends, pid);
}

/* ---- ending ---- */

bool serve_process_clean(ServeProcess *process, const ServeRequest *request, const Arguments *args,
                         const HostLimits *limits)
{
    const pid_t pid = fork();
    if (pid == 0) {
        Arena *arena = arena_create();
        Diag quiet = diag_quiet();
        const SandboxRules *rules = rules_of(request, args, limits, arena);
        if (!rules || sandbox_restrict_files(rules, SANDBOX_AUTO, &quiet))
            checkpoint_clean_output(request->output);
        _exit(0);
    }
    *process = SERVE_NO_PROCESS;
    process->child = pid;
    return pid > 0;
}

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
