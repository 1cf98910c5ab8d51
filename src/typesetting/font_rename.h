// SPDX-License-Identifier: MIT
/*
 * font_rename.h - a copy of a font under another name of its family, for libass
 *
 * libass looks for a character in all fonts of one family, in the order in which they were added,
 * and has no other way to look for it in several fonts that it is given.  Some of its versions read
 * the first table of characters for Windows, which has none above U+FFFF: where there is a complete
 * one, the copy has only that.
 */
#pragma once

#include "typesetting/font.h"

/* A TrueType or OpenType font, taken out of its collection; NULL bytes for other and for damaged
 * files.  family: ASCII. */
Bytes font_rename(const FontSource *font, const char *family, Arena *arena);
