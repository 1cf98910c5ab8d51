# SPDX-License-Identifier: MIT
"""Plays the Job controller of Kubernetes with plain processes.

usage: k8s_controller.py MANIFEST.yaml

Runs the Jobs of a manifest one after another: the command of each index in the working directory of its container,
with no environment but PATH, that of the manifest and JOB_COMPLETION_INDEX.  The first pod of each index of an Indexed
Job is killed when it has written something; like every pod that fails it is replaced, up to the backoff limit.
Checks that the pods comply with the Pod Security Standard "restricted".  Prints the number of killed pods.
"""
import json
import os
import re
import signal
import subprocess
import sys


def one(pattern, text, default=None):
    found = re.search(pattern, text, re.MULTILINE)
    return found.group(1) if found else default


def check_restricted(job):
    for line in ("runAsNonRoot: true", "allowPrivilegeEscalation: false", 'drop: \\["ALL"\\]', "type: RuntimeDefault"):
        if not re.search(f"^ +{line}$", job, re.MULTILINE):
            sys.exit(f"not restricted: {line}")
    if int(one(r"^ +runAsUser: (\d+)$", job, "0")) == 0:
        sys.exit("the pod runs as root")


def start(job, index):
    command = [word.replace("$$", "$") for word in json.loads(one(r"^ +command: (.*)$", job))]
    environment = {"PATH": os.environ["PATH"]}
    environment.update(re.findall(r'^ +- name: (ODORI_\w+)\n +value: "(.*)"$', job, re.MULTILINE))
    if index is not None:
        environment["JOB_COMPLETION_INDEX"] = str(index)
    return subprocess.Popen(command, cwd=json.loads(one(r"^ +workingDir: (.*)$", job)), env=environment,
                            stderr=subprocess.PIPE, start_new_session=True)


def run_index(job, index, backoff):
    killed = 0
    for attempt in range(backoff + 1):
        pod = start(job, index)
        if index is not None and attempt == 0:
            pod.stderr.read(1)
            os.killpg(pod.pid, signal.SIGKILL)
        messages = pod.communicate()[1].decode()
        if pod.returncode == 0:
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
