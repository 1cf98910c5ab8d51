// SPDX-License-Identifier: MIT
#include "format/midi.h"

#include <stdlib.h>
#include <string.h>

#include "base/encoding.h"
#include "base/parser_entry.h"
#include "base/reader.h"
#include "base/text.h"

/*
 * Big-endian throughout.
 *
 *    0  "MThd", u32 size of the rest of the header (6, maybe more)
 *    8  u16 format   10  u16 tracks   12  i16 division
 *   14  chunks: u8[4] type, u32 size; "MTrk" is a track, others are skipped
 *
 * A track is a sequence of events, each preceded by a variable-length number of ticks to wait:
 *    8x key velocity, 9x key velocity   note off, note on, of channel x
 *    Ax Bx Ex + 2 bytes, Cx Dx + 1      skipped
 *    F0, F7 size bytes                  system exclusive, skipped
 *    FF kind size bytes                 meta: 2F end of track, 51 tempo, 03 name; others skipped
 * A channel event may omit its first byte if it equals that of the previous one (running status).
 * Source: the Standard MIDI Files 1.0 specification (format/README.md 1).
 */
enum {
    CHUNK_HEAD = 8,
    HEADER_SIZE = 6,
    META_NAME = 0x03,
    META_END = 0x2F,
    META_TEMPO = 0x51,
    MAX_NAME = 256,
    SLOTS = MIDI_CHANNELS * MIDI_KEYS
};

static const uint32_t BEAT_US = 500000; /* before the first tempo event */

typedef struct RawNote {
    uint64_t start, end; /* ticks */
    uint32_t next_open;  /* 1 + index of the next later open note of its slot, or 0 */
    uint16_t track;
    uint8_t channel, key, velocity;
} RawNote;

typedef struct RawTempo {
    uint64_t tick;
    uint32_t beat_us;
    uint32_t order; /* in the file: the later of two at one tick applies */
} RawTempo;

/* Notes and tempos of all tracks, with times in ticks. */
typedef struct Raw {
    Arena *arena; /* scratch */
    ARENA_LIST(RawNote) notes;
    ARENA_LIST(RawTempo) tempos;
    uint64_t end;  /* tick of the end of the longest track */
    size_t end_at; /* byte */
} Raw;

/* ---- bytes ---- */

static uint32_t read_be(Reader *r, size_t size)
{
    const uint8_t *bytes = read_bytes(r, size);
    uint32_t value = 0;
    for (size_t i = 0; bytes && i < size; i++)
        value = value << 8 | bytes[i];
    return value;
}

/* Seven bits a byte, the highest first; bit 7 is set in all but the last of at most four. */
static bool read_varying(uint32_t *value, Reader *r, Diag *diag)
{
    const size_t at = r->at;
    *value = 0;
    for (int i = 0; i < 4; i++) {
        const uint8_t byte = read_u8(r);
        *value = *value << 7 | (byte & 0x7Fu);
        if (r->failed)
            return diag_error(diag, "byte %zu: track ends inside a number", at);
        if (!(byte & 0x80))
            return true;
    }
    return diag_error(diag, "byte %zu: number has more than 4 bytes", at);
}

/* ---- one track ---- */

typedef struct Track {
    Reader r; /* reads the whole file, up to the end of the track */
    Raw *raw;
    MidiTrack *info;
    Arena *arena; /* the arena of the song */
    uint16_t index;
    uint64_t tick;
    uint8_t status;          /* running status; 0 before the first event */
    bool status_interrupted; /* a meta or exclusive event lies between, which ends running status */
    bool ended;
    uint32_t oldest[SLOTS], youngest[SLOTS]; /* open notes: 1 + index, or 0 */
} Track;

static size_t slot_index(unsigned channel, unsigned key)
{
    return (size_t)channel * MIDI_KEYS + key;
}

