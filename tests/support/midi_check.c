// SPDX-License-Identifier: MIT
#include <string.h>

#include "asset_check.h"
#include "base/text.h"

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

static bool note_is_valid(const MidiSong *song, const MidiNote *n)
{
    return n->start_s >= 0 && n->end_s >= n->start_s && n->end_s <= song->length_s &&
           n->channel < MIDI_CHANNELS && n->key < MIDI_KEYS && n->velocity > 0 &&
           n->velocity < 128 && n->track < song->track_count;
}

bool midi_check(const MidiSong *song, Diag *diag)
{
    size_t count = 0;
    if (!(song->length_s >= 0 && song->length_s <= MIDI_MAX_SECONDS))
        return diag_error(diag, "length %g s is out of range", song->length_s);
    for (size_t i = 0; i < song->note_count; i++)
        if (!note_is_valid(song, &song->notes[i]))
            return diag_error(diag, "note %zu is out of range", i);
    for (size_t i = 1; i < song->note_count; i++)
        if (compare_notes(&song->notes[i - 1], &song->notes[i]) > 0)
            return diag_error(diag, "note %zu is out of order", i);
    for (size_t i = 0; i < song->tempo_count; i++)
        if (i ? song->tempos[i].start_s < song->tempos[i - 1].start_s : song->tempos[i].start_s > 0)
            return diag_error(diag, "tempo %zu is out of order", i);
    for (size_t i = 0; i < song->track_count; i++) {
        count += song->tracks[i].note_count;
        if (!text_is_utf8(song->tracks[i].name, strlen(song->tracks[i].name)))
            return diag_error(diag, "track %zu: its name is not UTF-8", i);
    }
    return count == song->note_count || diag_error(diag, "tracks have %zu notes in total", count);
}
