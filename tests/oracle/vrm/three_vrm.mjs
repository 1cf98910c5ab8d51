// SPDX-License-Identifier: MIT
// usage: three_vrm.mjs AVATAR.vrm POSES.json TICKS [VERTICES [EXPRESSION=WEIGHT...]]
//
// Judges bones, spring bones, node constraints, expressions and vertices of any avatar with @pixiv/three-vrm, found from
// the current directory. POSES.json is of `odori pose AVATAR.vrm MOTION -r 60`: the rotations of the humanoid bones of
// each frame are copied to the nodes, everything else is computed here. VERTICES is of `odori pose --vertices` of the
// last frame, with these weights of expressions. Prints the greatest distances in MMD units (angles in radians), and
// fails if one is too large.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const find = createRequire(pathToFileURL(process.cwd() + "/")).resolve;
globalThis.self = globalThis;
const load = (name) => import(pathToFileURL(find(name).replace(/three\.cjs$/, "three.module.js").replace(/three-vrm\.cjs$/, "three-vrm.module.js")));
const THREE = await load("three");
const { GLTFLoader } = await load("three/examples/jsm/loaders/GLTFLoader.js");
const { VRMLoaderPlugin } = await load("@pixiv/three-vrm");

const [avatar, posesFile, ticksText, verticesFile, ...expressions] = process.argv.slice(2);
const UNITS = 12.5, ARM = (38 * Math.PI) / 180, WARM_UP = 60;
const LIMITS = { humanoid: 1e-4, springs: 1e-3, constraints: 1e-4, others: 1e-4, vertices: 1e-3 };
const bytes = readFileSync(avatar);
const loader = new GLTFLoader();
loader.register((parser) => new VRMLoaderPlugin(parser, { autoUpdateHumanBones: false }));
loader.register(() => ({ name: "no pictures", loadTexture: async () => new THREE.Texture() }));
const gltf = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), "");
const vrm = gltf.userData.vrm, json = gltf.parser.json, older = vrm.meta.metaVersion === "0";
const poses = JSON.parse(readFileSync(posesFile, "utf8"));
const toFile = (p) => (older ? new THREE.Vector3(-p[0], p[1], p[2]) : new THREE.Vector3(p[0], p[1], -p[2])).divideScalar(UNITS);
const turnToFile = (q) => (older ? new THREE.Quaternion(q[0], -q[1], -q[2], q[3]) : new THREE.Quaternion(-q[0], -q[1], q[2], q[3]));

// ---- nodes and their bones ----

const names = { hips: "下半身", spine: "上半身", chest: "上半身2", upperChest: "上半身3", neck: "首", head: "頭", jaw: "あご" };
for (const [side, mark] of [["left", "左"], ["right", "右"]]) {
  for (const [bone, name] of Object.entries({ Shoulder: "肩", UpperArm: "腕", LowerArm: "ひじ", Hand: "手首", UpperLeg: "足D", LowerLeg: "ひざD", Foot: "足首D", Toes: "足先EX", Eye: "目" }))
    names[side + bone] = mark + name;
  for (const [finger, name] of Object.entries({ Index: "人指", Middle: "中指", Ring: "薬指", Little: "小指" }))
    ["Proximal", "Intermediate", "Distal"].forEach((part, i) => (names[side + finger + part] = mark + name + "１２３"[i]));
  ["ThumbMetacarpal", "ThumbProximal", "ThumbDistal"].forEach((part, i) => (names[side + part] = mark + "親指" + "０１２"[i]));
}
const objects = []; // of the nodes of the file
gltf.scene.traverse((object) => {
  const at = gltf.parser.associations.get(object)?.nodes;
  if (at !== undefined && !objects[at]) objects[at] = object;
});
const humanOf = new Map(Object.keys(names).map((bone) => [vrm.humanoid.getRawBoneNode(bone), bone]));
humanOf.delete(null);
// Bones are in the order of the nodes, each after its parent; some have been added, some nodes have none.
const joints = [];
let next = 0;
function visit(index) {
  const object = objects[index], human = object && humanOf.get(object);
  const wanted = human ? names[human] : json.nodes[index].name ?? "";
  const found = poses.bones.findIndex((b, i) => i >= next && b.name === wanted);
  if (object && found >= 0) {
    joints.push({ object, human, index: found, name: wanted });
    next = found + 1;
  }
  for (const child of json.nodes[index].children ?? []) visit(child);
}
const children = new Set(json.nodes.flatMap((n) => n.children ?? []));
json.nodes.forEach((_, i) => children.has(i) || visit(i));
const human = joints.filter((j) => j.human), others = joints.filter((j) => !j.human);

