// SPDX-License-Identifier: MIT
#include "dispatch/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/parser_entry.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "dispatch/starter.h"

enum { OUTPUT_SIZE = 65536 };

/* ---- start ---- */

/* "$ odori render a.yaml --set 'b=[1, 2]'" */
static bool write_command(int log, const char *const *arguments)
{
    Arena *arena = arena_create();
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    fputc('$', out);
    for (size_t i = 0; arguments[i]; i++)
        fprintf(out, " %s", text_shell_word(arguments[i], arena));
    fputc('\n', out);
    const char *text = text_stream_close(&stream);
    const bool good = write(log, text, stream.size) == (ssize_t)stream.size;
    arena_destroy(arena);
    return good;
}

bool subprocess_start(Subprocess *child, const char *const *command, const char *log, Diag *diag)
{
    const int file = file_calls_open(AT_FDCWD, log, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0)
        return diag_fail(diag, diag_errno_kind(errno, DIAG_CREATE), "cannot create '%s': %s", log,
                         strerror(errno));
    if (!write_command(file, command)) {
        diag_fail(diag, DIAG_IO, "cannot write '%s': %s", log, strerror(errno));
        close(file);
        return false;
    }
    *child = (Subprocess){.log = log, .log_start = lseek(file, 0, SEEK_END)};
    child->pid = starter_run(command, file);
    const int reason = errno;
    close(file);
    return child->pid > 0 ||
           diag_fail(diag, DIAG_RESOURCE, "cannot start a process: %s", strerror(reason));
}

/* ---- result ---- */

int subprocess_exit_status(int wait_status)
{
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

const char *subprocess_output(const Subprocess *child, Arena *arena)
{
    parser_enter("log");
    char *text = arena_alloc(arena, OUTPUT_SIZE + 1);
    const int file = open(child->log, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return text;
    const long long end = lseek(file, 0, SEEK_END);
    const long long start =
        end - child->log_start > OUTPUT_SIZE ? end - OUTPUT_SIZE : child->log_start;
    const ssize_t n = pread(file, text, OUTPUT_SIZE, start);
    text[n > 0 ? n : 0] = '\0';
    close(file);
    return text;
}

const char *subprocess_error_text(const Subprocess *child, int wait_status, Arena *arena)
{
    static const char mark[] = "odori: error: ";
    const char *text = subprocess_output(child, arena), *last = NULL;
    for (const char *at = strstr(text, mark); at; at = strstr(at + 1, mark))
        if (at == text || at[-1] == '\n')
            last = at + strlen(mark);
    if (last) {
        char *line = text_from_utf8(last, strcspn(last, "\n"), arena);
        for (char *at = line; *at; at++)
            if ((unsigned char)*at < 0x20 || *at == 0x7F)
                *at = ' ';
        return line;
    }
    if (WIFSIGNALED(wait_status))
        return arena_printf(arena, "killed by signal %d (%s)", WTERMSIG(wait_status),
                            strsignal(WTERMSIG(wait_status)));
    return arena_printf(arena, "exit status %d", WEXITSTATUS(wait_status));
}
