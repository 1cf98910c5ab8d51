// SPDX-License-Identifier: MIT
#include "evaluate/physics/soft_bullet.hpp"

#include "evaluate/physics/bullet_values.hpp"

extern "C" {
#include "evaluate/skin.h"
}

namespace
{

/* A node farther than this factor of its maximal distance from its holder is pulled back. */
const btScalar LEASH = btScalar(1.5);
/* Limits of parameters in a file. */
const float MOST_FORCE = 1e5f, MOST_MARGIN = 10, MIN_MASS = 1e-9f;
/* Bullet divides the pressure by the volume. */
const btScalar MIN_VOLUME = 1e-6f;
const int MAX_ITERATIONS = 64, MOST_CLUSTERS = 64, CLUSTER_ROUNDS = 64;
/* MMD units per second; far above any dance. */
const btScalar MOST_SPEED = 1e4f;

/* The twelve and six numbers of a soft body's settings, in file order. */
enum { VCF, DP, DG, LF, PR, VC, DF, MT, CHR, KHR, SHR, AHR };
enum { SRHR, SKHR, SSHR, SR_SPLIT, SK_SPLIT, SS_SPLIT };
enum { VELOCITIES, POSITIONS, DRIFT, CLUSTERS };

/* ---- building ---- */

float clamped(float value, float low, float high)
{
    return fminf(fmaxf(value, low), high);
}

float part(float value)
{
    return clamped(value, 0, 1);
}

int iterations(int32_t count, int min)
{
    return count < min ? min : count > MAX_ITERATIONS ? MAX_ITERATIONS : count;
}

/* The format has five models; it lacks the two of Bullet with both lift and drag. */
btSoftBody::eAeroModel::_ aero_model(int32_t number)
{
    using Model = btSoftBody::eAeroModel;
    static const Model::_ models[] = {Model::V_Point, Model::V_TwoSided, Model::V_OneSided,
                                      Model::F_TwoSided, Model::F_OneSided};
    return models[number >= 1 && number <= 4 ? number : 0];
}

void set_config(btSoftBody::Config &c, const PmxSoftBody &file)
{
    const float *v = file.config;
    c.aeromodel = aero_model(file.aero_model);
    c.kVCF = clamped(v[VCF], 0, MOST_FORCE);
    c.kDP = part(v[DP]);
    c.kDG = clamped(v[DG], 0, MOST_FORCE);
    c.kLF = clamped(v[LF], 0, MOST_FORCE);
    c.kPR = clamped(v[PR], -MOST_FORCE, MOST_FORCE);
    c.kVC = clamped(v[VC], 0, MOST_FORCE);
    c.kDF = part(v[DF]);
    c.kMT = part(v[MT]);
    c.kCHR = part(v[CHR]);
    c.kKHR = part(v[KHR]);
    c.kSHR = part(v[SHR]);
    c.kAHR = part(v[AHR]);
    c.kSRHR_CL = part(file.cluster[SRHR]);
    c.kSKHR_CL = part(file.cluster[SKHR]);
    c.kSSHR_CL = part(file.cluster[SSHR]);
    c.kSR_SPLT_CL = part(file.cluster[SR_SPLIT]);
    c.kSK_SPLT_CL = part(file.cluster[SK_SPLIT]);
    c.kSS_SPLT_CL = part(file.cluster[SS_SPLIT]);
    c.viterations = iterations(file.iterations[VELOCITIES], 0);
    c.piterations = iterations(file.iterations[POSITIONS], 1);
    c.diterations = iterations(file.iterations[DRIFT], 0);
    c.citerations = iterations(file.iterations[CLUSTERS], 0);
    c.collisions = btSoftBody::fCollision::SDF_RS | btSoftBody::fCollision::VF_SS;
}

bool has_finite_inertia(const btSoftBody::Cluster &cluster)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(cluster.m_locii[i][k]))
                return false;
    return true;
}

/* Clusters need an inertia, which a single node or a straight line does not have. */
void make_clusters(btSoftBody *body, const PmxSoftBody &file)
{
    const int count = file.cluster_count < 1               ? 1
                      : file.cluster_count > MOST_CLUSTERS ? MOST_CLUSTERS
                                                           : file.cluster_count;
    body->generateClusters(count, CLUSTER_ROUNDS);
    for (int i = 0; i < body->m_clusters.size(); i++)
        if (!has_finite_inertia(*body->m_clusters[i])) {
            body->releaseClusters();
            return;
        }
    body->m_cfg.collisions = btSoftBody::fCollision::CL_RS | btSoftBody::fCollision::CL_SS;
}

