// SPDX-License-Identifier: MIT
/*
 * tiny_soundfont.h - a SoundFont 2 with one instrument: a sine of 440 Hz for key 69
 */
#ifndef SUPPORT_TINY_SOUNDFONT_H
#define SUPPORT_TINY_SOUNDFONT_H

#include "byte_list.h"

void tiny_soundfont(ByteList *list);

#endif
