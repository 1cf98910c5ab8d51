// SPDX-License-Identifier: MIT
/*
 * version.h - the version of the evaluation
 */
#pragma once

/* Increase it in the commit that changes what evaluation computes: earlier bakes and unfinished
 * films are rejected from then on. */
enum { EVALUATE_VERSION = 32 };
