#include "job/scene_spec/cloth_spec.h"

#include "base/units.h"

static ClothShapeSpec cloth_shape_spec(const JobClothShape *shape)
{
    const double *r = shape->rotation_deg, radian = RADIANS;
    return (ClothShapeSpec){
        .form = (ClothForm)shape->form,
        .columns = shape->columns,
        .rows = shape->rows,
        .radius = {shape->radius[0], shape->radius[1]},
        .depth = shape->depth,
        .width = shape->width,
        .length = shape->length,
        .thickness = shape->thickness,
        .offset = {shape->offset[0], shape->offset[1], shape->offset[2]},
        .rotation = quat_from_euler_yxz(r[0] * radian, r[1] * radian, r[2] * radian),
        .fixed_edge = (ClothEdge)shape->hold,
        .color = {(float)shape->color[0], (float)shape->color[1], (float)shape->color[2], 1},
        .texture = shape->texture,
        .edge = shape->edge,
    };
}

static Vec3 vector_of(const double v[3], double factor)
{
    return (Vec3){v[0] * factor, v[1] * factor, v[2] * factor};
}

static ClothTuning cloth_tuning(const JobCloth *cloth, const JobPhysics *physics)
{
    return (ClothTuning){
        .integrator = cloth->integrator,
        .step_hz = physics->cloth_hz,
        .substeps = cloth->substeps,
        .any_step = cloth->any_step,
        .mass = cloth->mass,
        .stiffness = cloth->stiffness,
        .shear = cloth->shear,
        .bend = cloth->bend,
        .damping = cloth->damping,
        .drag = cloth->drag,
        .air = cloth->air,
        .gravity = vector_of(physics->gravity, cloth->gravity_scale),
        .gravity_scale = cloth->gravity_scale,
        .inertia = cloth->inertia,
        .wind = vector_of(cloth->wind, 1),
        .gust = cloth->gust,
        .contact = cloth->contact,
        .friction = cloth->friction,
        .thickness = cloth->thickness,
        .self_collision = cloth->self_collision,
    };
}

/* The location of a key of cloth `index`. */
static const DiagLocation *location_of(const Job *job, size_t index, const char *key, Arena *arena)
{
    return job_location(job, arena_printf(arena, "cloth.%zu.%s", index, key), NULL, arena);
}

static void set_pins(ClothSpec *spec, const Job *job, size_t index, Arena *arena)
{
    const JobCloth *cloth = &job->cloth[index];
    const char **pins = arena_array(arena, const char *, cloth->pin.bone_count + 1);
    const DiagLocation **locations =
        arena_array(arena, const DiagLocation *, cloth->pin.bone_count + 1);
    size_t count = 0;
    if (cloth->pin.bone) {
        locations[count] = location_of(job, index, "pin.bone", arena);
        pins[count++] = cloth->pin.bone;
    }
    for (size_t i = 0; i < cloth->pin.bone_count; i++) {
        locations[count] = location_of(job, index, arena_printf(arena, "pin.bones.%zu", i), arena);
        pins[count++] = cloth->pin.bones[i];
    }
    spec->pins = pins;
    spec->pin_locations = locations;
    spec->pin_count = count;
}

static void set_capsules(ClothSpec *spec, const Job *job, size_t index, Arena *arena)
{
    const JobCloth *cloth = &job->cloth[index];
    ClothCapsuleSpec *capsules = arena_array(arena, ClothCapsuleSpec, cloth->capsule_count);
    spec->capsules = capsules;
    for (size_t i = 0; i < cloth->capsule_count; i++) {
        spec->fit_capsules |= cloth->capsules[i].from == NULL;
        if (!cloth->capsules[i].from)
            continue;
        capsules[spec->capsule_count++] = (ClothCapsuleSpec){
            .from = cloth->capsules[i].from,
            .to = cloth->capsules[i].to,
            .radius = cloth->capsules[i].radius,
            .location = location_of(job, index, arena_printf(arena, "capsules.%zu", i), arena)};
    }
}

static ClothSpec cloth_spec(const Job *job, size_t index, Arena *arena)
{
    const JobCloth *cloth = &job->cloth[index];
    ClothSpec spec = {
        .model = cloth->model,
        .material = cloth->material,
        .layer_distance = cloth->lining,
        .bodies = cloth->bodies,
        .floor = cloth->floor,
        .tuning = cloth_tuning(cloth, &job->physics),
        .material_location = location_of(job, index, "material", arena),
        .texture_location = location_of(job, index, "shape.texture", arena),
    };
    set_pins(&spec, job, index, arena);
    set_capsules(&spec, job, index, arena);
    if (cloth->shape)
        spec.shape = cloth_shape_spec(cloth->shape);
    return spec;
}

void cloth_spec_set(SceneSpec *spec, const Job *job, Arena *arena)
{
    ClothSpec *cloths = arena_array(arena, ClothSpec, job->cloth_count);
    for (size_t i = 0; i < job->cloth_count; i++)
        cloths[i] = cloth_spec(job, i, arena);
    spec->cloths = cloths;
    spec->cloth_count = job->cloth_count;
}
