// SPDX-License-Identifier: MIT
/*
 * ik_report.h - the residuals of both families of IK, over a dance and on stretched legs
 */
#ifndef ORACLE_IK_REPORT_H
#define ORACLE_IK_REPORT_H

#include "assets.h"

/* Prints; returns the number of cases that shake or miss. */
unsigned ik_report(const Assets *assets);

#endif
