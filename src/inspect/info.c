#include "inspect/info.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
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
#include "format/midi.h"
#include "format/model/vac.h"
#include "inspect/info_facts.h"
#include "job/job_archives.h"
#include "media/picture.h"
#include "media/sound.h"
#include "scene/mocap/mocap.h"

static void write_numbers(Facts *facts, const char *key, const float values[3])
{
    if (facts->options->json) {
        json_key(&facts->json, key);
        json_floats(&facts->json, values, 3);
    } else {
        text_printf(facts->out, "  %s: %.6g, %.6g, %.6g\n", key, (double)values[0],
                    (double)values[1], (double)values[2]);
    }
}

/* A VAC file places an accessory; the accessory itself is a separate file. */
static bool write_vac(Facts *facts, Bytes bytes, Arena *arena, Diag *diag)
{
    Vac vac;
    if (!vac_load(&vac, bytes, arena, diag))
        return false;
    facts_text(facts, "kind", "vac");
    facts_text(facts, "name", vac.name);
    facts_text(facts, "accessory", vac.file);
    facts_number(facts, "scale", (double)vac.scale);
    write_numbers(facts, "position", vac.position);
    write_numbers(facts, "rotation_deg", vac.rotation_deg);
    facts_text(facts, "bone", vac.bone);
    return true;
}

/* ---- images and sounds ---- */

static bool write_image(Facts *facts, Bytes bytes, Arena *arena, Diag *diag)
{
    Image image;
    if (!picture_load(&image, bytes, arena, diag))
        return false;
    facts_text(facts, "kind", "picture");
    facts_count(facts, "width", (uint64_t)image.width);
    facts_count(facts, "height", (uint64_t)image.height);
    facts_text(facts, "alpha", image.has_alpha ? "yes" : "no");
    return true;
}

static bool write_sound(Facts *facts, const char *path, Arena *arena, Diag *diag)
{
    Sound sound;
    const SoundPart end = {(double)INFINITY, (double)INFINITY}; /* only its length is needed */
    if (!sound_load_part(&sound, path, &end, arena, diag))
        return false;
    facts_text(facts, "kind", "sound");
    facts_count(facts, "rate", (uint64_t)sound.rate);
    facts_count(facts, "channels", (uint64_t)sound.channels);
    facts_number(facts, "seconds", (double)(sound.first + sound.frames) / sound.rate);
    return true;
}

/* ---- MIDI ---- */

/* Channels are written 1-based. */
static void write_track(Facts *facts, size_t index, const MidiTrack *track)
{
    Json *json = &facts->json;
    if (facts->options->json) {
        json_open(json, '{');
        facts_text(facts, "name", track->name);
        facts_count(facts, "notes", track->note_count);
        json_pair_open(json, "channels", '[');
    } else {
        text_printf(facts->out, "  track %zu: %s%s%" PRIu32 " notes%s", index, track->name,
                    track->name[0] ? ", " : "", track->note_count,
                    track->channels ? ", channels" : "");
    }
    for (unsigned c = 0; c < MIDI_CHANNELS; c++)
        if (track->channels >> c & 1u && facts->options->json)
            json_int(json, (int64_t)c + 1);
        else if (track->channels >> c & 1u)
            fprintf(facts->out, " %u", c + 1);
    if (facts->options->json) {
        json_close(json, ']');
        json_close(json, '}');
    } else {
        fputc('\n', facts->out);
    }
}

static void write_song_tracks(Facts *facts, const MidiSong *song)
{
    if (facts->options->json) {
        json_pair_open(&facts->json, "track_facts", '[');
    }
    for (size_t i = 0; i < song->track_count; i++)
        write_track(facts, i, &song->tracks[i]);
    if (facts->options->json)
        json_close(&facts->json, ']');
}

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

static bool write_song(Facts *facts, Bytes bytes, Arena *arena, Diag *diag)
{
    MidiSong song;
    uint64_t drums = 0;
    if (!midi_load(&song, bytes, arena, diag))
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
    write_song_tracks(facts, &song);
    return true;
}

/* ---- archives ---- */

enum { MAX_TEXTS = 16, MAX_TEXT_BYTES = 1 << 16 };

/* Readme and licence texts: what an author wants to be read. */
static bool is_text(const char *name)
{
    static const char *const extensions[] = {"txt", "md"};
    static const char *const names[] = {"readme", "license", "licence", "copying"};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (text_equal_ignoring_case(path_extension(name), extensions[i]))
            return path_name(name)[0] != '.';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_equal_ignoring_case(path_name(name), names[i]))
            return true;
    return false;
}

static char *decode_text(const ArchiveFile *file, Arena *arena)
{
    const size_t size = file->size < MAX_TEXT_BYTES ? file->size : MAX_TEXT_BYTES;
    if (size >= 2 && !memcmp(file->data, "\xFF\xFE", 2))
        return text_from_utf16le(file->data, size, arena);
    return text_is_utf8(file->data, file->size) ? text_from_utf8(file->data, size, arena)
                                                : text_from_cp932(file->data, size, arena);
}

/* With the name above it, each line indented. */
static void write_indented(Facts *facts, const char *name, const char *text)
{
    text_printf(facts->out, "  text %s:\n", name);
    while (*text) {
        const int size = (int)strcspn(text, "\r\n");
        char *line = arena_strndup(facts->arena, text, (size_t)size);
        text_printf(facts->out, "    %s\n", line);
        text += size;
        text += text[0] == '\r' && text[1] == '\n' ? 2 : *text != 0;
    }
}

