/*
 * ik_report.h - how near both families of IK come to the goal, over a dance and on stretched legs
 */
#ifndef ORACLE_IK_REPORT_H
#define ORACLE_IK_REPORT_H

#include "assets.h"

/* Prints; returns how many cases shake or miss. */
unsigned ik_report(const Assets *assets);

#endif
