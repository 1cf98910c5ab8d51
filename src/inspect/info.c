#include "inspect/info.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "media/sound.h"
#include "base/arena.h"
#include "base/archive_path.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/path.h"
#include "base/text.h"
#include "base/text_escape.h"
#include "media/picture.h"
#include "format/midi.h"
#include "format/model/model_file.h"
#include "format/model/vac.h"
#include "format/motion/motion_file.h"
#include "film/audio_load.h"
#include "job/job_archives.h"

/* Writes facts as lines of text or as members of a JSON object. */
typedef struct Facts {
    FILE *out;
    const InfoOptions *options;
    Json json;
    Arena *arena;
} Facts;

static void write_text(Facts *facts, const char *key, const char *value)
{
    if (facts->options->json) {
        json_key(&facts->json, key);
        json_text(&facts->json, value);
    } else if (value && value[0]) {
        text_printf(facts->out, "  %s: %s\n", key, value);
    }
}

static void write_count(Facts *facts, const char *key, uint64_t value)
{
    if (facts->options->json) {
        json_key(&facts->json, key);
        json_int(&facts->json, (int64_t)value);
    } else if (value) {
        text_printf(facts->out, "  %s: %" PRIu64 "\n", key, value);
    }
}

static void write_number(Facts *facts, const char *key, double value)
{
    if (facts->options->json) {
        json_key(&facts->json, key);
        json_short(&facts->json, value);
    } else {
        text_printf(facts->out, "  %s: %.6g\n", key, value);
    }
}

static bool names_begin(Facts *facts, const char *key)
{
    if (facts->options->json) {
        json_key(&facts->json, key);
        json_open(&facts->json, '[');
    } else if (facts->options->names) {
        text_printf(facts->out, "  %s:\n", key);
    }
    return facts->options->json || facts->options->names;
}

static void write_name(Facts *facts, const char *name)
{
    if (facts->options->json)
        json_text(&facts->json, name);
    else if (facts->options->names)
        text_printf(facts->out, "    %s\n", name);
}

static void names_end(Facts *facts)
{
    if (facts->options->json)
        json_close(&facts->json, ']');
}

/* ---- models ---- */

static void write_box(Facts *facts, const PmxModel *model)
{
    float low[3] = {0}, high[3] = {0};
    for (uint32_t i = 0; i < model->vertex_count; i++)
        for (size_t k = 0; k < 3; k++) {
            const float x = model->vertices[i].position[k];
            low[k] = i == 0 || x < low[k] ? x : low[k];
            high[k] = i == 0 || x > high[k] ? x : high[k];
        }
    if (facts->options->json) {
        json_key(&facts->json, "box");
        json_open(&facts->json, '[');
        json_floats(&facts->json, low, 3);
        json_floats(&facts->json, high, 3);
        json_close(&facts->json, ']');
    } else {
        fprintf(facts->out, "  box: %.4g..%.4g, %.4g..%.4g, %.4g..%.4g\n", (double)low[0],
                (double)high[0], (double)low[1], (double)high[1], (double)low[2], (double)high[2]);
    }
}

static void write_deforms(Facts *facts, const PmxModel *model)
{
    static const char *const names[] = {"bdef1", "bdef2", "bdef4", "sdef", "qdef"};
    uint64_t counts[5] = {0};
    for (uint32_t i = 0; i < model->vertex_count; i++)
        counts[model->vertices[i].deform]++;
    for (size_t i = 0; i < 5; i++)
        write_count(facts, names[i], counts[i]);
}

static void write_model_names(Facts *facts, const PmxModel *model)
{
    if (names_begin(facts, "bone_names"))
        for (uint32_t i = 0; i < model->bone_count; i++)
            write_name(facts, model->bones[i].name);
    names_end(facts);
    if (names_begin(facts, "morph_names"))
        for (uint32_t i = 0; i < model->morph_count; i++)
            write_name(facts, model->morphs[i].name);
    names_end(facts);
    if (names_begin(facts, "material_names"))
        for (uint32_t i = 0; i < model->material_count; i++)
            write_name(facts, model->materials[i].name);
    names_end(facts);
    if (names_begin(facts, "texture_files"))
        for (uint32_t i = 0; i < model->texture_count; i++)
            write_name(facts, model->textures[i]);
    names_end(facts);
}