static void begin_note(Track *t, unsigned channel, unsigned key, unsigned velocity)
{
    const size_t slot = slot_index(channel, key);
    Raw *raw = t->raw;

    *arena_push(raw->arena, &raw->notes) = (RawNote){.start = t->tick,
                                                     .end = t->tick,
                                                     .track = t->index,
                                                     .channel = (uint8_t)channel,
                                                     .key = (uint8_t)key,
                                                     .velocity = (uint8_t)velocity};
    const uint32_t number = (uint32_t)raw->notes.count;
    if (t->youngest[slot])
        raw->notes.items[t->youngest[slot] - 1].next_open = number;
    else
        t->oldest[slot] = number;
    t->youngest[slot] = number;
    t->info->note_count++;
    t->info->channels |= (uint16_t)(1u << channel);
}

static void end_note(Track *t, unsigned channel, unsigned key)
{
    const size_t slot = slot_index(channel, key);
    if (!t->oldest[slot])
        return; /* many programs write redundant ones */
    RawNote *note = &t->raw->notes.items[t->oldest[slot] - 1];
    note->end = t->tick;
    t->oldest[slot] = note->next_open;
    if (!note->next_open)
        t->youngest[slot] = 0;
}

static void end_open_notes(Track *t, Diag *diag)
{
    unsigned open = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++)
        for (; t->oldest[slot]; open++)
            end_note(t, slot / MIDI_KEYS, slot % MIDI_KEYS);
    if (open)
        diag_warn(diag, WARN_BAD_SONG, "byte %zu: %u notes have no end; they end with the track",
                  t->r.at, open);
}

static bool read_message(Track *t, Diag *diag)
{
    const unsigned kind = t->status >> 4, channel = t->status & 0x0F;
    const int size = kind == 0xC || kind == 0xD ? 1 : 2;
    uint8_t data[2] = {0};

    for (int i = 0; i < size; i++) {
        const size_t at = t->r.at;
        data[i] = read_u8(&t->r);
        if (t->r.failed)
            return diag_error(diag, "byte %zu: track ends inside an event", at);
        if (data[i] & 0x80)
            return diag_error(diag, "byte %zu: 0x%02X is not a data byte (0..0x7F) of event 0x%02X",
                              at, data[i], t->status);
    }
    if (kind == 9 && data[1])
        begin_note(t, channel, data[0], data[1]);
    else if (kind == 8 || kind == 9)
        end_note(t, channel, data[0]);
    return true;
}

static bool read_tempo(Track *t, size_t at, const uint8_t *data, uint32_t size, Diag *diag)
{
    if (size != 3)
        return diag_error(diag, "byte %zu: tempo event of %u bytes (expected 3)", at, size);
    const uint32_t beat_us = (uint32_t)data[0] << 16 | (uint32_t)data[1] << 8 | data[2];
    if (!beat_us) {
        diag_warn(diag, WARN_BAD_SONG, "byte %zu: tempo of 0 us per beat is ignored", at);
        return true;
    }
    Raw *raw = t->raw;
    const uint32_t order = (uint32_t)raw->tempos.count;
    *arena_push(raw->arena, &raw->tempos) = (RawTempo){t->tick, beat_us, order};
    return true;
}

/* Latin-1: single bytes from A0 on between ASCII.  Japanese text has bytes below, or several. */
static bool is_latin_1(const uint8_t *data, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        if ((data[i] >= 0x80 && data[i] < 0xa0) ||
            (i > 0 && data[i] >= 0x80 && data[i - 1] >= 0x80))
            return false;
    return true;
}

static const char *from_latin_1(const uint8_t *data, uint32_t size, Arena *arena)
{
    char *text = arena_array(arena, char, (size_t)2 * size + 1), *to = text;

    for (uint32_t i = 0; i < size && data[i] != 0; i++) {
        if (data[i] >= 0x80)
            *to++ = (char)(0xc0 | data[i] >> 6);
        *to++ = (char)(data[i] < 0x80 ? data[i] : 0x80 | (data[i] & 0x3f));
    }
    return text;
}

static void read_name(Track *t, const uint8_t *data, uint32_t size)
{
    if (t->info->name[0])
        return;
    size = size < MAX_NAME ? size : MAX_NAME;
    t->info->name = !text_is_utf8(data, size) && is_latin_1(data, size)
                        ? from_latin_1(data, size, t->arena)
                        : encoding_decode_text(data, size, t->arena);
}

