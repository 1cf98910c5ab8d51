/*
 * farm_process.h - the child processes of a farm, and what they say to main
 *
 * Every message is one packet of a SOCK_SEQPACKET socket, so none arrives in parts and a closed socket
 * means that the other side is gone.  Only farm.c and farm_process.c use this.
 */
#ifndef JOB_FARM_PROCESS_H
#define JOB_FARM_PROCESS_H

#include <stdatomic.h>
#include <sys/types.h>

#include "job/farm.h"

typedef enum FarmMessageKind {
    FARM_DRAW,    /* main -> worker: slot, frame */
    FARM_DRAWN,   /* worker -> main: slot, frame, times */
    FARM_ENCODE,  /* main -> encoder: slot, frame */
    FARM_ENCODED, /* encoder -> main: slot, frame, times[0] = CPU seconds of the process so far */
    FARM_FINISH,  /* main -> encoder: no more frames */
    FARM_FINISHED,
    FARM_SAID,  /* child -> main: level, problem, text */
    FARM_FAILED, /* child -> main: what was wrong has been said; the child is ending */
    FARM_SPAWN, /* main -> spawner; answered by FARM_SPAWNED with pid and, beside it, a socket;
                 * or with pid -1 and in slot why not (errno) */
    FARM_SPAWNED,
    FARM_REAP,  /* main -> spawner: pid; answered by FARM_REAPED with the wait status in slot */
    FARM_REAPED
} FarmMessageKind;

enum { FARM_TEXT_SIZE = 2048 };

typedef struct FarmMessage {
    int32_t kind; /* FarmMessageKind */
    int32_t slot;
    int64_t frame;
    int32_t level, problem; /* DiagLevel, DiagKind */
    int64_t pid;
    int64_t memory_mib; /* of who answers, when a frame is done */
    double times[FARM_TIMES];
    char text[FARM_TEXT_SIZE];
    _Alignas(8) uint8_t note[FARM_NOTE_SIZE]; /* of FARM_DRAWN */
} FarmMessage;

/* Shared memory: a page with a word to all, then slots of state and picture. */
typedef struct FarmRing {
    atomic_bool *leaving; /* set by main: workers begin no other frame */
    uint8_t *memory;      /* of the slots */
    size_t bytes, slot_bytes, state_bytes; /* bytes: with the first page */
    int slots;
} FarmRing;

uint8_t *farm_ring_state(const FarmRing *ring, int slot);
uint8_t *farm_ring_picture(const FarmRing *ring, int slot);

bool farm_send(int fd, const FarmMessage *message);  /* false: the other side is gone */
bool farm_receive(int fd, FarmMessage *message);     /* likewise */
bool farm_receive_fd(int fd, FarmMessage *message, int *passed);

/* Both never return. `fd` is the child's end. */
_Noreturn void farm_spawner_main(int fd, const FarmSpec *spec, const FarmRing *ring);
_Noreturn void farm_encoder_main(int fd, const FarmSpec *spec, const FarmRing *ring);

#endif
