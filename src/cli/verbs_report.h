/*
 * verbs_report.h - the verb report
 */
#ifndef CLI_VERBS_REPORT_H
#define CLI_VERBS_REPORT_H

#include "cli/arguments.h"

VerbFunction verb_report;

#endif
