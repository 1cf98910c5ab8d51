/*
 * audio_load.h - the sound that a job names: a file of samples, or a song that a synth plays
 */
#ifndef FILM_AUDIO_LOAD_H
#define FILM_AUDIO_LOAD_H

#include "media/sound.h"
#include "job/job.h"

/* Is this the name of a song (.mid, .midi), of notes instead of samples? */
bool audio_is_song(const char *path);

/* Of a song no more is played than its first most_s seconds.  Tells errors at audio->file. */
bool audio_load(Sound *sound, const JobAudio *audio, double most_s, Arena *arena, Diag *diag);

#endif
