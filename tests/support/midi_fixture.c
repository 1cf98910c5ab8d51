// SPDX-License-Identifier: MIT
#include "midi_fixture.h"

void midi_put_be(ByteList *list, uint32_t value, unsigned size)
{
    while (size--)
        bytes_u8(list, value >> 8 * size & 0xFF);
}

void midi_put_header(ByteList *list, unsigned format, unsigned tracks, unsigned division)
{
    bytes_text(list, "MThd", 4);
    midi_put_be(list, 6, 4);
    midi_put_be(list, format, 2);
    midi_put_be(list, tracks, 2);
    midi_put_be(list, division, 2);
}

void midi_put_track(ByteList *list, const char *events, size_t size)
{
    bytes_text(list, "MTrk", 4);
    midi_put_be(list, (uint32_t)size, 4);
    for (size_t i = 0; i < size; i++)
        bytes_u8(list, (uint8_t)events[i]);
}
