/*
 * cloth_topology.h - masses and the springs between them, as a piece of cloth starts
 * (scene/README.md 6)
 *
 * A fabric is woven once, from a grid or from a mesh, and never changes; evaluate/cloth.h moves it.
 * Springs: structural between neighbours, shear over the diagonals of squares, bend to every second
 * neighbour. Every mass weighs the same, and every spring of a kind is equally stiff, as in the
 * note. Lengths in MMD units as in the world, time in seconds.
 */
#ifndef SCENE_CLOTH_TOPOLOGY_H
#define SCENE_CLOTH_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "math/integrator.h"
#include "math/rotation.h"

enum {
    CLOTH_MAX_MASSES = 65536,
    CLOTH_MAX_SUBSTEPS = 64 /* of a tick */
};

/* A mass pinned this much is where its anchor is; one pinned less is pulled towards it. */
static const double CLOTH_FIXED_PIN = 0.999;

/* How cloth behaves: what a user sets. */
typedef struct ClothTuning {
    int integrator;     /* index in INTEGRATORS */
    int step_hz;        /* ticks a second */
    int substeps;       /* steps a tick; 0: as few as are stable */
    bool any_step;      /* take a step that is not stable, too */
    double mass;        /* of each mass */
    double stiffness;   /* of structural springs, force per length */
    double shear, bend; /* of the other springs, as parts of `stiffness` */
    double damping;     /* of springs: 1 lets a spring with its two masses just not swing */
    double drag;        /* force per velocity against the air, of each mass */
    double air;         /* force per area and velocity across it */
    Vec3 gravity;
    Vec3 wind;        /* velocity of the air */
    double gust;      /* how much of the wind comes and goes: 0..1 */
    double contact;   /* stiffness of what it lies on, as a part of `stiffness` */
    double friction;  /* tangential force, as a part of the normal one */
    double thickness; /* how far from a body it comes to lie */
} ClothTuning;

#define CLOTH_TUNING_DEFAULT               \
    ((ClothTuning){.integrator = 1,        \
                   .step_hz = 240,         \
                   .mass = 1,              \
                   .stiffness = 60000,     \
                   .shear = 0.5,           \
                   .bend = 0.1,            \
                   .damping = 0.1,         \
                   .drag = 0.5,            \
                   .air = 1,               \
                   .gravity = {0, -98, 0}, \
                   .contact = 4,           \
                   .friction = 0.3,        \
                   .thickness = 0.15})

typedef struct ClothSpring {
    uint32_t a, b;
    double rest, stiffness, damping;
} ClothSpring;

typedef struct ClothTopology {
    ClothTuning tuning;
    int substeps; /* steps a tick, chosen by cloth_stability_choose_steps */
    uint32_t mass_count;
    Vec3 *rest;   /* [mass_count] the places from which the springs take their length */
    double *pins; /* [mass_count] 0 free .. 1 fixed */
    ClothSpring *springs;
    uint32_t spring_count;
    uint32_t (*faces)[3]; /* each triangle of masses once, for the wind */
    uint32_t face_count;
} ClothTopology;

/* Room for masses, at 0 and free. */
void cloth_topology_init(ClothTopology *topology, const ClothTuning *tuning, uint32_t mass_count,
                         Arena *arena);

/*
 * Springs and faces of columns x rows masses, mass row * columns + column, from where `rest` and
 * `pins` say they are.  closed: the last column is a neighbour of the first.
 */
void cloth_topology_from_grid(ClothTopology *topology, uint32_t columns, uint32_t rows, bool closed,
                              Arena *arena);

/*
 * The same from the triangles of a mesh: edges are structural; an edge that is the longest of both
 * its triangles is a diagonal, and a shear spring as is the other diagonal; over other edges, bend
 * springs join the two opposite masses.  Triangles with a mass twice are left out.
 */
void cloth_topology_from_mesh(ClothTopology *topology, const uint32_t (*triangles)[3],
                              uint32_t count, Arena *arena);

/* Bounds of the cloth's own motions, of any shape it may take, for a mass of 1. */
typedef struct ClothModes {
    double stiffest;      /* square of the highest frequency, contacts included */
    double least_damping; /* of any mode: drag */
    double
        damping_ratio; /* what springs add, along themselves: damping of a mode by its stiffness */
    double most_damping;
} ClothModes;

ClothModes cloth_stability_modes(const ClothTopology *topology);

/* Whether `substeps` a tick keep every mode from growing. */
bool cloth_stability_is_stable(const ClothTopology *topology, const ClothModes *modes,
                               int substeps);

/* Sets fabric->substeps: the tuning's, or the fewest that are stable.  False: told why neither can
 * be. */
bool cloth_stability_choose_steps(ClothTopology *topology, Diag *diag);

/* Stiffness and damper of what cloth lies on. */
double cloth_stability_contact_stiffness(const ClothTuning *tuning);
double cloth_stability_contact_damping(const ClothTuning *tuning);

/* The same of the pull on a mass that is pinned by `pin`. */
double cloth_stability_pull_stiffness(const ClothTuning *tuning, double pin);
double cloth_stability_pull_damping(const ClothTuning *tuning, double pin);

#endif
