// SPDX-License-Identifier: MIT
#include "inspect/info.h"

#include <math.h>
#include <string.h>

#include "base/archive_path.h"
#include "base/hash.h"
#include "base/text_escape.h"
#include "format/file_kind.h"
#include "format/midi.h"
#include "format/model/vac.h"
#include "inspect/info_facts.h"
#include "job/job_archives.h"
#include "media/dds.h"
#include "media/picture.h"
#include "media/radiance.h"
#include "media/sound.h"
#include "media/texture_file.h"

/* ---- placed accessories, images and sounds ---- */

/* A VAC file places an accessory; the accessory itself is a separate file. */
static const ResultField Vac_fields[] = {
    MEMBER(Vac, name, "name"),
    MEMBER_NAMED(Vac, file, "accessory", "file of the accessory"),
    MEMBER(Vac, scale, "scale of the accessory"),
    MEMBER_ARRAY(Vac, position, "position", .unit = "MMD units"),
    MEMBER_ARRAY(Vac, rotation_deg, "rotation", .unit = "degrees"),
    MEMBER(Vac, bone, "bone that carries it; may be empty"),
};
static const ResultTable vac_result = RESULT_CASE_TABLE(Vac, "a placed accessory", "vac");

static bool load_vac(ResultCase *out, const InfoFile *file, Diag *diag)
{
    Vac *vac = arena_array(file->arena, Vac, 1);
    *out = (ResultCase){"vac", &vac_result, vac};
    return vac_load(vac, file->bytes, file->arena, diag);
}

typedef struct PictureInfo {
    int width, height, faces, depth, levels;
    bool alpha;
    const char *samples;
} PictureInfo;

static const ResultField PictureInfo_fields[] = {
    MEMBER(PictureInfo, width, "width", .unit = "pixels"),
    MEMBER(PictureInfo, height, "height", .unit = "pixels"),
    MEMBER(PictureInfo, alpha, "whether it has an alpha channel"),
    MEMBER(PictureInfo, samples, "8 bits, half or float, of a DDS or Radiance file",
           .nullable = true),
    MEMBER(PictureInfo, faces, "6 of a cube, of a DDS or Radiance file", .nullable = true),
    MEMBER(PictureInfo, depth, "slices of a volume", .nullable = true),
    MEMBER(PictureInfo, levels, "levels of detail, of a DDS or Radiance file", .nullable = true),
};
static const ResultTable picture_result = RESULT_CASE_TABLE(PictureInfo, "an image", "picture");

static bool load_image(ResultCase *out, const InfoFile *file, Diag *diag)
{
    Image image;
    PictureInfo *info = arena_array(file->arena, PictureInfo, 1);
    *out = (ResultCase){"picture", &picture_result, info};
    if (!picture_load(&image, file->bytes, file->arena, diag))
        return false;
    *info = (PictureInfo){.width = image.width,
                          .height = image.height,
                          .faces = -1,
                          .depth = -1,
                          .levels = -1,
                          .alpha = image.has_alpha};
    return true;
}

static bool load_texture(ResultCase *out, const InfoFile *file, Diag *diag)
{
    static const char *const formats[] = {
        [PIXEL_RGBA8] = "8 bits", [PIXEL_FLOAT4] = "float", [PIXEL_HALF4] = "half"};
    TextureFile texture;
    PictureInfo *info = arena_array(file->arena, PictureInfo, 1);
    *out = (ResultCase){"picture", &picture_result, info};
    if (!texture_file_load(&texture, file->bytes, file->arena, diag))
        return false;
    *info = (PictureInfo){.width = texture.width,
                          .height = texture.height,
                          .faces = texture.faces,
                          .depth = texture.depth ? texture.depth : -1,
                          .levels = texture.levels,
                          .alpha = texture.has_alpha,
                          .samples = formats[texture.format]};
    return true;
}

typedef struct SoundInfo {
    int rate, channels;
    double seconds;
} SoundInfo;

static const ResultField SoundInfo_fields[] = {
    MEMBER(SoundInfo, rate, "samples per second", .unit = "Hz"),
    MEMBER(SoundInfo, channels, "channels"),
    MEMBER(SoundInfo, seconds, "duration", .unit = "seconds"),
};
static const ResultTable sound_result = RESULT_CASE_TABLE(SoundInfo, "a sound", "sound");

