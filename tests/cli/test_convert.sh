#!/bin/sh
# odori convert: motion capture moves a model as it moved the source.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# A skeleton with the bones of the model gives its own poses back.
ln -s "$ODORI_DEMO" demo
run 0 export demo/figure.pmx demo/dance.vmd --no-physics -o dance.bvh -f m0-m240
run 0 convert dance.bvh --model demo/figure.pmx -o dance.vmd
expect_empty out
expect_empty err
run 0 info dance.vmd
expect_text out '  last_frame: 240'
expect_text out '  property_keys: 1'

if command -v python3 >/dev/null; then
    python3 "$here/bvh_write.py" walk.bvh || fail "no motion"
    run 0 convert walk.bvh --model demo/figure.pmx -o walk.vmd
    run 0 pose demo/figure.pmx walk.vmd --no-physics --frames m0:60:1
    cp out walk.json
    if python3 "$here/limb_check.py" walk.bvh walk.json 0.2 >message 2>&1; then pass; else fail "$(cat message)"; fi
else
    skip "python3, which compares limbs, is not installed"
fi

run 73 convert dance.bvh --model demo/figure.pmx -o dance.vmd
run 0 convert dance.bvh --model demo/figure.pmx -o dance.vmd -y
run 2 convert dance.bvh -o other.vmd
expect_text err '--model MODEL.pmx and -o MOTION.vmd are required'
run 65 convert dance.bvh --model demo/stage.pmx -o other.vmd
expect_text err 'the model has no standard bone for the hips'
sed 's/JOINT 左足/JOINT limb/' dance.bvh >limb.bvh
run 65 convert limb.bvh --model demo/figure.pmx -o other.vmd
expect_text err 'limb.bvh: no joint is known as the left leg'
head -n 40 dance.bvh >cut.bvh
run 65 convert cut.bvh --model demo/figure.pmx -o other.vmd
expect_text err 'cut.bvh:41:1: the file ends; expected'
expect_no_file other.vmd
finish
