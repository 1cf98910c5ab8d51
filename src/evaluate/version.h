/*
 * version.h - the version of the evaluation
 */
#ifndef EVALUATE_VERSION_H
#define EVALUATE_VERSION_H

/* Increase it in the commit that changes what evaluation computes: earlier bakes and unfinished
 * films are rejected from then on. */
enum { EVALUATE_VERSION = 5 };

#endif