static void write_archive_text(Facts *facts, const ArchiveFile *file)
{
    const char *text = decode_text(file, facts->arena);
    if (!facts->options->json) {
        write_indented(facts, file->name, text);
        return;
    }
    json_open(&facts->json, '{');
    facts_text(facts, "file", file->name);
    facts_text(facts, "text", text);
    json_close(&facts->json, '}');
}

static void write_texts(Facts *facts, const Archive *archive)
{
    size_t count = 0;
    if (facts->options->json) {
        json_pair_open(&facts->json, "texts", '[');
    }
    for (size_t i = 0; i < archive->count && count < MAX_TEXTS; i++)
        if (!archive->files[i].problem && is_text(archive->files[i].name)) {
            write_archive_text(facts, &archive->files[i]);
            count++;
        }
    if (facts->options->json)
        json_close(&facts->json, ']');
}

static void write_matches(Facts *facts, const char *key, const Archive *archive, ArchiveRole role)
{
    const ArchiveMatches matches = archive_matches(archive, role, facts->arena);
    if (facts->options->json) {
        json_pair_open(&facts->json, key, '[');
    }
    for (size_t i = 0; i < matches.count; i++)
        if (facts->options->json)
            json_text(&facts->json, matches.items[i]);
        else
            text_printf(facts->out, "  %s: %s\n", key, matches.items[i]);
    if (facts->options->json)
        json_close(&facts->json, ']');
}

static bool write_archive(Facts *facts, const char *path, Diag *diag)
{
    const Archive *archive = archive_path_load(path, diag);
    uint64_t total = 0, unreadable = 0;
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
    write_matches(facts, "model", archive, ARCHIVE_MODEL);
    write_matches(facts, "motion", archive, ARCHIVE_MOTION);
    write_matches(facts, "sound", archive, ARCHIVE_SOUND);
    if (facts_names_begin(facts, "file_names"))
        for (size_t i = 0; i < archive->count; i++)
            facts_name(facts, archive->files[i].name);
    facts_names_end(facts);
    write_texts(facts, archive);
    return true;
}

/* ---- format detection ---- */

static bool has_prefix(Bytes bytes, const char *text)
{
    const size_t size = strlen(text);
    return bytes.size >= size && !memcmp(bytes.data, text, size);
}

static bool is_sound(const char *path)
{
    static const char *const extensions[] = {"wav",  "flac", "ogg", "oga",
                                             "opus", "mp3",  "m4a", "aac"};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (text_equal_ignoring_case(path_extension(path), extensions[i]))
            return true;
    return false;
}

static bool write_kind(Facts *facts, const char *path, Bytes bytes, Arena *arena, Diag *diag)
{
    const char *extension = path_extension(path);
    if (archive_has_signature(bytes.data, bytes.size))
        return write_archive(facts, path, diag);
    if (has_prefix(bytes, "PMX") || has_prefix(bytes, "Pmd") || has_prefix(bytes, "xof ") ||
        text_equal_ignoring_case(extension, "pmx") || text_equal_ignoring_case(extension, "pmd") ||
        text_equal_ignoring_case(extension, "x"))
        return info_write_model(facts, path, bytes, diag);
    if (has_prefix(bytes, "Vocaloid") || text_equal_ignoring_case(extension, "vmd") ||
        text_equal_ignoring_case(extension, "vpd"))
        return info_write_motion(facts, path, bytes, diag);
    if (mocap_is_known(bytes))
        return info_write_mocap(facts, bytes, diag);
    if (text_equal_ignoring_case(extension, "vac"))
        return write_vac(facts, bytes, arena, diag);
    if (has_prefix(bytes, "MThd") || audio_is_midi(path))
        return write_song(facts, bytes, arena, diag);
    if (is_sound(path))
        return write_sound(facts, path, arena, diag);
    return write_image(facts, bytes, arena, diag);
}

static bool write_file(Facts *facts, const char *path, Arena *arena, Diag *diag)
{
    char digest[DIGEST_TEXT_SIZE];
    Bytes bytes;

    diag_file(diag, path);
    if (!file_load(&bytes, path, FILE_MAX_SIZE, arena, diag))
        return false;
    const Digest sha256 = hash_bytes(bytes.data, bytes.size);
    digest_text(digest, &sha256);
    if (facts->options->json) {
        json_open(&facts->json, '{');
        facts_text(facts, "file", path);
    } else {
        text_printf(facts->out, "%s\n", path);
    }
    facts_count(facts, "bytes", bytes.size);
    facts_text(facts, "sha256", digest);
    if (!write_kind(facts, path, bytes, arena, diag))
        return false;
    if (facts->options->json) {
        json_close(&facts->json, '}');
        json_newline(&facts->json);
    }
    return true;
}

/* Facts are buffered, so that a damaged file does not leave an incomplete object in `out`. */
bool info_write(FILE *out, const char *path, const InfoOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    TextStream stream;
    FILE *memory = text_stream_open(&stream, arena);
    Facts facts = {.out = memory, .options = options, .json = json_init(memory), .arena = arena};
    const bool good = write_file(&facts, path, arena, diag);
    const char *text = text_stream_close(&stream);

    if (good)
        fwrite(text, 1, stream.size, out);
    arena_destroy(arena);
    diag_file(diag, NULL);
    return good;
}
