// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/text.h"
#include "cli/serve/serve.h"
#include "cli/serve/serve_socket.h"
#include "cli/session.h"
#include "cli/stop.h"

static bool read_number(int64_t *value, const char *text, const char *flag, int64_t otherwise,
                        int64_t min, int64_t max, Diag *diag)
{
    *value = otherwise;
    return !text || (text_to_int64(value, text) && *value >= min && *value <= max) ||
           diag_fail(diag, DIAG_USAGE, "--%s: '%s' is not a number (%lld..%lld)", flag, text,
                     (long long)min, (long long)max);
}

/* --limits, by a path that each process finds, and --sandbox, which they get as a variable. */
static const char *const *words_of_host(const Session *s)
{
    TextList words = {0};
    const char *limits = session_limits_name(s->given);
    if (limits) {
        *arena_push(s->arena, &words) = "--limits";
        *arena_push(s->arena, &words) = limits;
    }
    *arena_push(s->arena, &words) = NULL;
    return words.items;
}

static bool read_options(ServeOptions *options, const Session *s)
{
    enum { QUEUE = 64, PARALLEL = 2, SCENES = 4, MEMORY_MIB = 2048 };
    const Arguments *args = s->given;
    int64_t queue, parallel, scenes, memory;
    if (!read_number(&queue, args->queue, "queue", QUEUE, 0, 4096, s->diag) ||
        !read_number(&parallel, args->parallel, "parallel", PARALLEL, 1, 64, s->diag) ||
        !read_number(&scenes, args->scenes, "scenes", SCENES, 0, 64, s->diag) ||
        !read_number(&memory, args->scenes_memory, "scenes-memory", MEMORY_MIB, 0, 1 << 20,
                     s->diag))
        return false;
    *options = (ServeOptions){.socket = args->socket,
                              .passed = args->socket || args->stdio ? -1 : serve_socket_passed(),
                              .queue = (int)queue,
                              .parallel = (int)parallel,
                              .scenes = (int)scenes,
                              .scenes_mib = memory,
                              .host = {words_of_host(s)},
                              .args = args};
    return true;
}

bool verb_serve(Session *s)
{
    const Arguments *args = s->given;
    HostLimits limits;
    ServeOptions options;
    if (args->operands.count)
        return diag_fail(s->diag, DIAG_USAGE, "serve takes no operand; unexpected argument '%s'",
                         args->operands.items[0]);
    if (!read_options(&options, s))
        return false;
    if ((args->socket && args->stdio) || (!args->socket && !args->stdio && options.passed < 0))
        return diag_fail(s->diag, DIAG_USAGE,
                         "one of --socket PATH and --stdio is required, unless a service manager "
                         "passes a socket (LISTEN_FDS)");
    if (!session_load_limits(&limits, args, s->arena, s->diag))
        return false;
    options.limits = &limits;
    sandbox_session_export_to_children(args);
    return serve_run(&options, &stop_signal, s->diag);
}
