/*
 * job_look.h - the section `look` of a job: lens and light (options_look.c describes the keys)
 *
 * Each part is NULL if the job does not have it; frames are then as without the section.
 */
#ifndef JOB_JOB_LOOK_H
#define JOB_JOB_LOOK_H

typedef struct JobGrade {
    const char *lut; /* or NULL */
    double lut_strength, exposure_ev, temperature, contrast, saturation, vignette, grain;
} JobGrade;

typedef struct JobLook {
    JobGrade *grade;
} JobLook;

#endif
