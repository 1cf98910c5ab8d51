// SPDX-License-Identifier: MIT
#include "inspect/info.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/archive_path.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_escape.h"
#include "base/text_stream.h"
#include "film/audio_load.h"
#include "format/file_kind.h"
#include "format/midi.h"
#include "format/model/vac.h"
#include "inspect/info_facts.h"
#include "job/job_archives.h"
#include "media/dds.h"
#include "media/picture.h"
#include "media/radiance.h"
#include "media/sound.h"
#include "scene/mocap/mocap.h"

/* ---- the two forms of a fact ---- */

void facts_text(Facts *facts, const char *key, const char *value)
{
    json_key(&facts->json, key);
    json_text(&facts->json, value);
    if (value && value[0])
        text_printf(facts->text, "  %s: %s\n", key, value);
}

void facts_count(Facts *facts, const char *key, uint64_t value)
{
    json_key(&facts->json, key);
    json_int(&facts->json, (int64_t)value);
    if (value)
        text_printf(facts->text, "  %s: %" PRIu64 "\n", key, value);
}

void facts_number(Facts *facts, const char *key, double value)
{
    json_key(&facts->json, key);
    json_print(&facts->json, "%g", value);
    text_printf(facts->text, "  %s: %.6g\n", key, value);
}

static void write_vector(Facts *facts, const char *key, const float v[3])
{
    json_key(&facts->json, key);
    json_floats(&facts->json, v, 3);
    text_printf(facts->text, "  %s: %.6g, %.6g, %.6g\n", key, (double)v[0], (double)v[1],
                (double)v[2]);
}

void facts_names(Facts *facts, const char *key, TextNames names)
{
    const bool lists = facts->options->names;
    json_key(&facts->json, key);
    json_print(&facts->json, "[");
    if (lists)
        text_printf(facts->text, "  %s:\n", key);
    for (size_t i = 0; i < names.count; i++) {
        const char *name;
        memcpy(&name, (const char *)names.items + i * names.size + names.offset, sizeof name);
        json_text(&facts->json, name);
        if (lists)
            text_printf(facts->text, "    %s\n", name);
    }
    json_print(&facts->json, "]");
}

/* ---- placed accessories, images and sounds ---- */

/* A VAC file places an accessory; the accessory itself is a separate file. */
static bool write_vac(Facts *facts, Bytes bytes, Diag *diag)
{
    Vac vac;
    if (!vac_load(&vac, bytes, facts->arena, diag))
        return false;
    facts_text(facts, "kind", "vac");
    facts_text(facts, "name", vac.name);
    facts_text(facts, "accessory", vac.file);
    facts_number(facts, "scale", (double)vac.scale);
    write_vector(facts, "position", vac.position);
    write_vector(facts, "rotation_deg", vac.rotation_deg);
    facts_text(facts, "bone", vac.bone);
    return true;
}

static bool write_image(Facts *facts, Bytes bytes, Diag *diag)
{
    Image image;
    if (!picture_load(&image, bytes, facts->arena, diag))
        return false;
    facts_text(facts, "kind", "picture");
    facts_count(facts, "width", (uint64_t)image.width);
    facts_count(facts, "height", (uint64_t)image.height);
    facts_text(facts, "alpha", image.has_alpha ? "yes" : "no");
    return true;
}

static bool write_sound(Facts *facts, const char *path, Diag *diag)
{
    Sound sound;
    const SoundPart end = {(double)INFINITY, (double)INFINITY, 0}; /* only its length is needed */
    if (!sound_load_part(&sound, path, &end, facts->arena, diag))
        return false;
    facts_text(facts, "kind", "sound");
    facts_count(facts, "rate", (uint64_t)sound.rate);
    facts_count(facts, "channels", (uint64_t)sound.channels);
    facts_number(facts, "seconds", (double)(sound.first + sound.frames) / sound.rate);
    return true;
}

/* ---- MIDI ---- */

