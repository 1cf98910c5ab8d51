// SPDX-License-Identifier: MIT
/*
 * html.h - elements of a page that is both HTML and XML: text, images, contents of files
 *
 * Text comes from models, motions and jobs of strangers: everything that is not a constant of this
 * program is written by these functions.  Markup characters become entities, control characters
 * and bytes that are not UTF-8 visible escapes (base/text_escape.h), and characters that XML does
 * not have '?'.  The caller checks ferror of `out`.
 */
#pragma once

#include <stdio.h>

#include "base/file.h"
#include "base/image.h"

/* Text as the content of an element or as the value of an attribute in double quotes. */
void html_text(FILE *out, const char *text);

/* Text whose line breaks stay, for <pre> and its like; the last line ends with one, too. */
void html_lines(FILE *out, const char *text);

/* fprintf of a text, escaped as a whole; longer texts are cut after 4 KiB. */
void html_printf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* <tag>text</tag>; tag may have attributes: "td class=\"n\"". */
void html_element(FILE *out, const char *tag, const char *text);
void html_element_printf(FILE *out, const char *tag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "data:TYPE;base64,..." */
void html_data_uri(FILE *out, const char *type, Bytes bytes);

typedef struct HtmlImage {
    int width, height; /* pixels */
    Bytes webp;
} HtmlImage;

/* A copy of an image that is at most `width` pixels wide. */
bool html_image_create(HtmlImage *out, const Image *image, int width, Arena *arena, Diag *diag);

/* <img .../>; `alt` describes the image for those who cannot see it. */
void html_image(FILE *out, const HtmlImage *image, const char *alt);
