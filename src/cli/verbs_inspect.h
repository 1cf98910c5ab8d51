/*
 * verbs_inspect.h - the verbs that inspect a job, its assets or its results, and render no film
 */
#ifndef CLI_VERBS_INSPECT_H
#define CLI_VERBS_INSPECT_H

#include "cli/arguments.h"

VerbFunction verb_check, verb_pose, verb_plot;
VerbFunction verb_plan, verb_status, verb_verify, verb_compare;

#endif