static void write_tempo(Facts *facts, const MidiSong *song)
{
    double low = HUGE_VAL, high = 0.0;
    for (size_t i = 0; i < song->tempo_count; i++) {
        low = fmin(low, 60e6 / song->tempos[i].beat_us);
        high = fmax(high, 60e6 / song->tempos[i].beat_us);
    }
    if (!song->tempo_count)
        return;
    facts_number(facts, "tempo", 60e6 / song->tempos[0].beat_us);
    facts_count(facts, "tempo_changes", song->tempo_count - 1);
    if (low < high) {
        facts_number(facts, "tempo_low", low);
        facts_number(facts, "tempo_high", high);
    }
}

/* Channels are written 1-based. */
static void write_tracks(Facts *facts, const MidiSong *song)
{
    Json *json = &facts->json;
    json_print(json, "track_facts:[");
    for (size_t i = 0; i < song->track_count; i++) {
        const MidiTrack *track = &song->tracks[i];
        text_printf(facts->text, "  track %zu: %s%s%" PRIu32 " notes%s", i, track->name,
                    track->name[0] ? ", " : "", track->note_count,
                    track->channels ? ", channels" : "");
        json_print(json, "{name:%s notes:%u channels:[", track->name, track->note_count);
        for (unsigned c = 0; c < MIDI_CHANNELS; c++)
            if (track->channels >> c & 1u) {
                json_int(json, (int64_t)c + 1);
                fprintf(facts->text, " %u", c + 1);
            }
        json_print(json, "]}");
        fputc('\n', facts->text);
    }
    json_print(json, "]");
}

static bool write_song(Facts *facts, Bytes bytes, Diag *diag)
{
    MidiSong song;
    uint64_t drums = 0;
    if (!midi_load(&song, bytes, facts->arena, diag))
        return false;
    for (size_t i = 0; i < song.note_count; i++)
        drums += song.notes[i].channel == MIDI_PERCUSSION;
    facts_text(facts, "kind", "midi");
    facts_number(facts, "format", song.format);
    facts_count(facts, "tracks", song.track_count);
    facts_count(facts, "ticks_per_beat", song.ticks_per_beat);
    facts_count(facts, "smpte_frames_per_s", song.frames_per_s);
    facts_count(facts, "ticks_per_frame", song.ticks_per_frame);
    write_tempo(facts, &song);
    facts_number(facts, "seconds", song.length_s);
    facts_count(facts, "notes", song.note_count);
    facts_count(facts, "percussion_notes", drums);
    write_tracks(facts, &song);
    return true;
}

/* ---- archives ---- */

static void write_archive_text(Facts *facts, const ArchiveFile *file)
{
    const char *at = archive_text(file, facts->arena);
    json_print(&facts->json, "{file:%s text:%s}", file->name, at);

    text_printf(facts->text, "  text %s:\n", file->name);
    while (*at) {
        const size_t size = strcspn(at, "\r\n");
        text_printf(facts->text, "    %s\n", arena_strndup(facts->arena, at, size));
        at += size;
        at += at[0] == '\r' && at[1] == '\n' ? 2 : *at != 0;
    }
}

static void write_matches(Facts *facts, const char *key, const Archive *archive, FileUse use)
{
    const ArchiveMatches matches = archive_matches(archive, use, facts->arena);
    json_key(&facts->json, key);
    json_print(&facts->json, "[");
    for (size_t i = 0; i < matches.count; i++) {
        json_text(&facts->json, matches.items[i]);
        text_printf(facts->text, "  %s: %s\n", key, matches.items[i]);
    }
    json_print(&facts->json, "]");
}

