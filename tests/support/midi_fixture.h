// SPDX-License-Identifier: MIT
/*
 * midi_fixture.h - builds MIDI files from the bytes of their tracks
 */
#ifndef SUPPORT_MIDI_FIXTURE_H
#define SUPPORT_MIDI_FIXTURE_H

#include "byte_list.h"

void midi_put_be(ByteList *list, uint32_t value, unsigned size); /* big-endian */
void midi_put_header(ByteList *list, unsigned format, unsigned tracks, unsigned division);
void midi_put_track(ByteList *list, const char *events, size_t size);

#endif
