// SPDX-License-Identifier: MIT
/*
 * diag_log.h - a Diag for tests that records its messages
 */
#ifndef SUPPORT_DIAG_LOG_H
#define SUPPORT_DIAG_LOG_H

#include "base/diag.h"

typedef struct DiagLog {
    Diag diag;
    char text[16384]; /* "warning: ...\nerror: ...\n", truncated if full */
    size_t used;
} DiagLog;

void diag_log_init(DiagLog *log); /* keeps a pointer to `log` */

#endif
