/*
 * verbs.h - what the program can be asked to do
 */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "cli/arguments.h"

extern const Verb verbs[]; /* ends with a row without name */

#endif
