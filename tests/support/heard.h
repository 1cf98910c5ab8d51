/*
 * heard.h - a Diag for tests that records its messages
 */
#ifndef SUPPORT_HEARD_H
#define SUPPORT_HEARD_H

#include "base/diag.h"

typedef struct Heard {
    Diag diag;
    char text[16384]; /* "warning: ...\nerror: ...\n", truncated if full */
    size_t used;
} Heard;

void heard_init(Heard *heard); /* keeps a pointer to `heard` */

#endif
