#include "gl/gl_probe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

/* What the child writes to the pipe; less than PIPE_BUF, so one write is atomic. */
typedef struct Answer {
    bool ok;
    GlProbe probe;
    char message[1536];
} Answer;

static void keep_message(void *user, DiagLevel level, const char *message)
{
    Answer *answer = user;

    (void)level;
    snprintf(answer->message, sizeof answer->message, "%s", message);
}

static void answer_question(int out, GlBackend backend)
{
    Answer answer = {0};
    Diag diag;

    prctl(PR_SET_NAME, "odori-probe"); /* leaves lack of memory to main: base/memory.h */
    diag_init(&diag, keep_message, &answer);
    const GlContext *gl = gl_create(backend, &diag);
    if (gl != NULL) {
        answer.ok = true;
        snprintf(answer.probe.backend, sizeof answer.probe.backend, "%s", gl_backend_name(gl));
        snprintf(answer.probe.renderer, sizeof answer.probe.renderer, "%s", gl_renderer(gl));
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

bool gl_probe(GlProbe *probe, GlBackend backend, Diag *diag)
{
    Answer answer;
    int ends[2], status = 0;

    if (pipe(ends) != 0)
        return diag_fail(diag, DIAG_RESOURCE, "cannot create a pipe: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        answer_question(ends[1], backend);
    }
    const int error = errno;
    close(ends[1]);
    const bool read = child > 0 && read_answer(&answer, ends[0]);
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child < 0)
        return diag_fail(diag, DIAG_RESOURCE, "cannot start a process: %s", strerror(error));
    if (!read && WIFEXITED(status) && WEXITSTATUS(status) == MEMORY_EXIT)
        return diag_fail(diag, DIAG_RESOURCE, "out of memory while OpenGL started");
    if (!read)
        return diag_fail(diag, DIAG_RESOURCE, "the OpenGL library crashed on start-up");
    if (!answer.ok)
        return diag_fail(diag, DIAG_RESOURCE, "%s", answer.message);
    *probe = answer.probe;
    return true;
}