static bool write_model(Facts *facts, Bytes bytes, Arena *arena, Diag *diag)
{
    PmxModel model;
    uint64_t ik = 0;
    if (!model_file_load(&model, bytes, arena, diag))
        return false;
    for (uint32_t i = 0; i < model.bone_count; i++)
        ik += (model.bones[i].flags & PMX_BONE_IK) != 0;
    write_text(facts, "kind", model.accessory ? "x" : model.from_pmd ? "pmd" : "pmx");
    if (!model.accessory)
        write_number(facts, "version", model.from_pmd ? 1 : model.version > 2.05f ? 2.1 : 2.0);
    write_text(facts, "name", model.name);
    write_text(facts, "name_en", model.name_en);
    write_count(facts, "vertices", model.vertex_count);
    write_deforms(facts, &model);
    write_count(facts, "extra_uv", model.extra_uv_count);
    write_count(facts, "triangles", model.index_count / 3);
    write_count(facts, "materials", model.material_count);
    write_count(facts, "textures", model.texture_count);
    write_count(facts, "bones", model.bone_count);
    write_count(facts, "ik", ik);
    write_count(facts, "morphs", model.morph_count);
    write_count(facts, "bodies", model.body_count);
    write_count(facts, "joints", model.joint_count);
    write_count(facts, "soft_bodies", model.soft_body_count);
    write_box(facts, &model);
    write_model_names(facts, &model);
    return true;
}

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
    write_text(facts, "kind", "vac");
    write_text(facts, "name", vac.name);
    write_text(facts, "accessory", vac.file);
    write_number(facts, "scale", (double)vac.scale);
    write_numbers(facts, "position", vac.position);
    write_numbers(facts, "rotation_deg", vac.rotation_deg);
    write_text(facts, "bone", vac.bone);
    return true;
}

/* ---- motions ---- */

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts names and removes duplicates; returns the new count. */
static size_t unique_names(const char **names, size_t count)
{
    size_t unique = 0;
    if (count)
        qsort(names, count, sizeof *names, compare_strings);
    for (size_t i = 0; i < count; i++)
        if (!i || strcmp(names[i], names[unique - 1]) != 0)
            names[unique++] = names[i];
    return unique;
}

/* Writes the number of distinct tracks of `keys` as `key`, their names as `names_key`. */
static void write_tracks(Facts *facts, const char *key, const char *names_key, const VmdName **keys,
                         size_t key_count, Arena *arena)
{
    const char **names = arena_array(arena, const char *, key_count);
    for (size_t i = 0; i < key_count; i++)
        names[i] = keys[i]->bytes;
    const size_t count = unique_names(names, key_count);
    write_count(facts, key, count);
    if (names_begin(facts, names_key))
        for (size_t i = 0; i < count; i++) {
            VmdName name = {{0}};
            strncpy(name.bytes, names[i], VMD_NAME_SIZE);
            write_name(facts, vmd_name_to_utf8(&name, arena));
        }
    names_end(facts);
}

static bool write_motion(Facts *facts, Bytes bytes, Arena *arena, Diag *diag)
{
    VmdMotion motion;
    if (!motion_file_load(&motion, bytes, arena, diag))
        return false;
    const uint32_t last = vmd_last_frame(&motion);
    write_text(facts, "kind", motion.is_pose ? "vpd" : "vmd");
    write_text(facts, "model", motion.model_name);
    write_count(facts, "last_frame", last);
    write_number(facts, "seconds", last / 30.0);
    write_count(facts, "bone_keys", motion.bone_key_count);
    write_count(facts, "morph_keys", motion.morph_key_count);
    write_count(facts, "camera_keys", motion.camera_key_count);
    write_count(facts, "light_keys", motion.light_key_count);
    write_count(facts, "shadow_keys", motion.shadow_key_count);
    write_count(facts, "property_keys", motion.property_key_count);

    const size_t capacity = (size_t)motion.bone_key_count + motion.morph_key_count;
    const VmdName **names = arena_array(arena, const VmdName *, capacity);
    for (uint32_t i = 0; i < motion.bone_key_count; i++)
        names[i] = &motion.bone_keys[i].name;
    write_tracks(facts, "bones", "bone_names", names, motion.bone_key_count, arena);
    for (uint32_t i = 0; i < motion.morph_key_count; i++)
        names[i] = &motion.morph_keys[i].name;
    write_tracks(facts, "morphs", "morph_names", names, motion.morph_key_count, arena);
    return true;
}