/* The data of a meta or exclusive event, or NULL after an error. */
static const uint8_t *read_block(uint32_t *size, Track *t, Diag *diag)
{
    const size_t at = t->r.at;
    if (!read_varying(size, &t->r, diag))
        return NULL;
    const size_t left = reader_left(&t->r);
    const uint8_t *data = read_bytes(&t->r, *size);
    if (!data)
        diag_error(diag, "byte %zu: event of %u bytes exceeds the %zu left in the track", at, *size,
                   left);
    return data;
}

static bool read_meta(Track *t, Diag *diag)
{
    const size_t at = t->r.at - 1;
    const uint8_t kind = read_u8(&t->r);
    uint32_t size;

    if (t->r.failed)
        return diag_error(diag, "byte %zu: track ends inside an event", at);
    const uint8_t *data = read_block(&size, t, diag);
    if (!data)
        return false;
    if (kind == META_TEMPO)
        return read_tempo(t, at, data, size, diag);
    if (kind == META_NAME)
        read_name(t, data, size);
    t->ended = kind == META_END;
    return true;
}

static bool read_event(Track *t, Diag *diag)
{
    uint32_t delta;
    if (!read_varying(&delta, &t->r, diag))
        return false;
    t->tick += delta;

    const size_t at = t->r.at;
    const uint8_t status = read_u8(&t->r);
    if (t->r.failed)
        return diag_error(diag, "byte %zu: track ends before an event", at);
    if (status >= 0xF0) {
        uint32_t size;
        t->status_interrupted = true;
        if (status == 0xFF)
            return read_meta(t, diag);
        if (status == 0xF0 || status == 0xF7)
            return read_block(&size, t, diag) != NULL;
        return diag_error(diag, "byte %zu: 0x%02X is not an event of a MIDI file", at, status);
    }
    if (status < 0x80) {
        if (!t->status)
            return diag_error(diag, "byte %zu: track starts with data byte 0x%02X", at, status);
        if (t->status_interrupted)
            diag_warn(diag, WARN_BAD_SONG,
                      "byte %zu: running status continues after a meta or exclusive event", at);
        t->r.at = at; /* the byte is data */
    } else {
        t->status = status;
    }
    t->status_interrupted = false;
    return read_message(t, diag);
}

static bool read_track(Track *t, Diag *diag)
{
    while (!t->ended && reader_left(&t->r))
        if (!read_event(t, diag))
            return false;
    if (!t->ended)
        diag_warn(diag, WARN_BAD_SONG, "byte %zu: track has no end-of-track event", t->r.at);
    else if (reader_left(&t->r))
        diag_warn(diag, WARN_TRAILING_DATA,
                  "byte %zu: %zu bytes after the end of the track are ignored", t->r.at,
                  reader_left(&t->r));
    end_open_notes(t, diag);
    Raw *raw = t->raw;
    if (t->tick >= raw->end) {
        raw->end = t->tick;
        raw->end_at = t->r.at;
    }
    return true;
}

/* ---- the file ---- */

/* Bit 15 clear: ticks per beat.  Set: i8 negative frames per second, u8 ticks per frame. */
static bool read_division(MidiSong *song, Reader *r, Diag *diag)
{
    const size_t at = r->at;
    const uint32_t division = read_be(r, 2);

    if (division < 0x8000) {
        song->ticks_per_beat = division;
        return division ||
               diag_error(diag, "byte %zu: 0 ticks per beat are out of range (1..32767)", at);
    }
    song->frames_per_s = 0x100 - (division >> 8);
    song->ticks_per_frame = division & 0xFF;
    const unsigned f = song->frames_per_s;
    if (f != 24 && f != 25 && f != 29 && f != 30)
        return diag_error(diag, "byte %zu: %u frames per second are not supported (24, 25, 29, 30)",
                          at, f);
    return song->ticks_per_frame ||
           diag_error(diag, "byte %zu: 0 ticks per frame are out of range (1..255)", at + 1);
}

