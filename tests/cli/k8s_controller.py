# SPDX-License-Identifier: MIT
"""Plays the Job controller of Kubernetes with plain processes.

usage: k8s_controller.py MANIFEST.yaml

Runs the Jobs of a manifest one after another: the command of each index in the working directory of its container,
with no environment but PATH, that of the manifest and JOB_COMPLETION_INDEX.  The first pod of each index of an Indexed
Job is killed when it has written something, and cannot end before: its next message waits in a full pipe.  Like every
pod that fails it is replaced, up to the backoff limit.
Checks that the pods comply with the Pod Security Standard "restricted".  Prints the number of killed pods.
"""
import array
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import termios
import time

F_SETPIPE_SZ = 1031  # not in the module fcntl before Python 3.10
ROOM = 45  # bytes: enough for one message of progress, not for two


def one(pattern, text, default=None):
    found = re.search(pattern, text, re.MULTILINE)
    return found.group(1) if found else default


def check_restricted(job):
    for line in ("runAsNonRoot: true", "allowPrivilegeEscalation: false", 'drop: \\["ALL"\\]', "type: RuntimeDefault"):
        if not re.search(f"^ +{line}$", job, re.MULTILINE):
            sys.exit(f"not restricted: {line}")
    if int(one(r"^ +runAsUser: (\d+)$", job, "0")) == 0:
        sys.exit("the pod runs as root")


def start(job, index, messages):
    command = [word.replace("$$", "$") for word in json.loads(one(r"^ +command: (.*)$", job))]
    environment = {"PATH": os.environ["PATH"]}
    environment.update(re.findall(r'^ +- name: (ODORI_\w+)\n +value: "(.*)"$', job, re.MULTILINE))
    if index is not None:
        environment["JOB_COMPLETION_INDEX"] = str(index)
    return subprocess.Popen(command, cwd=json.loads(one(r"^ +workingDir: (.*)$", job)), env=environment,
                            stderr=messages, start_new_session=True)


def kill_with_message(pod, pipe, filled):
    available = array.array("i", [0])
    while pod.poll() is None and available[0] <= filled:
        time.sleep(0.01)
        fcntl.ioctl(pipe, termios.FIONREAD, available)
    if pod.returncode is None:
        os.killpg(pod.pid, signal.SIGKILL)


def run_index(job, index, backoff):
    killed = 0
    for attempt in range(backoff + 1):
        pipe, end = os.pipe()
        filled = fcntl.fcntl(end, F_SETPIPE_SZ, 4096) - ROOM if index is not None and attempt == 0 else 0
        os.write(end, bytes(filled))
        pod = start(job, index, end)
        os.close(end)
        if filled:
            kill_with_message(pod, pipe, filled)
        with open(pipe, "rb") as file:
            messages = file.read()[filled:].decode()
        if pod.wait() == 0:
            return killed
        killed += pod.returncode == -signal.SIGKILL
    sys.exit(f"{one('^  name: (.*)$', job)}, index {index}: status {pod.returncode}\n{messages}")


killed = 0
with open(sys.argv[1], encoding="utf-8") as manifest:
    for job in manifest.read().split("\n---\n")[1:]:
        check_restricted(job)
        count = one(r"^  completions: (\d+)$", job)
        backoff = int(one(r"^  backoffLimit(?:PerIndex)?: (\d+)$", job))
        for index in range(int(count)) if count else [None]:
            killed += run_index(job, index, backoff)
print(f"{killed} pods killed")