/* ---- images and sounds ---- */

static bool write_image(Facts *facts, Bytes bytes, Arena *arena, Diag *diag)
{
    Image image;
    if (!picture_load(&image, bytes, arena, diag))
        return false;
    write_text(facts, "kind", "picture");
    write_count(facts, "width", (uint64_t)image.width);
    write_count(facts, "height", (uint64_t)image.height);
    write_text(facts, "alpha", image.has_alpha ? "yes" : "no");
    return true;
}

static bool write_sound(Facts *facts, const char *path, Arena *arena, Diag *diag)
{
    Sound sound;
    const SoundPart end = {(double)INFINITY, (double)INFINITY}; /* only its length is needed */
    if (!sound_load_part(&sound, path, &end, arena, diag))
        return false;
    write_text(facts, "kind", "sound");
    write_count(facts, "rate", (uint64_t)sound.rate);
    write_count(facts, "channels", (uint64_t)sound.channels);
    write_number(facts, "seconds", (double)(sound.first + sound.frames) / sound.rate);
    return true;
}

/* ---- MIDI ---- */

/* Channels are written 1-based. */
static void write_track(Facts *facts, size_t index, const MidiTrack *track)
{
    Json *json = &facts->json;
    if (facts->options->json) {
        json_open(json, '{');
        write_text(facts, "name", track->name);
        write_count(facts, "notes", track->note_count);
        json_key(json, "channels");
        json_open(json, '[');
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
        json_key(&facts->json, "track_facts");
        json_open(&facts->json, '[');
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
    write_number(facts, "tempo", 60e6 / song->tempos[0].beat_us);
    write_count(facts, "tempo_changes", song->tempo_count - 1);
    if (low < high) {
        write_number(facts, "tempo_low", low);
        write_number(facts, "tempo_high", high);
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
    write_text(facts, "kind", "midi");
    write_number(facts, "format", song.format);
    write_count(facts, "tracks", song.track_count);
    write_count(facts, "ticks_per_beat", song.ticks_per_beat);
    write_count(facts, "smpte_frames_per_s", song.frames_per_s);
    write_count(facts, "ticks_per_frame", song.ticks_per_frame);
    write_tempo(facts, &song);
    write_number(facts, "seconds", song.length_s);
    write_count(facts, "notes", song.note_count);
    write_count(facts, "percussion_notes", drums);
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
    write_text(facts, "file", file->name);
    write_text(facts, "text", text);
    json_close(&facts->json, '}');
}

static void write_texts(Facts *facts, const Archive *archive)
{
    size_t count = 0;
    if (facts->options->json) {
        json_key(&facts->json, "texts");
        json_open(&facts->json, '[');
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
        json_key(&facts->json, key);
        json_open(&facts->json, '[');
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
    write_text(facts, "kind", "archive");
    write_count(facts, "files", archive->count);
    write_count(facts, "bytes_of_files", total);
    write_count(facts, "unreadable_files", unreadable);
    write_count(facts, "omitted_files", archive->omitted);
    write_matches(facts, "model", archive, ARCHIVE_MODEL);
    write_matches(facts, "motion", archive, ARCHIVE_MOTION);
    write_matches(facts, "sound", archive, ARCHIVE_SOUND);
    if (names_begin(facts, "file_names"))
        for (size_t i = 0; i < archive->count; i++)
            write_name(facts, archive->files[i].name);
    names_end(facts);
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
        return write_model(facts, bytes, arena, diag);
    if (has_prefix(bytes, "Vocaloid") || text_equal_ignoring_case(extension, "vmd") ||
        text_equal_ignoring_case(extension, "vpd"))
        return write_motion(facts, bytes, arena, diag);
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
        write_text(facts, "file", path);
    } else {
        text_printf(facts->out, "%s\n", path);
    }
    write_count(facts, "bytes", bytes.size);
    write_text(facts, "sha256", digest);
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