static bool read_header(MidiSong *song, Reader *r, Diag *diag)
{
    const uint8_t *letters = read_bytes(r, 4);
    if (!letters || memcmp(letters, "MThd", 4) != 0)
        return diag_error(diag, "byte 0: not a MIDI file: it does not start with 'MThd'");
    const uint32_t size = read_be(r, 4);
    if (r->failed || size < HEADER_SIZE || size > reader_left(r))
        return diag_error(diag, "byte 4: header size %u out of range (%d..%zu)", size, HEADER_SIZE,
                          reader_left(r));
    const size_t end = r->at + size;
    const uint32_t format = read_be(r, 2), tracks = read_be(r, 2);
    if (format > 1)
        return diag_error(diag, "byte 8: format %u is not supported (0, 1)", format);
    if (!tracks)
        return diag_error(diag, "byte 10: the file has no tracks");
    if (tracks > (r->size - end) / CHUNK_HEAD)
        return diag_error(diag, "byte 10: number of tracks %u out of range (1..%zu)", tracks,
                          (r->size - end) / CHUNK_HEAD);
    song->format = (int)format;
    song->track_count = tracks;
    if (!read_division(song, r, diag))
        return false;
    r->at = end;
    return true;
}

/* Finds the next track; skips other chunks. */
static bool find_track(Reader *track, Reader *file, Diag *diag)
{
    for (;;) {
        const size_t at = file->at;
        const uint8_t *letters = read_bytes(file, 4);
        const uint32_t size = read_be(file, 4);
        if (file->failed)
            return diag_error(diag, "byte %zu: file ends before the track", at);
        if (size > reader_left(file))
            return diag_error(diag, "byte %zu: chunk of %u bytes exceeds the %zu left", at + 4,
                              size, reader_left(file));
        *track = (Reader){.data = file->data, .size = file->at + size, .at = file->at};
        file->at += size;
        if (!memcmp(letters, "MTrk", 4))
            return true;
    }
}

static bool read_tracks(MidiSong *song, Raw *raw, Reader *file, Arena *arena, Diag *diag)
{
    Track *t = arena_array(raw->arena, Track, 1);

    song->tracks = arena_array(arena, MidiTrack, song->track_count);
    for (size_t i = 0; i < song->track_count; i++) {
        diag_item(diag, "track", i);
        *t = (Track){.raw = raw, .arena = arena, .info = &song->tracks[i], .index = (uint16_t)i};
        t->info->name = "";
        if (!find_track(&t->r, file, diag) || !read_track(t, diag))
            return false;
    }
    diag_item(diag, NULL, 0);
    return true;
}

/* ---- ticks to seconds ---- */

/* From `tick` on, a tick takes `rate` units of time; `units` is the time at `tick`. */
typedef struct TempoSpan {
    uint64_t tick, units;
    uint32_t rate;
} TempoSpan;

typedef struct Clock {
    TempoSpan *spans;
    size_t count;
    uint64_t units_per_s, limit; /* limit: units of the longest song; < 2^53 */
} Clock;

/* Units of time at a tick; clock->limit + 1 if that exceeds the limit. */
static uint64_t units_at(const Clock *clock, uint64_t tick)
{
    size_t low = 0, high = clock->count; /* the span is in low..high - 1 */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(clock->spans[middle].tick <= tick ? &low : &high) = middle;
    }
    const TempoSpan *s = &clock->spans[low];
    const uint64_t ticks = tick - s->tick;
    if (s->units > clock->limit || ticks > (clock->limit - s->units) / s->rate)
        return clock->limit + 1;
    return s->units + ticks * s->rate;
}

/* Both operands fit 53 bits, so that the result is rounded once. */
static double to_seconds(const Clock *clock, uint64_t units)
{
    return (double)units / (double)clock->units_per_s;
}

