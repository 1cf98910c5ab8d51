/*
 * sheet.h - a contact sheet: small pictures in rows, each with its frame and time under it
 *
 *   gap | picture | gap | picture | gap        cells are counted from the left of the top row
 *       | frame 0  0:00.00 | ...               and lie `gap` apart; a strip for the label, of
 *   gap | picture | ...                        13 letter pixels, is under each
 *
 * Positions and letters follow from the spec alone, so a sheet is the same wherever it is made.
 */
#ifndef OUTPUT_SHEET_H
#define OUTPUT_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/image.h"

typedef struct SheetSpec {
    int columns, rows;
    int cell_width, cell_height; /* of a picture, pixels */
    int fps_num, fps_den;
    int64_t last_frame; /* the largest number that will be written */
} SheetSpec;

typedef struct SheetLayout {
    int width, height; /* of the sheet */
    int scale;         /* pixels of the sheet per pixel of a letter */
    int gap, strip;
    int form; /* how much the labels say, see sheet_label */
} SheetLayout;

/* How much a label says, from the most to the least: "frame 1234  0:41.13", "1234  0:41.13",
 * "1234",
 * "". */
enum { SHEET_FORMS = 4, SHEET_LABEL_SIZE = 64 };

/* The largest letters that suit the cells, and the fullest label that fits under the narrowest.
 * False when the sheet would be wider or higher than IMAGE_MAX_SIDE. */
bool sheet_layout(SheetLayout *layout, const SheetSpec *spec);

/* Time is minutes:seconds, rounded to 1/100 s. */
void sheet_label(char *out, size_t size, const SheetSpec *spec, int form, int64_t frame);

/* Fills the sheet, whose pixels are the caller's, with the background. */
void sheet_clear(Image *sheet);

/* Copies a picture of the spec's size into a cell (alpha is dropped) and writes its label. */
void sheet_draw_cell(Image *sheet, const SheetLayout *layout, const SheetSpec *spec, int cell,
                     const Image *picture, int64_t frame);

#endif
