// SPDX-License-Identifier: MIT
/*
 * cloth_topology.h - masses of a cloth and the springs between them
 * (scene/cloth/README.md 1)
 *
 * A topology is built once, from a grid or from a mesh, and never changes; evaluate/cloth/cloth.h
 * simulates it. Springs: structural between neighbours, shear over the diagonals of squares, bend
 * to every second neighbour. All masses are equal, and all springs of a kind are equally stiff.
 * Lengths in MMD units of the world, time in seconds.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "math/integrator.h"
#include "math/rotation.h"
#include "scene/cloth/cloth_options.h"

enum { CLOTH_MAX_MASSES = 65536 };

/* A mass with at least this pin is fixed to its anchor; with less it is pulled towards it. */
static const double CLOTH_FIXED_PIN = 0.999;

typedef struct ClothSpring {
    uint32_t a, b;
    double rest, stiffness, damping;
} ClothSpring;

typedef struct ClothTopology {
    ClothTuning tuning;
    int substeps; /* steps per tick, from cloth_stability_choose_steps */
    uint32_t mass_count;
    Vec3 *rest;   /* [mass_count] positions that define the lengths of springs */
    double *pins; /* [mass_count] 0 free .. 1 fixed */
    bool loose; /* pins give way where they pull masses into colliders: they are sewn to nothing */
    ClothSpring *springs;
    uint32_t spring_count;
    uint32_t (*faces)[3]; /* each triangle of masses once, for wind */
    uint32_t face_count;
} ClothTopology;

/* Allocates masses at position 0, not pinned. */
void cloth_topology_init(ClothTopology *topology, const ClothTuning *tuning, uint32_t mass_count,
                         Arena *arena);

/*
 * Springs and faces of columns x rows masses, mass row * columns + column, from `rest` and `pins`.
 * closed: the last column is a neighbour of the first.
 */
void cloth_topology_from_grid(ClothTopology *topology, uint32_t columns, uint32_t rows, bool closed,
                              Arena *arena);

/*
 * The same from the triangles of a mesh: edges are structural; an edge that is the longest of both
 * its triangles is a diagonal, and a shear spring as is the other diagonal; over other edges, bend
 * springs join the two opposite masses.  Degenerate triangles are ignored.
 */
void cloth_topology_from_mesh(ClothTopology *topology, const uint32_t (*triangles)[3],
                              uint32_t count, Arena *arena);

/* Sets topology->substeps: the tuning's, or to the smallest stable number.  False after an error
 * was reported. */
bool cloth_stability_choose_steps(ClothTopology *topology, Diag *diag);

/* Stiffness and damping of contacts. */
double cloth_stability_contact_stiffness(const ClothTuning *tuning);
double cloth_stability_contact_damping(const ClothTuning *tuning);

/* Stiffness and damping of the pull on a mass with this pin. */
double cloth_stability_pull_stiffness(const ClothTuning *tuning, double pin);
double cloth_stability_pull_damping(const ClothTuning *tuning, double pin);
