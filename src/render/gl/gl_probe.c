// SPDX-License-Identifier: MIT
#include "render/gl/gl_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

/* The child writes it to the pipe; it is less than PIPE_BUF, so one write is atomic. */
typedef struct Answer {
    bool ok;
    GlProbe probe;
    char message[1536];
} Answer;

static void keep_message(void *user, const DiagMessage *message)
{
    Answer *answer = user;

    snprintf(answer->message, sizeof answer->message, "%s", message->shown);
}

static GlProbe describe(const GlContext *gl)
{
    GlProbe probe;
    snprintf(probe.backend, sizeof probe.backend, "%s", gl_backend_name(gl));
    snprintf(probe.renderer, sizeof probe.renderer, "%s", gl_renderer(gl));
    return probe;
}

static void answer_question(int out, GlChoice choice)
{
    Answer answer = {0};
    Diag diag;

    prctl(PR_SET_NAME, "odori-probe"); /* leaves lack of memory to main: base/memory.h */
    diag_init(&diag, keep_message, &answer);
    const GlContext *gl = gl_create(choice, &diag);
    if (gl != NULL) {
        answer.ok = true;
        answer.probe = describe(gl);
    }
    _exit(write(out, &answer, sizeof answer) == (ssize_t)sizeof answer ? 0 : 1);
}

static bool read_answer(Answer *answer, int in)
{
    ssize_t size;

    while ((size = read(in, answer, sizeof *answer)) < 0 && errno == EINTR)
        continue;
    return size == (ssize_t)sizeof *answer;
}

/* ---- the child ---- */

static bool is_same(GlChoice a, GlChoice b)
{
    return a.backend == b.backend && a.device == b.device;
}

/* A child that was started ahead; pid 0: there is none. */
static struct {
    pid_t pid;
    int in;
    GlChoice choice;
} child;

static bool start(GlChoice choice)
{
    int ends[2];

    gl_load(choice);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        close(ends[0]);
        answer_question(ends[1], choice);
    }
    const int error = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        errno = error;
        return false;
    }
    child.pid = pid;
    child.in = ends[0];
    child.choice = choice;
    return true;
}

/* Returns the status of the child. */
static int end(void)
{
    int status = 0;

    close(child.in);
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR)
        continue;
    child.pid = 0;
    return status;
}

/* What is known of a backend. */
static struct {
    bool known;
    GlChoice choice;
    GlProbe probe;
} own;

void gl_probe_remember(const GlContext *context, GlChoice choice)
{
    own.known = true;
    own.choice = choice;
    own.probe = describe(context);
}

void gl_probe_begin(GlChoice choice)
{
    gl_probe_cancel();
    start(choice); /* without a child gl_probe tries again, and reports the error */
}

void gl_probe_cancel(void)
{
    if (child.pid == 0)
        return;
    kill(child.pid, SIGKILL);
    end();
}

bool gl_probe(GlProbe *probe, GlChoice choice, Diag *diag)
{
    Answer answer;

    if (own.known && is_same(own.choice, choice)) {
        *probe = own.probe;
        return true;
    }
    if (child.pid != 0 && !is_same(child.choice, choice))
        gl_probe_cancel();
    if (child.pid == 0 && !start(choice))
        return diag_fail(diag, DIAG_RESOURCE, "cannot start a process: %s", strerror(errno));
    const bool read = read_answer(&answer, child.in);
    const int status = end();
    if (!read && WIFEXITED(status) && WEXITSTATUS(status) == MEMORY_EXIT)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory while OpenGL started");
    if (!read)
        return diag_fail(diag, DIAG_RESOURCE, "the OpenGL library crashed on start-up");
    if (!answer.ok)
        return diag_fail(diag, DIAG_RESOURCE, "%s", answer.message);
    *probe = answer.probe;
    return true;
}
