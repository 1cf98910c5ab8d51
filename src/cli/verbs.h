/*
 * verbs.h - the table of verbs
 */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "cli/arguments.h"

extern const Verb verbs[]; /* ends with a row without a name */

#endif
