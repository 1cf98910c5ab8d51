// SPDX-License-Identifier: MIT
#include "diag_log.h"

#include <stdio.h>

static void record(void *user, const DiagMessage *message)
{
    static const char *const prefixes[] = {"", "warning: ", "error: "};
    DiagLog *log = user;
    const int n = snprintf(log->text + log->used, sizeof log->text - log->used, "%s%s\n",
                           prefixes[message->level], message->shown);
    const size_t left = sizeof log->text - 1 - log->used;
    log->used += n < 0 ? 0 : (size_t)n < left ? (size_t)n : left;
}

void diag_log_init(DiagLog *log)
{
    log->text[0] = '\0';
    log->used = 0;
    diag_init(&log->diag, record, log);
}
