// SPDX-License-Identifier: MIT
/*
 * line_break.h - where a line of Japanese or Chinese text may end
 *
 * By the rules for the starts and ends of lines of "Requirements for Japanese Text Layout" (W3C,
 * JLReq 3.1.7 and 3.1.8), in the strict form: small kana and the prolonged sound mark do not start
 * a line.  Words of other scripts stay whole.  Values only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Kana, ideographs, their punctuation and wide letters: a line may end beside them. */
bool line_break_is_ideographic(uint32_t character);

bool line_break_is_space(uint32_t character); /* a line does not begin with one */

/* Whether a line may end between two characters. */
bool line_break_is_allowed(uint32_t before, uint32_t after);

/* How much a reader minds that it does, 0..1: nothing after punctuation, little where a phrase
 * begins, more within a word. */
double line_break_penalty(uint32_t before, uint32_t after);
