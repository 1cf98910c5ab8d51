#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: measure.py SECONDS OUT ERR COMMAND...   runs it, ends it after SECONDS; prints "CPU-SECONDS MIB STATUS", of all its processes.

MIB is the largest process.  Status 124: it was ended; 128 + n: it ended by signal n."""
import os
import resource
import signal
import subprocess
import sys

limit, out, err, command = float(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
with open(out, "wb") as stdout, open(err, "wb") as stderr:
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True)
    try:
        status = child.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGTERM)
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        status = 124
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%.1f %d %d" % (usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, 128 - status if status < 0 else status))
