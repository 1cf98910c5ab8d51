#!/bin/sh
# SPDX-License-Identifier: MIT
# The package configs/python with this program, with NumPy where it is installed, and without; the nodes of configs/comfyui
# with stand-ins for ComfyUI and PyTorch.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

# One with NumPy, if any has it: that of the system may, where another is first in PATH.
python=python3
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import numpy, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    skip 'python3 of version 3.9 is not installed'
    finish
    exit
fi
silent_job
export PYTHONDONTWRITEBYTECODE=1

tests() { # NAME: runs the tests of the package
    if "$python" -m unittest discover -s "$here/../../configs/python/tests" >out 2>&1; then pass; else fail "$1: $(tail -n 30 out)"; fi
}

mkdir without torch
if "$python" -c 'import numpy' 2>/dev/null; then
    tests 'with NumPy'
    echo 'raise ImportError' >torch/torch.py
    if PYTHONPATH=$PWD/torch "$python" "$here/../../configs/comfyui/test_nodes.py" >out 2>&1; then pass; else fail "nodes: $(tail -n 30 out)"; fi
else
    skip 'NumPy is not installed'
fi
echo 'raise ImportError' >without/numpy.py
PYTHONPATH=$PWD/without
export PYTHONPATH
tests 'without NumPy'
finish