static bool load_sound(ResultCase *out, const InfoFile *file, Diag *diag)
{
    Sound sound;
    const SoundPart end = {(double)INFINITY, (double)INFINITY, 0}; /* only its length is needed */
    SoundInfo *info = arena_array(file->arena, SoundInfo, 1);
    *out = (ResultCase){"sound", &sound_result, info};
    if (!sound_load_part(&sound, file->path, &end, file->arena, diag))
        return false;
    *info =
        (SoundInfo){sound.rate, sound.channels, (double)(sound.first + sound.frames) / sound.rate};
    return true;
}

/* ---- MIDI ---- */

typedef struct TrackInfo {
    const char *name;
    unsigned notes, *channels;
    size_t channel_count;
} TrackInfo;

static const ResultField TrackInfo_fields[] = {
    MEMBER(TrackInfo, name, "name; may be empty"),
    MEMBER(TrackInfo, notes, "notes"),
    MEMBER_VALUES(TrackInfo, channels, channel_count, "channels with notes, from 1 on"),
};
RESULT(TrackInfo, "a track");

typedef struct SongInfo {
    MidiSong song;
    double tempo, tempo_low, tempo_high;
    size_t tempo_changes, drums;
    TrackInfo *tracks;
} SongInfo;

/* "  track 1: Piano, 120 notes, channels 1 2" */
static void print_tracks(FILE *out, const void *record, bool all)
{
    const SongInfo *info = record;
    (void)all;
    for (size_t i = 0; i < info->song.track_count; i++) {
        const TrackInfo *track = &info->tracks[i];
        text_printf(out, "  track %zu: %s%s%u notes%s", i, track->name, track->name[0] ? ", " : "",
                    track->notes, track->channel_count ? ", channels" : "");
        for (size_t c = 0; c < track->channel_count; c++)
            fprintf(out, " %u", track->channels[c]);
        fputc('\n', out);
    }
}

static const ResultField SongInfo_fields[] = {
    MEMBER_NAMED(SongInfo, song.format, "format", "format of the file, 0 or 1"),
    MEMBER_NAMED(SongInfo, song.track_count, "tracks", "tracks"),
    MEMBER_NAMED(SongInfo, song.ticks_per_beat, "ticks_per_beat",
                 "ticks per quarter note; 0 with SMPTE times"),
    MEMBER_NAMED(SongInfo, song.frames_per_s, "smpte_frames_per_s",
                 "SMPTE frames per second; 0 with beats"),
    MEMBER_NAMED(SongInfo, song.ticks_per_frame, "ticks_per_frame",
                 "ticks per SMPTE frame; 0 with beats"),
    MEMBER(SongInfo, tempo, "tempo at the start", .unit = "beats per minute", .nullable = true),
    MEMBER(SongInfo, tempo_changes, "changes of the tempo"),
    MEMBER(SongInfo, tempo_low, "lowest tempo, if it changes", .unit = "beats per minute",
           .nullable = true),
    MEMBER(SongInfo, tempo_high, "highest tempo, if it changes", .unit = "beats per minute",
           .nullable = true),
    MEMBER_NAMED(SongInfo, song.length_s, "seconds", "duration", .unit = "seconds"),
    MEMBER_NAMED(SongInfo, song.note_count, "notes", "notes of all tracks"),
    MEMBER_NAMED(SongInfo, drums, "percussion_notes", "notes of channel 10"),
    MEMBER_LIST_NAMED(SongInfo, tracks, song.track_count, "track_facts", TrackInfo, "the tracks",
                      .text = print_tracks),
};
static const ResultTable song_result = RESULT_CASE_TABLE(SongInfo, "a MIDI file", "midi");

static TrackInfo list_track(const MidiTrack *track, Arena *arena)
{
    TrackInfo info = {track->name, track->note_count, arena_array(arena, unsigned, MIDI_CHANNELS),
                      0};
    for (unsigned c = 0; c < MIDI_CHANNELS; c++)
        if (track->channels >> c & 1u)
            info.channels[info.channel_count++] = c + 1;
    return info;
}