static bool write_archive(Facts *facts, const char *path, Diag *diag)
{
    const Archive *archive = archive_path_load(path, diag);
    uint64_t total = 0, unreadable = 0, texts = 0;
    if (!archive)
        return false;
    for (size_t i = 0; i < archive->count; i++) {
        total += archive->files[i].size;
        unreadable += archive->files[i].problem != NULL;
    }
    facts_text(facts, "kind", "archive");
    facts_count(facts, "files", archive->count);
    facts_count(facts, "bytes_of_files", total);
    facts_count(facts, "unreadable_files", unreadable);
    facts_count(facts, "omitted_files", archive->omitted);
    write_matches(facts, "model", archive, FILE_AS_MODEL);
    write_matches(facts, "motion", archive, FILE_AS_MOTION);
    write_matches(facts, "sound", archive, FILE_AS_SOUND);
    facts_names(facts, "file_names", TEXT_NAMES(ArchiveFile, name, archive->files, archive->count));
    json_print(&facts->json, "texts:[");
    for (size_t i = 0; i < archive->count && texts < ARCHIVE_MAX_TEXTS; i++)
        if (archive_is_text(&archive->files[i])) {
            write_archive_text(facts, &archive->files[i]);
            texts++;
        }
    json_print(&facts->json, "]");
    return true;
}

/* ---- format detection ---- */

/* A file whose first bytes are those of no kind is what its name says. */
static bool write_kind(Facts *facts, const char *path, Bytes bytes, Diag *diag)
{
    const FileKind begun = file_kind_find(bytes, path);
    const FileKind kind = begun == FILE_UNKNOWN ? file_kind_of_name(path) : begun;
    const unsigned uses = file_kinds[kind].uses;
    if (archive_has_signature(bytes.data, bytes.size))
        return write_archive(facts, path, diag);
    if (kind == FILE_VAC)
        return write_vac(facts, bytes, diag);
    if (uses & (FILE_AS_MODEL | FILE_AS_ACCESSORY))
        return info_write_model(facts, path, bytes, diag);
    if (uses & FILE_AS_CAPTURE)
        return info_write_mocap(facts, bytes, diag);
    if (uses & FILE_AS_MOTION)
        return info_write_motion(facts, path, bytes, diag);
    if (kind == FILE_EFFECT)
        return info_write_effect(facts, path, bytes, diag);
    if (kind == FILE_EMD || kind == FILE_EMM)
        return info_write_assignments(facts, bytes, diag);
    if (dds_is(bytes) || radiance_is(bytes))
        return info_write_texture(facts, bytes, diag);
    if (kind == FILE_MIDI)
        return write_song(facts, bytes, diag);
    if (uses & FILE_AS_SOUND)
        return write_sound(facts, path, diag);
    return write_image(facts, bytes, diag);
}

static bool write_file(Facts *facts, const char *path, Diag *diag)
{
    char digest[DIGEST_TEXT_SIZE];
    Bytes bytes;

    diag_file(diag, path);
    if (!file_load(&bytes, path, FILE_MAX_SIZE, facts->arena, diag))
        return false;
    const Digest sha256 = hash_bytes(bytes.data, bytes.size);
    digest_text(digest, &sha256);
    text_printf(facts->text, "%s\n", path);
    json_print(&facts->json, "{file:%s", path);
    facts_count(facts, "bytes", bytes.size);
    facts_text(facts, "sha256", digest);
    if (!write_kind(facts, path, bytes, diag))
        return false;
    json_print(&facts->json, "}\n");
    return true;
}

/* Facts are buffered, so that a damaged file does not leave an incomplete object in `out`. */
bool info_write(FILE *out, const char *path, const InfoOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    TextStream text, json;
    Facts facts = {.text = text_stream_open(&text, arena),
                   .json = json_init(text_stream_open(&json, arena)),
                   .options = options,
                   .arena = arena};
    const bool good = write_file(&facts, path, diag);
    text_stream_close(&text);
    text_stream_close(&json);

    const TextStream *kept = options->json ? &json : &text;
    if (good)
        fwrite(kept->text, 1, kept->size, out);
    arena_destroy(arena);
    diag_file(diag, NULL);
    return good;
}
