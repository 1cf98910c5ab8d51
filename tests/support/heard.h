/*
 * heard.h - a Diag for tests, which remembers what it was told
 */
#ifndef SUPPORT_HEARD_H
#define SUPPORT_HEARD_H

#include "base/diag.h"

typedef struct Heard {
    Diag diag;
    char text[16384]; /* "warning: ...\nerror: ...\n", cut when full */
    size_t used;
} Heard;

void heard_init(Heard *heard); /* `heard` must stay where it is */

#endif