static void find_tempo(SongInfo *info)
{
    const MidiSong *song = &info->song;
    double low = HUGE_VAL, high = 0.0;
    for (size_t i = 0; i < song->tempo_count; i++) {
        low = fmin(low, 60e6 / song->tempos[i].beat_us);
        high = fmax(high, 60e6 / song->tempos[i].beat_us);
    }
    info->tempo = song->tempo_count ? 60e6 / song->tempos[0].beat_us : (double)NAN;
    info->tempo_changes = song->tempo_count ? song->tempo_count - 1 : 0;
    info->tempo_low = low < high ? low : (double)NAN;
    info->tempo_high = low < high ? high : (double)NAN;
}

static bool load_song(ResultCase *out, const InfoFile *file, Diag *diag)
{
    SongInfo *info = arena_array(file->arena, SongInfo, 1);
    const MidiSong *song = &info->song;
    *out = (ResultCase){"midi", &song_result, info};
    if (!midi_load(&info->song, file->bytes, file->arena, diag))
        return false;
    find_tempo(info);
    for (size_t i = 0; i < song->note_count; i++)
        info->drums += song->notes[i].channel == MIDI_PERCUSSION;
    info->tracks = arena_array(file->arena, TrackInfo, song->track_count);
    for (size_t i = 0; i < song->track_count; i++)
        info->tracks[i] = list_track(&song->tracks[i], file->arena);
    return true;
}

/* ---- archives ---- */

typedef struct ArchiveText {
    const char *file, *text;
} ArchiveText;

static const ResultField ArchiveText_fields[] = {
    MEMBER(ArchiveText, file, "name of the file"),
    MEMBER(ArchiveText, text, "its start, at most 64 KiB"),
};
RESULT(ArchiveText, "a text in the archive");

typedef struct ArchiveInfo {
    Archive archive;
    uint64_t bytes, unreadable;
    ArchiveMatches models, motions, sounds;
    ARENA_LIST(ArchiveText) texts;
} ArchiveInfo;

static void print_matches(FILE *out, const void *record, bool all)
{
    const ArchiveInfo *info = record;
    const ArchiveMatches *const lists[] = {&info->models, &info->motions, &info->sounds};
    static const char *const keys[] = {"model", "motion", "sound"};
    (void)all;
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            text_printf(out, "  %s: %s\n", keys[k], lists[k]->items[i]);
}

static void print_texts(FILE *out, const void *record, bool all)
{
    const ArchiveInfo *info = record;
    (void)all;
    for (size_t i = 0; i < info->texts.count; i++) {
        text_printf(out, "  text %s:\n", info->texts.items[i].file);
        for (const char *at = info->texts.items[i].text; *at;) {
            const size_t size = strcspn(at, "\r\n");
            text_printf(out, "    %.*s\n", (int)size, at);
            at += size;
            at += at[0] == '\r' && at[1] == '\n' ? 2 : *at != 0;
        }
    }
}

static const ResultField ArchiveInfo_fields[] = {
    MEMBER_NAMED(ArchiveInfo, archive.count, "files", "files in it"),
    MEMBER_NAMED(ArchiveInfo, bytes, "bytes_of_files", "size of all of them", .unit = "bytes"),
    MEMBER_NAMED(ArchiveInfo, unreadable, "unreadable_files",
                 "files that need a password or have another compression"),
    MEMBER_NAMED(ArchiveInfo, archive.omitted, "omitted_files",
                 "entries whose names lead out of the archive"),
    MEMBER_VALUES_NAMED(ArchiveInfo, models.items, models.count, "model", "models",
                        .text = print_matches),
    MEMBER_VALUES_NAMED(ArchiveInfo, motions.items, motions.count, "motion", "motions",
                        .text = result_text_none),
    MEMBER_VALUES_NAMED(ArchiveInfo, sounds.items, sounds.count, "sound", "sounds",
                        .text = result_text_none),
    MEMBER_NAMES(ArchiveInfo, archive.files, archive.count, ArchiveFile, name, "file_names",
                 "names of all files"),
    MEMBER_LIST_NAMED(ArchiveInfo, texts.items, texts.count, "texts", ArchiveText,
                      "texts, such as terms of use", .text = print_texts),
};
static const ResultTable archive_result = RESULT_CASE_TABLE(ArchiveInfo, "an archive", "archive");