// ---- rest ----

gltf.scene.updateMatrixWorld(true);
const place = (bone) => vrm.humanoid.getRawBoneNode(bone)?.getWorldPosition(new THREE.Vector3());
// How an arm was turned from the T-pose of the file to the A-pose, about the axis to the front.
function turnOf(side) {
  const from = place(side + "UpperArm"), to = place(side + "Hand");
  if (!from || !to) return new THREE.Quaternion();
  const d = to.sub(from).multiply(new THREE.Vector3(older ? -1 : 1, 1, 1));
  const angle = (ARM - Math.atan2(-d.y, Math.abs(d.x))) * (d.x < 0 ? 1 : -1);
  return turnToFile([0, 0, Math.sin(angle / 2), Math.cos(angle / 2)]);
}
const arms = { left: turnOf("left"), right: turnOf("right") };
for (const j of joints) {
  // From the rotation of a bone, which has world axes at rest in the A-pose, to that of the node.
  j.toNode = j.object.getWorldQuaternion(new THREE.Quaternion());
  for (let n = j.object; n; n = n.parent) {
    const arm = /^(left|right)UpperArm$/.exec(humanOf.get(n) ?? "");
    if (arm) j.toNode.premultiply(arms[arm[1]]);
  }
}
const hips = human.find((j) => j.human === "hips"), spine = vrm.humanoid.getRawBoneNode("spine");
const spineFromHips = spine ? place("spine").sub(place("hips")) : new THREE.Vector3();

function pose(frame) {
  for (const j of human) {
    const b = frame.bones[j.index], turn = turnToFile(b.slice(3)), world = turn.clone().multiply(j.toNode);
    const above = j.object.parent.getWorldQuaternion(new THREE.Quaternion());
    j.object.quaternion.copy(above.invert().multiply(world)).normalize();
    if (j === hips) // 下半身 is at the place of the spine
      j.object.position.copy(j.object.parent.worldToLocal(toFile(b).sub(spineFromHips.clone().applyQuaternion(turn))));
    j.object.updateMatrix();
    j.object.updateMatrixWorld(true);
  }
  vrm.nodeConstraintManager?.update();
  gltf.scene.updateMatrixWorld(true);
}

// ---- comparison ----

const greatest = { humanoid: [0, ""], constraints: [0, ""], springs: [0, ""], others: [0, ""], vertices: [0, ""] };
const counts = { humanoid: human.length, constraints: 0, springs: 0, others: 0, vertices: 0 };
const swings = new Set(), constrained = new Set();
vrm.springBoneManager?.joints.forEach((j) => swings.add(j.bone));
vrm.nodeConstraintManager?.constraints.forEach((c) => constrained.add(c.destination));
const isBelow = (node, set) => { for (let n = node; n; n = n.parent) if (set.has(n)) return true; return false; };
const hipsSet = new Set([hips.object]);
for (const j of others) {
  j.kind = isBelow(j.object, swings) ? "springs" : isBelow(j.object, constrained) ? "constraints" : "others";
  if (!isBelow(j.object, hipsSet)) j.kind = null;
  else counts[j.kind]++;
}
// More accurate than angleTo, which takes the arc cosine of nearly 1.
function angleBetween(a, b) {
  const p = a.toArray(), q = b.toArray();
  return 2 * Math.min(Math.hypot(...p.map((v, i) => v - q[i])), Math.hypot(...p.map((v, i) => v + q[i])));
}
function note(kind, value, where) {
  if (value > greatest[kind][0] || Number.isNaN(value)) greatest[kind] = [value, where];
}
function compare(tick, frame) {
  const at = new THREE.Vector3();
  gltf.scene.updateMatrixWorld(true);
  for (const j of joints) {
    const kind = j.human ? "humanoid" : j.kind;
    if (!kind || j === hips) continue;
    j.object.getWorldPosition(at);
    note(kind, at.distanceTo(toFile(frame.bones[j.index])) * UNITS, `${j.name} at tick ${tick}`);
    if (kind === "constraints")
      note(kind, angleBetween(j.object.getWorldQuaternion(new THREE.Quaternion()), turnToFile(frame.bones[j.index].slice(3)).multiply(j.toNode)), `${j.name} (radians) at tick ${tick}`);
  }
}

