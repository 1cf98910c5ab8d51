// SPDX-License-Identifier: MIT
/*
 * wav_fixture.h - sounds as WAV files, and whole files as sounds
 */
#ifndef SUPPORT_WAV_FIXTURE_H
#define SUPPORT_WAV_FIXTURE_H

#include "media/sound.h"

/* Writes 16-bit PCM; samples beyond -1..1 are limited. */
bool wav_fixture_save(const Sound *sound, const char *path, Diag *diag);

bool sound_load_all(Sound *sound, const char *path, Arena *arena, Diag *diag);

#endif
