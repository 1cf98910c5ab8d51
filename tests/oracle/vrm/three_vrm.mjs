// usage: three_vrm.mjs AVATAR.vrm POSES.json TICKS
//        three_vrm.mjs AVATAR.vrm --weights VERTICES EXPRESSION=WEIGHT...
//
// Judges spring bones, node constraints and weights of expressions with @pixiv/three-vrm, found from the current
// directory. POSES.json is of `odori pose AVATAR.vrm MOTION -r 60`: the humanoid bones of each frame are copied to
// the nodes, everything else is computed here. VERTICES is of `odori pose --vertices` with the same weights of
// expressions. Prints the greatest distances, and fails if one is too large.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const find = createRequire(pathToFileURL(process.cwd() + "/")).resolve;
globalThis.self = globalThis;
const load = (name) => import(pathToFileURL(find(name).replace(/three\.cjs$/, "three.module.js").replace(/three-vrm\.cjs$/, "three-vrm.module.js")));
const THREE = await load("three");
const { GLTFLoader } = await load("three/examples/jsm/loaders/GLTFLoader.js");
const { VRMLoaderPlugin } = await load("@pixiv/three-vrm");

const [avatar, posesFile, ticksText] = process.argv.slice(2);
const UNITS = 12.5, ARM = (38 * Math.PI) / 180, WARM_UP = 60, LIMITS = { humanoid: 1e-5, springs: 1e-4, constraints: 1e-5, weights: 1e-5 };
const bytes = readFileSync(avatar);
const loader = new GLTFLoader();
loader.register((parser) => new VRMLoaderPlugin(parser, { autoUpdateHumanBones: false }));
const gltf = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), "");
const vrm = gltf.userData.vrm, older = vrm.meta.metaVersion === "0";

if (posesFile === "--weights") {
  const data = readFileSync(ticksText);
  const got = new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
  for (const pair of process.argv.slice(5)) vrm.expressionManager.setValue(...pair.split("=").map((v, i) => (i ? Number(v) : v)));
  vrm.expressionManager.update();
  let mesh;
  gltf.scene.traverse((node) => { if (node.isMesh) mesh = node; });
  const rest = mesh.geometry.attributes.position, weights = mesh.morphTargetInfluences;
  let worst = 0;
  for (let i = 0; i < 3 * rest.count; i++) {
    let value = rest.array[i];
    weights.forEach((w, k) => { value += w * mesh.geometry.morphAttributes.position[k].array[i]; });
    worst = Math.max(worst, Math.abs(got[i] - UNITS * value * (i % 3 === 2 ? -1 : 1)));
  }
  console.log(`VRM 1.0 expressions ${process.argv.slice(5).join(" ")}: weights ${weights.map((w) => w.toFixed(3)).join(" ")}, greatest difference of a vertex ${worst.toExponential(2)}`);
  process.exit(worst <= LIMITS.weights ? 0 : 1);
}
const poses = JSON.parse(readFileSync(posesFile, "utf8"));
const toFile = (p) => (older ? new THREE.Vector3(-p[0], p[1], p[2]) : new THREE.Vector3(p[0], p[1], -p[2])).divideScalar(UNITS);
const turnToFile = (q) => (older ? new THREE.Quaternion(q[0], -q[1], -q[2], q[3]) : new THREE.Quaternion(-q[0], -q[1], q[2], q[3]));
const names = { hips: "下半身", spine: "上半身", chest: "上半身2", neck: "首", head: "頭" };
for (const [side, mark] of [["left", "左"], ["right", "右"]])
  for (const [bone, name] of Object.entries({ UpperArm: "腕", LowerArm: "ひじ", Hand: "手首", UpperLeg: "足", LowerLeg: "ひざ", Foot: "足首" }))
    names[side + bone] = mark + name;

const indexOf = new Map(poses.bones.map((b) => [b.name, b.i]));
const human = Object.entries(names).map(([bone, name]) => ({ node: vrm.humanoid.getRawBoneNode(bone), index: indexOf.get(name), bone }));
const others = poses.bones.filter((b) => !Object.values(names).includes(b.name)).map((b) => ({ node: null, index: b.i, name: b.name }));
gltf.scene.traverse((node) => others.forEach((o) => { if (o.name.replaceAll(" ", "_") === node.name && !(node.isMesh)) o.node = node; }));