/* The rest positions times the scale: they define the lengths of links. */
btSoftBody *make_nodes(const SoftPlan &plan, btSoftBodyWorldInfo &info, const PmxModel &pmx,
                       float scale)
{
    btAlignedObjectArray<btVector3> rest;
    rest.resize(int(plan.node_count));
    for (uint32_t n = 0; n < plan.node_count; n++)
        rest[int(n)] = bounded(vector_of(pmx.vertices[plan.node_vertices[n]].position) * scale);
    return new btSoftBody(&info, int(plan.node_count), &rest[0], nullptr);
}

void connect(btSoftBody *body, const SoftPlan &plan)
{
    btSoftBody::Material *material = body->m_materials[0];
    material->m_kLST = part(plan.file->stiffness[0]);
    material->m_kAST = part(plan.file->stiffness[1]);
    material->m_kVST = part(plan.file->stiffness[2]);
    for (uint32_t i = 0; i < plan.link_count; i++)
        body->appendLink(int(plan.links[i][0]), int(plan.links[i][1]), material);
    for (uint32_t i = 0; i < plan.face_count && plan.file->shape != PMX_SOFT_ROPE; i++) {
        const uint32_t *n = plan.triangles[plan.faces[i]].nodes;
        body->appendFace(int(n[0]), int(n[1]), int(n[2]), material);
    }
    if (plan.file->flags & PMX_SOFT_HYBRID)
        body->randomizeConstraints();
}

/*
 * Does at rest what Bullet would do in the first step, so that links have their rest lengths; and
 * builds the tree of faces by insertion, because Bullet's own builder never ends for a mesh of two
 * components.
 */
void fix_constants(btSoftBody *body)
{
    body->updateConstants();
    body->m_bUpdateRtCst = false;
    for (int i = 0; i < body->m_faces.size(); i++) {
        btSoftBody::Face &face = body->m_faces[i];
        const btVector3 *corners[] = {&face.m_n[0]->m_x, &face.m_n[1]->m_x, &face.m_n[2]->m_x};
        if (body->m_cfg.collisions & btSoftBody::fCollision::VF_SS)
            face.m_leaf = body->m_fdbvt.insert(btDbvtVolume::FromPoints(corners, 3), &face);
    }
}

btVector3 skinned_position(const Soft &soft, const SoftPose &pose, uint32_t node)
{
    ModelState state = {};
    const PmxVertex &vertex = pose.model->pmx.vertices[soft.plan->node_vertices[node]];
    Vec3 position = vec3_load(vertex.position), normal = vec3_load(vertex.normal);
    float at[3];

    state.bones = const_cast<BonePose *>(pose.bones); /* only read */
    skin_vertex(pose.model, &state, &vertex, &position, &normal);
    vec3_store(at, position);
    return bounded(transform_of(pose.placement) * (vector_of(at) * pose.placement.scale));
}

/* ---- after a step ---- */

void keep_above_floor(btSoftBody *body, btSoftBody::Node &node)
{
    const btScalar margin = body->getCollisionShape()->getMargin();
    if (node.m_x.y() >= margin)
        return;
    const btScalar slides = 1 - body->m_cfg.kDF;
    node.m_x.setY(margin);
    node.m_v.setValue(node.m_v.x() * slides, btMax(node.m_v.y(), btScalar(0)),
                      node.m_v.z() * slides);
}

void limit_distance(btSoftBody::Node &node, const btVector3 &holder, btScalar max_distance)
{
    const btVector3 delta = node.m_x - holder;
    const btScalar distance = delta.length();
    if (!(distance > max_distance) || distance <= 0)
        return;
    const btVector3 out = delta / distance;
    node.m_x = holder + out * max_distance;
    node.m_v -= out * btMax(node.m_v.dot(out), btScalar(0));
}

void stand(btSoftBody::Node &node, const btVector3 &at)
{
    node.m_x = node.m_q = at;
    node.m_v.setZero();
    node.m_f.setZero();
}

bool is_number(const btVector3 &v)
{
    return isfinite(v.x()) && isfinite(v.y()) && isfinite(v.z());
}

} // namespace

void soft_build(Soft &soft, btSoftRigidDynamicsWorld &world, const SoftPose &pose, int group,
                int mask)
{
    const SoftPlan &plan = *soft.plan;
    const PmxSoftBody &file = *plan.file;
    const float scale = pose.placement.scale;

    soft.body = make_nodes(plan, world.getWorldInfo(), pose.model->pmx, scale);
    set_config(soft.body->m_cfg, file);
    soft.body->getCollisionShape()->setMargin(clamped(file.margin, 0, MOST_MARGIN) * scale);
    soft.body->setActivationState(DISABLE_DEACTIVATION);
    connect(soft.body, plan);
    /* Bullet distributes the mass evenly; pinned nodes get mass 0, which makes them static. */
    soft.body->setTotalMass(fmaxf(plan.file->mass, MIN_MASS), false);
    for (uint32_t n = 0; n < plan.node_count; n++)
        if (plan.supports[n] == SOFT_PINNED)
            soft.body->setMass(int(n), 0);
    soft.body->setPose(soft.body->m_cfg.kVC > 0, soft.body->m_cfg.kMT > 0);
    if (file.flags & PMX_SOFT_CLUSTERS)
        make_clusters(soft.body, file);
    fix_constants(soft.body);

    for (uint32_t n = 0; n < plan.node_count; n++) {
        stand(soft.body->m_nodes[int(n)], skinned_position(soft, pose, n));
        soft.now[n] = soft.last[n] = soft.body->m_nodes[int(n)].m_x;
    }
    soft.body->updateNormals();
    soft.body->updateBounds();
    world.addSoftBody(soft.body, group, mask);
}

