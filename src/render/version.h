/*
 * version.h - the version of rendering and encoding
 */
#ifndef RENDER_VERSION_H
#define RENDER_VERSION_H

/* Increase it in the commit that changes how frames look or how they are encoded: unfinished films
 * are rejected from then on. */
enum { PICTURE_VERSION = 10 };

#endif