// Rotations from the A-pose back to the T-pose, in which the nodes are at rest.
const armTurn = (bone) => {
  if (!/Arm|Hand/.test(bone)) return new THREE.Quaternion();
  const side = bone.startsWith("left") ? -1 : 1;
  return turnToFile([0, 0, Math.sin((side * ARM) / 2), Math.cos(ARM / 2)]);
};
// The bones of MMD have world axes at rest, and so have these nodes.
function pose(frame) {
  const world = new Map();
  for (const h of human) {
    const b = frame.bones[h.index];
    const turn = turnToFile(b.slice(3)).multiply(armTurn(h.bone));
    world.set(h.node, turn);
    let above = h.node.parent;
    while (above && !world.has(above)) above = above.parent;
    h.node.quaternion.copy(above ? world.get(above).clone().invert().multiply(turn) : turn);
    if (h.bone === "hips") { // 下半身 is at the place of the spine
      const spine = vrm.humanoid.getRawBoneNode("spine").position;
      h.node.position.copy(toFile(b).sub(spine.clone().applyQuaternion(turn)));
    }
    h.node.updateMatrix();
  }
  gltf.scene.updateMatrixWorld(true);
  vrm.nodeConstraintManager?.update();
  gltf.scene.updateMatrixWorld(true);
}

const greatest = { humanoid: [0, ""], constraints: [0, ""], springs: [0, ""] };
const swings = new Set();
vrm.springBoneManager.joints.forEach((j) => swings.add(j.bone));
const isBelow = (node, set) => { for (let n = node; n; n = n.parent) if (set.has(n)) return true; return false; };
// More accurate than angleTo, which takes the arc cosine of nearly 1.
function angleBetween(a, b) {
  const p = a.toArray(), q = b.toArray();
  return 2 * Math.min(Math.hypot(...p.map((v, i) => v - q[i])), Math.hypot(...p.map((v, i) => v + q[i])));
}
function note(kind, value, where) {
  if (value > greatest[kind][0] || Number.isNaN(value)) greatest[kind] = [value, where];
}
function compare(tick, frame) {
  const at = new THREE.Vector3(), turn = new THREE.Quaternion(), scale = new THREE.Vector3();
  gltf.scene.updateMatrixWorld(true);
  for (const h of human) {
    if (h.bone === "hips") continue;
    h.node.matrixWorld.decompose(at, turn, scale);
    note("humanoid", at.distanceTo(toFile(frame.bones[h.index])) * UNITS, `${h.bone} at tick ${tick}`);
  }
  for (const o of others) {
    if (!o.node || !isBelow(o.node, new Set(human.map((h) => h.node)))) continue;
    o.node.matrixWorld.decompose(at, turn, scale);
    const kind = isBelow(o.node, swings) ? "springs" : "constraints";
    note(kind, at.distanceTo(toFile(frame.bones[o.index])) * UNITS, `${o.name} at tick ${tick}`);
    if (kind === "constraints") {
      // Rotations: from rest to now, in the world.
      if (!o.rest) continue;
      const now = turn.clone().multiply(o.rest.clone().invert());
      note(kind, angleBetween(now, turnToFile(frame.bones[o.index].slice(3))), `${o.name} (radians) at tick ${tick}`);
    }
  }
}

gltf.scene.updateMatrixWorld(true);
for (const o of others) {
  if (!o.node) continue;
  o.rest = o.node.getWorldQuaternion(new THREE.Quaternion());
  for (let n = o.node; n; n = n.parent) {
    const arm = human.find((h) => h.node === n && /Arm|Hand/.test(h.bone));
    if (arm) { o.rest.premultiply(armTurn(arm.bone)); break; }
  }
}
// three-vrm 3.5.5 measures the length of a bone to where its child was before the bone above moved; the specification
// has a constant length.
vrm.springBoneManager.joints.forEach((joint) => {
  if (!process.env.THREE_VRM_LENGTHS)
    joint._calcWorldSpaceBoneLength = () => { joint._worldSpaceBoneLength = joint.initialLocalChildPosition.length(); };
});
const ticks = Math.min(Number(ticksText), poses.frames.length - 1);
pose(poses.frames[0]);
vrm.springBoneManager.reset();
for (let i = 0; i < WARM_UP; i++) vrm.springBoneManager.update(1 / 60);
compare(0, poses.frames[0]);
for (let tick = 1; tick <= ticks; tick++) {
  pose(poses.frames[tick]);
  vrm.springBoneManager.update(1 / 60);
  compare(tick, poses.frames[tick]);
}
let bad = false;
for (const [kind, [value, where]] of Object.entries(greatest)) {
  if (!where) continue;
  const fails = !(value <= LIMITS[kind]);
  bad ||= fails;
  console.log(`${older ? "VRM 0.x" : "VRM 1.0"} ${kind}: greatest difference ${value.toExponential(2)} (${where})${fails ? `, more than ${LIMITS[kind]}` : ""}`);
}
process.exit(bad ? 1 : 0);
