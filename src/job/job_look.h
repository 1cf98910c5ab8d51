/*
 * job_look.h - the section `look` of a job: lens and light (options_look.c describes the keys)
 *
 * Each part is NULL if the job does not have it; frames are then as without the section.
 */
#ifndef JOB_JOB_LOOK_H
#define JOB_JOB_LOOK_H

#include <stddef.h>

typedef struct JobGrade {
    const char *lut; /* or NULL */
    double lut_strength, exposure_ev, temperature, contrast, saturation, vignette, grain;
} JobGrade;

typedef struct JobAccumulate {
    int samples;
    double shutter_deg;
} JobAccumulate;

typedef struct JobFocus {
    double aperture;
    double distance;   /* NaN: that of the bone */
    const char *model; /* id; NULL: the first one */
    const char *bone;  /* NULL: an eye, the head, or the camera's target */
} JobFocus;

typedef struct JobGlow {
    double strength, size;
    const char **materials;
    size_t material_count;
} JobGlow;

typedef struct JobDiffusion {
    int blend; /* DiffusionBlend */
    double strength, size;
} JobDiffusion;

typedef struct JobSsao {
    double strength, radius;
} JobSsao;

typedef struct JobMirror {
    double strength, height, blur;
} JobMirror;

typedef struct JobGroundShadow {
    double angle_deg;
} JobGroundShadow;

typedef struct JobLook {
    JobAccumulate *accumulate;
    JobFocus *focus;
    JobMirror *mirror;
    JobGroundShadow *ground_shadow;
    JobSsao *ssao;
    JobGlow *glow;
    JobDiffusion *diffusion;
    JobGrade *grade;
} JobLook;

#endif