static bool load_archive(ResultCase *out, const InfoFile *file, Diag *diag)
{
    ArchiveInfo *info = arena_array(file->arena, ArchiveInfo, 1);
    const Archive *archive = archive_path_load(file->path, diag);
    *out = (ResultCase){"archive", &archive_result, info};
    if (!archive)
        return false;
    info->archive = *archive;
    info->models = archive_matches(archive, FILE_AS_MODEL, file->arena);
    info->motions = archive_matches(archive, FILE_AS_MOTION, file->arena);
    info->sounds = archive_matches(archive, FILE_AS_SOUND, file->arena);
    for (size_t i = 0; i < archive->count; i++) {
        info->bytes += archive->files[i].size;
        info->unreadable += archive->files[i].problem != NULL;
        if (info->texts.count < ARCHIVE_MAX_TEXTS && archive_is_text(&archive->files[i]))
            *arena_push(file->arena, &info->texts) = (ArchiveText){
                archive->files[i].name, archive_text(&archive->files[i], file->arena)};
    }
    return true;
}

/* ---- any file ---- */

static const ResultTable *const kinds[] = {&model_info_result,
                                           &motion_info_result,
                                           &mocap_info_result,
                                           &vac_result,
                                           &effect_info_result,
                                           &assignments_info_result,
                                           &picture_result,
                                           &sound_result,
                                           &song_result,
                                           &archive_result,
                                           NULL};

typedef struct Info {
    const char *file;
    uint64_t bytes;
    Digest sha256;
    ResultCase contents;
} Info;

static void print_path(FILE *out, const void *record, bool all)
{
    (void)all;
    text_printf(out, "%s\n", ((const Info *)record)->file);
}

static const ResultField Info_fields[] = {
    MEMBER(Info, file, "path as it was given", .text = print_path),
    MEMBER(Info, bytes, "size", .unit = "bytes"),
    MEMBER(Info, sha256, "SHA-256 of its contents"),
    MEMBER_CASE(Info, contents, "kind", kinds, "kind of the file; the other members depend on it"),
};
const ResultTable info_result = RESULT_TABLE(Info, "facts about a file");

/* A file whose first bytes are those of no kind is what its name says. */
static InfoLoad *choose_load(const InfoFile *file)
{
    const FileKind begun = file_kind_find(file->bytes, file->path);
    const FileKind kind = begun == FILE_UNKNOWN ? file_kind_of_name(file->path) : begun;
    const unsigned uses = file_kinds[kind].uses;
    if (archive_has_signature(file->bytes.data, file->bytes.size))
        return load_archive;
    if (kind == FILE_VAC)
        return load_vac;
    if (uses & (FILE_AS_MODEL | FILE_AS_ACCESSORY))
        return info_load_model;
    if (uses & FILE_AS_CAPTURE)
        return info_load_mocap;
    if (uses & FILE_AS_MOTION)
        return info_load_motion;
    if (kind == FILE_EFFECT)
        return info_load_effect;
    if (kind == FILE_EMD || kind == FILE_EMM)
        return info_load_assignments;
    if (dds_is(file->bytes) || radiance_is(file->bytes))
        return load_texture;
    if (kind == FILE_MIDI)
        return load_song;
    return uses & FILE_AS_SOUND ? load_sound : load_image;
}

bool info_write(FILE *out, const char *path, const InfoOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    InfoFile file = {.path = path, .options = options, .arena = arena};
    Info info = {.file = path};
    diag_file(diag, path);
    bool good = file_load(&file.bytes, path, FILE_MAX_SIZE, arena, diag);
    info.bytes = file.bytes.size;
    if (good) {
        info.sha256 = hash_bytes(file.bytes.data, file.bytes.size);
        good = choose_load(&file)(&info.contents, &file, diag);
    }
    if (good && options->json)
        result_print_line(out, &info_result, &info);
    else if (good)
        result_text(out, &info_result, &info, options->names);
    arena_destroy(arena);
    diag_file(diag, NULL);
    return good;
}
