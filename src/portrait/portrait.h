/*
 * portrait.h - pictures of a model, for `odori info`
 */
#ifndef PORTRAIT_PORTRAIT_H
#define PORTRAIT_PORTRAIT_H

#include "portrait/sitting.h"

/* Front, side and face with the name and the counts, as PNG. */
bool portrait_write_views(const char *file, Sitting *sitting, Diag *diag);

/* The face with each morph at 1, below it its name, as PNG: those of brows, eyes and mouth, then
 * others that move or colour something.  At most 240.  An error (DIAG_DATA) if there is none. */
bool portrait_write_morphs(const char *file, Sitting *sitting, Diag *diag);

#endif
