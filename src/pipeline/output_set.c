#include "pipeline/output_set.h"

#include <stdlib.h>

#include "base/file.h"

/* One output in this process. */
typedef struct Taker {
    const FilmOutput *output;
    size_t index;
    bool pieces;
    Sink *sink;   /* of a piece: only while one is written */
    int64_t left; /* pictures that the piece still lacks */
} Taker;

struct OutputSet {
    const Film *film;
    const Checkpoint *state;
    Arena *names; /* of the pieces in hand */
    Taker *items;
    size_t count;
};

static bool is_in_pieces(const FilmOutput *output, const Checkpoint *state)
{
    return state && output->kind->pieces;
}

static const SinkKind *kind_of(const Taker *taker)
{
    return taker->pieces ? taker->output->kind->pieces->kind : taker->output->kind;
}

void output_set_close(OutputSet *takers)
{
    if (!takers)
        return;
    for (size_t i = 0; i < takers->count; i++)
        if (takers->items[i].sink)
            kind_of(&takers->items[i])->destroy(takers->items[i].sink);
    arena_destroy(takers->names);
    free(takers->items);
    free(takers);
}

static bool out_of_memory(Diag *diag)
{
    return diag_fail(diag, DIAG_RESOURCE, "out of memory");
}

OutputSet *output_set_open(const Film *film, const Checkpoint *state, bool ordered, Diag *diag)
{
    OutputSet *takers = calloc(1, sizeof *takers);
    Taker *items = calloc(film->output_count + 1, sizeof *items);
    if (!takers || !items) {
        free(takers);
        free(items);
        out_of_memory(diag);
        return NULL;
    }
    *takers = (OutputSet){.film = film, .state = state, .names = arena_create(), .items = items};
    for (size_t i = 0; i < film->output_count; i++) {
        const FilmOutput *output = &film->outputs[i];
        if (output->kind->ordered != ordered)
            continue;
        Taker *taker = &items[takers->count++];
        *taker = (Taker){.output = output, .index = i, .pieces = is_in_pieces(output, state)};
        if (!taker->pieces && !(taker->sink = output->kind->create(&output->options, diag))) {
            output_set_close(takers);
            return NULL;
        }
    }
    return takers;
}

/* ---- pieces ---- */

static SinkOptions piece_options(const OutputSet *takers, const Taker *taker, int64_t piece)
{
    const FilmSpan places = film_segment(takers->film, piece);
    SinkOptions options = taker->output->options;
    options.target = options.file;
    options.file = checkpoint_segment_file(takers->state, taker->index, piece, takers->names);
    options.first_frame = film_frame_at(takers->film, places.first);
    options.frame_count = places.end - places.first;
    return options;
}

static bool begin_piece(OutputSet *takers, Taker *taker, int64_t piece, Diag *diag)
{
    const SinkOptions options = piece_options(takers, taker, piece);
    taker->sink = kind_of(taker)->create(&options, diag);
    taker->left = options.frame_count;
    return taker->sink != NULL;
}

static bool end_piece(Taker *taker, Diag *diag)
{
    if (!kind_of(taker)->finish(taker->sink, diag))
        return false;
    kind_of(taker)->destroy(taker->sink);
    taker->sink = NULL;
    return true;
}

static bool write_to_piece(OutputSet *takers, Taker *taker, const Image *image, int64_t frame,
                           int64_t place, Diag *diag)
{
    if (checkpoint_has(takers->state, taker->index, place))
        return true;
    if (!taker->sink && !begin_piece(takers, taker, place / takers->film->segment_frames, diag))
        return false;
    return kind_of(taker)->write(taker->sink, image, frame, diag) &&
           (--taker->left || end_piece(taker, diag));
}

/* ---- pictures ---- */

static bool write_picture(const OutputSet *takers, Taker *taker, const Image *image, int64_t frame,
                          int64_t place, FrameReceipt *note, Diag *diag)
{
    const SinkKind *kind = taker->output->kind;
    if (!film_output_takes(taker->output, frame))
        return true;
    if (kind->record && takers->state && checkpoint_has(takers->state, taker->index, place))
        return true;
    if (!kind->write(taker->sink, image, frame, diag))
        return false;
    if (kind->record && note) {
        note->taken |= 1u << taker->index;
        note->records[taker->index] = kind->record(taker->sink);
    }
    return true;
}

bool output_set_write(OutputSet *takers, const Image *image, int64_t frame, FrameReceipt *note,
                      Diag *diag)
{
    const int64_t place = takers->state ? film_index_of(takers->film, frame) : 0;
    for (size_t i = 0; i < takers->count; i++) {
        Taker *taker = &takers->items[i];
        if (!(taker->pieces ? write_to_piece(takers, taker, image, frame, place, diag)
                            : write_picture(takers, taker, image, frame, place, note, diag)))
            return false;
    }
    return true;
}

/* Stills are looked at by main, which knows all of them. */
bool output_set_finish(OutputSet *takers, Diag *diag)
{
    for (size_t i = 0; i < takers->count; i++) {
        const Taker *taker = &takers->items[i];
        if (!taker->pieces && !taker->output->kind->finish(taker->sink, diag))
            return false;
    }
    return true;
}

/* ---- what is left to do, what is left behind ---- */

bool output_set_needs(const Film *film, const Checkpoint *state, int64_t place)
{
    if (!state)
        return true;
    for (size_t i = 0; i < film->output_count; i++)
        if (!checkpoint_has(state, i, place))
            return true;
    return false;
}

void output_set_sweep(const Film *film, const Checkpoint *state, long pid)
{
    for (size_t i = 0; i < film->output_count; i++)
        file_remove_temporaries(film->outputs[i].options.file, pid);
    if (!state)
        return;
    Arena *arena = arena_create();
    file_remove_temporaries(arena_printf(arena, "%s/piece/%%", checkpoint_folder_of(state)), pid);
    arena_destroy(arena);
}
