/*
 * batch.h - the verb `batch`
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include <stdbool.h>

#include "cli/arguments.h"

bool verb_batch(Progress *progress, const Arguments *args, Arena *arena, Diag *diag);

#endif
