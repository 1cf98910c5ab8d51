// SPDX-License-Identifier: MIT
/*
 * archive_names.h - the encoding of names in an archive that does not say it
 *
 * An archive comes from one computer, so all its names are in one encoding: the one in which most
 * of the files are found that its models name, else the most likely one (base/encoding.h).
 */
#pragma once

#include "base/archive.h"
#include "base/encoding.h"

/* The encoding of those names of `count` files that are not UTF-8; their names are bytes. */
Encoding archive_names_encoding(const ArchiveFile *files, size_t count);
