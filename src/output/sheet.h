// SPDX-License-Identifier: MIT
/*
 * sheet.h - a contact sheet: small images in rows, each with its frame number and time below
 *
 *   gap | image | gap | image | gap        cell 0 is at the left of the top row; cells have a
 *       | frame 0  0:00.00 | ...           distance of `gap`; below each is a label, 13 font
 *   gap | image | ...                      pixels high
 *
 * The layout depends on the spec alone, so the size of a sheet is the same on every machine,
 * whatever font its labels have.  Values only.
 */
#pragma once

#include "base/image.h"
#include "typesetting/font.h"

typedef struct SheetSpec {
    int columns, rows;
    int cell_width, cell_height; /* size of an image, pixels */
    int fps_num, fps_den;
    int64_t last_frame; /* the largest frame number of a label; negative: no labels */
} SheetSpec;

typedef struct SheetLayout {
    int width, height; /* size of the sheet, pixels */
    int scale;         /* pixels of the sheet per pixel of the built-in font */
    int gap, label_height;
    int label_form; /* see sheet_label */
} SheetLayout;

/* Forms of a label, from the longest: "frame 1234  0:41.13", "1234  0:41.13", "1234", "". */
enum { SHEET_FORMS = 4, SHEET_LABEL_SIZE = 64 };

/* Selects the longest label that fits the width of a cell, and the font size.  False if the sheet
 * would be wider or higher than IMAGE_MAX_SIDE. */
bool sheet_layout(SheetLayout *layout, const SheetSpec *spec);

/* Time is minutes:seconds, rounded to 1/100 s. */
void sheet_label(char *out, size_t size, const SheetSpec *spec, int form, int64_t frame);

/* Fills the sheet, whose pixels belong to the caller, with the background color. */
void sheet_clear(Image *sheet);

/* The font of the labels: from the sources, or the built-in one if the labels do not fit the cells
 * in it.  NULL after an error. */
Font *sheet_open_font(const SheetLayout *layout, const SheetSpec *spec, const FontSources *sources,
                      Diag *diag);

/* Copies an image of the cell's size into a cell, without alpha, and draws its label. */
void sheet_draw_cell(Image *sheet, const SheetLayout *layout, const SheetSpec *spec, int cell,
                     const Image *image, int64_t frame, Font *font);