void soft_remove(Soft &soft, btSoftRigidDynamicsWorld &world)
{
    world.removeSoftBody(soft.body);
    delete soft.body;
    soft.body = nullptr;
}

void soft_transform(Soft &soft, const btTransform &delta)
{
    for (uint32_t n = 0; n < soft.plan->node_count; n++) {
        soft.now[n] = bounded(delta * soft.now[n]);
        stand(soft.body->m_nodes[int(n)], soft.now[n]);
    }
}

void soft_set_pins(Soft &soft, const SoftPose &pose, btScalar hz)
{
    for (uint32_t n = 0; n < soft.plan->node_count; n++) {
        btSoftBody::Node &node = soft.body->m_nodes[int(n)];
        if (soft.plan->supports[n] == SOFT_PINNED)
            node.m_v = (skinned_position(soft, pose, n) - node.m_x) * hz;
    }
    soft.body->m_cfg.kPR = clamped(soft.plan->file->config[PR], -MOST_FORCE, MOST_FORCE);
    if (soft.body->m_cfg.kPR != 0 && !(fabsf(soft.body->getVolume()) >= MIN_VOLUME))
        soft.body->m_cfg.kPR = 0;
}

void soft_check_prediction(Soft &soft)
{
    for (int n = 0; n < soft.body->m_nodes.size(); n++) {
        btSoftBody::Node &node = soft.body->m_nodes[n];
        if (!in_world(node.m_x))
            stand(node, bounded(node.m_q));
    }
}

void soft_finish_step(Soft &soft, const SoftPose &pose, bool floor)
{
    const SoftPlan &plan = *soft.plan;
    btSoftBody::tNodeArray &nodes = soft.body->m_nodes;

    for (uint32_t n = 0; n < plan.node_count; n++) {
        btSoftBody::Node &node = nodes[int(n)];
        if (!in_world(node.m_x) || !is_number(node.m_v))
            stand(node, skinned_position(soft, pose, n));
        else if (plan.supports[n] == SOFT_PINNED)
            node.m_x = skinned_position(soft, pose, n);
        else if (node.m_v.length2() > MOST_SPEED * MOST_SPEED)
            node.m_v *= MOST_SPEED / node.m_v.length();
    }
    for (uint32_t n = 0; n < plan.node_count; n++) {
        btSoftBody::Node &node = nodes[int(n)];
        if (plan.supports[n] != SOFT_FREE)
            continue;
        if (isfinite(plan.max_distance[n]))
            limit_distance(node, nodes[int(plan.holder[n])].m_x,
                           plan.max_distance[n] * pose.placement.scale * LEASH);
        if (floor && plan.file->mask != 0)
            keep_above_floor(soft.body, node);
    }
    /* For frames between two ticks. */
    for (uint32_t n = 0; n < soft.plan->node_count; n++) {
        soft.last[n] = soft.now[n];
        soft.now[n] = soft.body->m_nodes[int(n)].m_x;
    }
}

void soft_write_vertices(ClothVertex *out, const Soft &soft, const Placement &placement,
                         float blend)
{
    const SoftPlan &plan = *soft.plan;
    const btTransform back = transform_of(placement).inverse();

    for (uint32_t s = 0; s < plan.side_count; s++)
        soft.normals[s].setZero();
    for (uint32_t t = 0; t < plan.triangle_count; t++) {
        const SoftTriangle &triangle = plan.triangles[t];
        btVector3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = soft.last[triangle.nodes[k]].lerp(soft.now[triangle.nodes[k]], blend);
        const btVector3 normal = (p[1] - p[0]).cross(p[2] - p[0]);
        for (int k = 0; k < 3; k++)
            soft.normals[triangle.sides[k]] += normal;
    }
    for (uint32_t v = 0; v < plan.vertex_count; v++) {
        const uint32_t n = plan.nodes[v];
        const btVector3 at = back * soft.last[n].lerp(soft.now[n], blend) / placement.scale;
        btVector3 normal = back.getBasis() * soft.normals[plan.sides[v]];
        normal.safeNormalize();
        for (int k = 0; k < 3; k++) {
            out[v].position[k] = at[k];
            out[v].normal[k] = normal[k];
        }
    }
}