static int compare_tempos(const void *a, const void *b)
{
    const RawTempo *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void add_span(Clock *clock, uint64_t tick, uint32_t rate)
{
    TempoSpan *last = &clock->spans[clock->count - 1];
    if (last->tick == tick) {
        last->rate = rate;
    } else if (last->rate != rate) {
        const TempoSpan next = {tick, units_at(clock, tick), rate};
        clock->spans[clock->count++] = next;
    }
}

/* Units of time: 1 / ticks_per_beat microseconds; under SMPTE a tick, or 1/1001 of one. */
static Clock make_clock(const MidiSong *song, Raw *raw)
{
    Clock clock = {arena_array(raw->arena, TempoSpan, raw->tempos.count + 1), 1, 0, 0};

    if (song->ticks_per_beat) {
        clock.units_per_s = (uint64_t)song->ticks_per_beat * 1000000;
        clock.spans[0].rate = BEAT_US;
    } else {
        const bool drop = song->frames_per_s == 29; /* 30000/1001 of them */
        clock.units_per_s = (uint64_t)song->ticks_per_frame * (drop ? 30000 : song->frames_per_s);
        clock.spans[0].rate = drop ? 1001 : 1;
    }
    clock.limit = clock.units_per_s * MIDI_MAX_SECONDS;
    if (song->ticks_per_beat && raw->tempos.count) {
        qsort(raw->tempos.items, raw->tempos.count, sizeof(RawTempo), compare_tempos);
        for (size_t i = 0; i < raw->tempos.count; i++)
            add_span(&clock, raw->tempos.items[i].tick, raw->tempos.items[i].beat_us);
    }
    return clock;
}

static int compare_notes(const void *a, const void *b)
{
    const MidiNote *x = a, *y = b;
    if (x->start_s != y->start_s)
        return x->start_s < y->start_s ? -1 : 1;
    if (x->channel != y->channel)
        return x->channel - y->channel;
    if (x->key != y->key)
        return x->key - y->key;
    if (x->track != y->track)
        return x->track - y->track;
    if (x->end_s != y->end_s)
        return x->end_s < y->end_s ? -1 : 1;
    return x->velocity - y->velocity;
}

static void convert_times(MidiSong *song, const Raw *raw, const Clock *clock, Arena *arena)
{
    song->tempo_count = song->ticks_per_beat ? clock->count : 0;
    song->tempos = arena_array(arena, MidiTempo, song->tempo_count);
    for (size_t i = 0; i < song->tempo_count; i++)
        song->tempos[i] =
            (MidiTempo){to_seconds(clock, clock->spans[i].units), clock->spans[i].rate};
    song->note_count = raw->notes.count;
    song->notes = arena_array(arena, MidiNote, song->note_count);
    for (size_t i = 0; i < song->note_count; i++) {
        const RawNote *n = &raw->notes.items[i];
        song->notes[i] = (MidiNote){.start_s = to_seconds(clock, units_at(clock, n->start)),
                                    .end_s = to_seconds(clock, units_at(clock, n->end)),
                                    .track = n->track,
                                    .channel = n->channel,
                                    .key = n->key,
                                    .velocity = n->velocity};
    }
    qsort(song->notes, song->note_count, sizeof *song->notes, compare_notes);
}

static bool load(MidiSong *song, Raw *raw, Bytes bytes, Arena *arena, Diag *diag)
{
    Reader file = reader_init(bytes.data, bytes.size);

    *song = (MidiSong){0};
    if (!read_header(song, &file, diag) || !read_tracks(song, raw, &file, arena, diag))
        return false;
    const Clock clock = make_clock(song, raw);
    const uint64_t length = units_at(&clock, raw->end); /* no note or tempo is later */
    if (length > clock.limit)
        return diag_error(diag, "byte %zu: song is longer than %d hours", raw->end_at,
                          MIDI_MAX_SECONDS / 3600);
    song->length_s = to_seconds(&clock, length);
    convert_times(song, raw, &clock, arena);
    if (!song->note_count)
        diag_warn(diag, WARN_BAD_SONG, "song has no notes");
    return true;
}

bool midi_load(MidiSong *song, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("midi");
    if (bytes.size > MIDI_MAX_SIZE)
        return diag_error(diag, "file of %zu bytes is too large (at most %d)", bytes.size,
                          MIDI_MAX_SIZE);
    Raw raw = {.arena = arena_create()};
    const bool ok = load(song, &raw, bytes, arena, diag);
    diag_item(diag, NULL, 0);
    arena_destroy(raw.arena);
    return ok;
}
