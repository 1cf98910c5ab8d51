/*
 * music.h - the sound that a job names: a file of samples, or a song that a synth plays
 */
#ifndef JOB_MUSIC_H
#define JOB_MUSIC_H

#include "audio/sound.h"
#include "job/job.h"

/* Is this the name of a song (.mid, .midi), of notes instead of samples? */
bool music_is_song(const char *path);

/* Of a song no more is played than its first most_s seconds.  Tells errors at audio->file. */
bool music_load(Sound *sound, const JobAudio *audio, double most_s, Arena *arena, Diag *diag);

#endif
