// SPDX-License-Identifier: MIT
/*
 * font_fixture.h - a TrueType font with two squares, built in memory
 *
 * The family is "Fixture".  1000 units per em, ascent 800, descent 200.  Character 'A' and U+8E0A
 * (a kanji) are squares 500 wide from 100 right of the pen, 0..500 above the baseline, with an
 * advance of 700; space has one of 300; there are no other characters.
 */
#ifndef SUPPORT_FONT_FIXTURE_H
#define SUPPORT_FONT_FIXTURE_H

#include "base/arena.h"
#include "base/file.h"
#include "typesetting/font.h"

Bytes fixture_font(Arena *arena);

/* The same with other characters: ' ' < letter < other < 0xFFFF. */
Bytes fixture_font_of(int letter, int other, Arena *arena);

/* One without outlines: both characters are pictures of 200, 0, 0, half an em wide and high, an
 * eighth right of the pen, on the baseline. */
Bytes fixture_color_font(int letter, int other, Arena *arena);

/* The font "fixture.ttf" alone. */
FontSources fixture_fonts(Arena *arena);

#endif