// The vertices that odori has: of the meshes in the order of their nodes, as triangles name them first.
function compareVertices() {
  const data = readFileSync(verticesFile);
  const got = new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
  const only = older
    ? new Set((json.extensions.VRM.firstPerson?.meshAnnotations ?? []).filter((a) => /^FirstPersonOnly$/i.test(a.firstPersonFlag)).map((a) => a.mesh))
    : new Set((json.extensions.VRMC_vrm.firstPerson?.meshAnnotations ?? []).filter((a) => a.type === "firstPersonOnly").map((a) => json.nodes[a.node].mesh));
  const v = new THREE.Vector3();
  let at = 0;
  json.nodes.forEach((node, i) => {
    if (node.mesh === undefined || only.has(node.mesh) || !objects[i]) return;
    const meshes = [];
    objects[i].traverse((o) => { if (o.isMesh && gltf.parser.associations.get(o)?.meshes === node.mesh) meshes.push(o); });
    meshes.sort((a, b) => gltf.parser.associations.get(a).primitives - gltf.parser.associations.get(b).primitives);
    for (const mesh of meshes) {
      if (mesh.userData.outline) continue;
      const seen = new Set(), index = mesh.geometry.index, count = index ? index.count : mesh.geometry.attributes.position.count;
      if (mesh.isSkinnedMesh) mesh.skeleton.update();
      for (let k = 0; k < count - (count % 3); k++) {
        const source = index ? index.getX(k) : k;
        if (seen.has(source)) continue;
        seen.add(source);
        mesh.getVertexPosition(source, v);
        v.applyMatrix4(mesh.matrixWorld);
        const mine = toFile(got.subarray(at, at + 3));
        note("vertices", v.distanceTo(mine) * UNITS, `vertex ${at / 3} of node ${i}`);
        at += 3;
      }
    }
  });
  counts.vertices = at / 3;
  if (at !== got.length) note("vertices", NaN, `${at / 3} vertices, odori has ${got.length / 3}`);
}

// three-vrm 3.5.5 measures the length of a bone to where its child was before the bone above moved; the specification
// has a constant length.
vrm.springBoneManager?.joints.forEach((joint) => {
  if (!process.env.THREE_VRM_LENGTHS)
    joint._calcWorldSpaceBoneLength = () => { joint._worldSpaceBoneLength = joint.initialLocalChildPosition.length(); };
});
const ticks = Math.min(Number(ticksText), poses.frames.length - 1);
pose(poses.frames[0]);
vrm.springBoneManager?.reset();
for (let i = 0; i < WARM_UP; i++) vrm.springBoneManager?.update(1 / 60);
compare(0, poses.frames[0]);
for (let tick = 1; tick <= ticks; tick++) {
  pose(poses.frames[tick]);
  vrm.springBoneManager?.update(1 / 60);
  compare(tick, poses.frames[tick]);
}
if (verticesFile) {
  for (const pair of expressions) {
    const at = pair.lastIndexOf("=");
    vrm.expressionManager.setValue(pair.slice(0, at), Number(pair.slice(at + 1)));
  }
  vrm.expressionManager?.update();
  compareVertices();
}
let bad = false;
for (const [kind, [value, where]] of Object.entries(greatest)) {
  if (!counts[kind]) continue;
  const fails = !(value <= LIMITS[kind]);
  bad ||= fails;
  console.log(`${older ? "VRM 0.x" : "VRM 1.0"} ${kind} (${counts[kind]})${kind === "vertices" && expressions.length ? ` with ${expressions.join(" ")}` : ""}: greatest difference ${value.toExponential(2)}${where ? ` (${where})` : ""}${fails ? `, more than ${LIMITS[kind]}` : ""}`);
}
process.exit(bad ? 1 : 0);
