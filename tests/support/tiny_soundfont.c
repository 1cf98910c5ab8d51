// SPDX-License-Identifier: MIT
#include "tiny_soundfont.h"

#include <math.h>
#include <string.h>

enum { RATE = 44000, PERIOD = 100, SAMPLES = 40 * PERIOD, GUARD = 46 };
enum { GEN_INSTRUMENT = 41, GEN_SAMPLE = 53, GEN_MODES = 54 };

/* Chunks: four letters, u32 size, data; the size is filled in by close_chunk. */
static size_t open_chunk(ByteList *list, const char *letters, const char *kind)
{
    bytes_text(list, letters, 4);
    bytes_u32(list, 0);
    const size_t at = list->size;
    if (kind)
        bytes_text(list, kind, 4);
    return at;
}

static void close_chunk(ByteList *list, size_t at)
{
    const size_t size = list->size - at;
    for (size_t i = 0; i < 4; i++)
        list->data[at - 4 + i] = (uint8_t)(size >> 8 * i);
}

static void write_pairs(ByteList *list, const char *letters, const uint16_t *values, size_t count)
{
    const size_t at = open_chunk(list, letters, NULL);
    for (size_t i = 0; i < count; i++)
        bytes_u16(list, values[i]);
    close_chunk(list, at);
}

static void write_sample_data(ByteList *list)
{
    const size_t at = open_chunk(list, "LIST", "sdta"), data = open_chunk(list, "smpl", NULL);
    for (int i = 0; i < SAMPLES + GUARD; i++)
        bytes_u16(list, i < SAMPLES ? (uint16_t)lrint(20000 * sin(i * 6.283185307 / PERIOD)) : 0u);
    close_chunk(list, data);
    close_chunk(list, at);
}

static void write_preset(ByteList *list, const char *name, unsigned bag)
{
    bytes_text(list, name, 20);
    bytes_zeros(list, 4); /* program 0 of bank 0 */
    bytes_u16(list, bag);
    bytes_zeros(list, 12);
}

static void write_sample(ByteList *list)
{
    bytes_text(list, "sine", 20);
    bytes_u32(list, 0);
    bytes_u32(list, SAMPLES);
    bytes_u32(list, PERIOD); /* loop */
    bytes_u32(list, SAMPLES - PERIOD);
    bytes_u32(list, RATE);
    bytes_u8(list, 69);
    bytes_u8(list, 0);
    bytes_u16(list, 0);
    bytes_u16(list, 1); /* mono */
}

/* Preset, instrument and sample, each list with its terminal record. */
static void write_articulation(ByteList *list)
{
    static const uint16_t bags[] = {0, 0, 1, 0}, inst_bags[] = {0, 0, 2, 0}, mods[5] = {0};
    static const uint16_t gens[] = {GEN_INSTRUMENT, 0, 0, 0};
    static const uint16_t inst_gens[] = {GEN_MODES, 1, GEN_SAMPLE, 0, 0, 0};
    const size_t at = open_chunk(list, "LIST", "pdta");

    size_t part = open_chunk(list, "phdr", NULL);
    write_preset(list, "tiny", 0);
    write_preset(list, "EOP", 1);
    close_chunk(list, part);
    write_pairs(list, "pbag", bags, 4);
    write_pairs(list, "pmod", mods, 5);
    write_pairs(list, "pgen", gens, 4);
    part = open_chunk(list, "inst", NULL);
    bytes_text(list, "tiny", 20);
    bytes_u16(list, 0);
    bytes_text(list, "EOI", 20);
    bytes_u16(list, 1);
    close_chunk(list, part);
    write_pairs(list, "ibag", inst_bags, 4);
    write_pairs(list, "imod", mods, 5);
    write_pairs(list, "igen", inst_gens, 6);
    part = open_chunk(list, "shdr", NULL);
    write_sample(list);
    bytes_text(list, "EOS", 46);
    close_chunk(list, part);
    close_chunk(list, at);
}

void tiny_soundfont(ByteList *list)
{
    const size_t whole = open_chunk(list, "RIFF", "sfbk");
    const size_t at = open_chunk(list, "LIST", "INFO");
    size_t part = open_chunk(list, "ifil", NULL);
    bytes_u16(list, 2);
    bytes_u16(list, 1);
    close_chunk(list, part);
    part = open_chunk(list, "isng", NULL);
    bytes_text(list, "EMU8000", 8);
    close_chunk(list, part);
    part = open_chunk(list, "INAM", NULL);
    bytes_text(list, "tiny", 6);
    close_chunk(list, part);
    close_chunk(list, at);
    write_sample_data(list);
    write_articulation(list);
    close_chunk(list, whole);
}
