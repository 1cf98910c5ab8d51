// SPDX-License-Identifier: MIT
/*
 * check_film.h - problems of a loaded film that a render would not report
 *
 * Each is of a kind that a person may have meant, or that only this machine has, or is in a sound
 * that no output contains.
 */
#pragma once

#include "base/diag.h"
#include "film/film_types.h"

/*
 * Warns about a sound that ends more than a second before or after the film, and about a model that
 * is loaded twice with the same place and motions.  Opens hardware encoders: error DIAG_RESOURCE
 * where the hardware is missing.
 *
 * returns  false if one of them is an error
 */
bool check_film(const Film *film, Diag *diag);
