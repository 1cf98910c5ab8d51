# SPDX-License-Identifier: MIT
"""Clients of `odori serve`: each check prints a line, "ok" or "FAILED: ...".

    serve_check.py PROGRAM DIRECTORY_OF_THE_DEMO
"""
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

PROGRAM, DEMO = sys.argv[1], sys.argv[2]
MODEL, MOTION = os.path.join(DEMO, "figure.pmx"), os.path.join(DEMO, "dance.vmd")
SMALL = {"render.size": [64, 36], "render.workers": 1}
PATIENCE_S = 600


def check(good, what):
    print("ok" if good else "FAILED: " + what, flush=True)


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")
        self.results, self.outputs, self.events = {}, {}, {}

    def send(self, **request):
        self.raw(json.dumps(request).encode() + b"\n")

    def raw(self, data):
        self.socket.sendall(data)

    def read(self):
        line = json.loads(self.lines.readline())
        if "result" in line:
            self.results.setdefault(line["id"], []).append(line["result"])
        elif "output" in line:
            self.outputs[line["id"]] = line["output"]
        else:
            self.events.setdefault(line["id"], []).append(line["event"])
        return line

    def result(self, id):
        while id not in self.results:
            self.read()
        return self.results[id][0]

    def do(self, **request):
        self.send(**request)
        return self.result(request["id"])

    def close(self):
        self.lines.close()
        self.socket.close()


class Server:
    def __init__(self, *words, path="socket"):
        self.path = path
        self.process = subprocess.Popen([PROGRAM, "serve", "--socket", path, *words])
        while self.process.poll() is None and not self.answers():
            time.sleep(0.02)

    def answers(self):
        """The path exists a moment before the server listens."""
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(self.path) == 0

    def stop(self):
        self.process.terminate()
        return self.process.wait(PATIENCE_S)


def still(id, output, frame="3", **more):
    more.setdefault("set", {})
    more["set"] = {**SMALL, **more["set"]}
    return dict(id=id, verb="still", files=[MODEL, MOTION], frames=frame, output=output, **more)


def endless(id, output):
    return dict(id=id, verb="render", files=[MODEL, MOTION], frames="0-100000", output=output,
                set=SMALL)


def render(output, frame, sets):
    words = [w for k, v in {**SMALL, **sets}.items() for w in ("--set", f"{k}={json.dumps(v)}")]
    subprocess.run([PROGRAM, "render", MODEL, MOTION, "-f", frame, "-o", output, "-q", *words],
                   check=True)


def same(a, b):
    if not (os.path.exists(a) and os.path.exists(b)):
        return False
    with open(a, "rb") as one, open(b, "rb") as other:
        return one.read() == other.read()


def descendants(pid):
    """All processes below one, as (pid, name)."""
    children = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                name, rest = file.read().rsplit(")", 1)
        except OSError:
            continue
        fields = rest.split()
        if fields[0] != "Z":
            children.setdefault(int(fields[1]), []).append((int(entry), name.split("(", 1)[1]))
    found, todo = [], [pid]
    while todo:
        for child in children.get(todo.pop(), []):
            found.append(child)
            todo.append(child[0])
    return found


def wait_for(condition, seconds=PATIENCE_S):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    return condition()


def check_pictures(client):
    """Frames of a film that stays loaded have the bytes of the program."""
    views = [("3", {}), ("3", {"light.color": [0.9, 0.3, 0.2]}), ("9", {}),
             ("9", {"camera.fixed": {"target": [0, 10, 0], "distance": -30}}),
             ("3", {"camera.fixed": {"target": [0, 12, 0], "distance": -20},
                    "light.direction": [1, -1, 0]}),
             ("9", {"camera.rotation_deg": [-10, 40, 0]}), ("9", {}), ("20", {}), ("4", {}),
             ("0-4", {}), ("4", {"light.color": [0.2, 0.9, 0.2]})]
    for i, (frame, sets) in enumerate(views):
        suffix = "mp4" if "-" in frame else "png"
        request = still(f"p{i}", f"warm{i}.{suffix}", frame, set=sets)
        if suffix == "mp4":
            request["verb"] = "render"
        result = client.do(**request)
        check(result["ok"] and result["warm"], f"view {i}: {result}")
        render(f"cold{i}.{suffix}", frame, sets)
        check(same(f"warm{i}.{suffix}", f"cold{i}.{suffix}"), f"view {i}: other bytes")
    check(client.do(id="q", verb="status")["ok"] and client.outputs["q"]["scenes"] == 1,
          f"one film for all views: {client.outputs}")
    check(client.events["p1"][-1]["event"] == "end", "the last event")
    depth = {"outputs.0.pass": "depth"}
    result = client.do(**still("depth", "depth.png", "3", set=depth))
    render("cold-depth.png", "3", depth)
    check(result["ok"] and not result["warm"] and same("depth.png", "cold-depth.png"),
          f"a pass of a film that is loaded: {result}")
    shown = {"titles": [{"text": "A", "frames": "2-8", "fade": 4}],
             "credits": {"show": 9, "lines": ["B"]}}
    for frame in ("3", "7"):
        result = client.do(**still("t" + frame, f"title{frame}.png", frame, set=shown))
        render(f"cold-title{frame}.png", frame, shown)
        check(result["warm"] and same(f"title{frame}.png", f"cold-title{frame}.png"),
              f"a title and credits: {result}")
    other = Client(client.path)
    result = other.do(**still("p", "other.png", "9"))
    check(result["warm"] and same("other.png", "warm6.png"), f"another client: {result}")
    other.close()


def check_inputs(client):
    """A changed input is not drawn from memory."""
    with open(MODEL, "rb") as file:
        model = file.read()
    for name, change in (("a.png", b""), ("b.png", b"damaged")):
        with open("copy.pmx", "wb") as file:
            file.write(change or model)
        request = still("c" + name, name)
        request["files"] = ["copy.pmx", MOTION]
        result = client.do(**request)
        check(result["ok"] == (not change), f"{name}: {result}")
    check(client.results["cb.png"][0]["status"] == 65, "a damaged model has its own status")


def check_verbs(client):
    job = {"version": 1, "models": [{"file": MODEL, "motions": [{"file": MOTION}]}],
           "render": {"size": [64, 36], "workers": 1}, "outputs": [{"file": "job/%05d.png"}]}
    check(client.do(id="check", verb="check", job=job)["ok"] and "check" in client.outputs, "check")
    check(client.do(id="plan", verb="plan", job=job, frames="0-9")["ok"] and "plan" in client.outputs,
          "plan")
    check(client.do(id="info", verb="info", files=[MODEL])["ok"] and "info" in client.outputs, "info")
    check(client.do(id=7, verb="still", job=job, frames=2, output="object.png", priority=3)["ok"],
          "a job as an object")
    result = client.do(id="wrong", verb="check", job={"version": 1, "modells": []})
    check(result["status"] != 0 and result["code"] != "crashed", f"a wrong job: {result}")
    result = client.do(**still("gone", "/proc/x.png"))
    check(not result["ok"] and result["message"], f"an output that cannot be written: {result}")


HOSTILE = [b"", b"x", b"[]", b"{}", b"null", b"1e999", b'{"id":1}', b'{"id":{},"verb":"still"}',
           b'{"id":1,"verb":"stil"}', b'{"id":1,"verb":"still"}', b"\xff\xfe\x00",
           b'{"id":1,"verb":"status","x":1}', b"[" * 4000, b'{"id":1,"verb":"cancel","target":"no"}',
           b'{"id":1,"verb":"still","job":"-","frames":"1","output":"x.png"}',
           b'{"id":1,"verb":"still","job":"a.yaml","frames":"1","output":"/dev/stdout"}',
           b'{"id":1,"verb":"still","job":"a.yaml","frames":"1-5","output":"x.png"}',
           b'{"id":1,"verb":"check","files":["--help"]}', b'{"id":1,"verb":"info","files":[1]}',
           b'{"id":1,"verb":"still","files":[],"frames":"1","output":"x.png"}',
           b'{"id":1,"verb":"render","job":"a.yaml","set":["x"],"output":"x.png"}',
           b'{"id":1,"verb":"check","job":"a.yaml","deadline_s":-1}',
           b'{"id":1,"id":2,"verb":"status"}', b'{"id":"' + b"a" * 200 + b'","verb":"status"}']


def check_lines(path, count):
    """Each hostile line has one answer, which is a refusal, and a long one, too."""
    client, chance = Client(path), random.Random(1)
    expected = 0
    for _ in range(count):
        line = bytearray(chance.choice(HOSTILE))
        if line and chance.random() < 0.3:
            line[chance.randrange(len(line))] = chance.choice(b'{}[]",:\\x\x01')
        client.raw(bytes(line) + b"\n")
        expected += bool(line)
    client.raw(b'{"id":1,"job":"' + b"a" * (3 << 20) + b'"}\n')
    client.send(id="last", verb="status")
    answers = 0
    while "last" not in client.results or answers < expected + 1:  # some lines are valid
        client.read()
        answers = sum(len(r) for id, r in client.results.items() if id != "last")
    refused = sum(not r["ok"] for id, rs in client.results.items() if id != "last" for r in rs)
    check(answers == expected + 1, f"{answers} answers to {expected + 1} lines")
    check(refused > expected * 0.9, f"{refused} of {expected} lines are refused")
    client.close()


def check_cancel(client, server):
    client.send(**endless("long", "long.mp4"))
    wait_for(lambda: any("odori-worker" in name for _, name in descendants(server.process.pid)))
    before = time.monotonic()
    check(client.do(id="stop", verb="cancel", target="long")["ok"], "cancel")
    result = client.result("long")
    took = time.monotonic() - before
    check(result["code"] == "cancelled" and took < 60, f"cancelled after {took:.2f} s: {result}")
    check(wait_for(lambda: not any("odori-worker" in n for _, n in descendants(server.process.pid))),
          "processes of a cancelled request remain")
    check(not [n for n in os.listdir(".") if n.endswith(".tmp")], "a temporary file remains")
    check(not [n for n in os.listdir(".") if "long.mp4" in n], "a record of a cancelled request")
    result = client.do(**endless("late", "late.mp4"), deadline_s=0.5)
    check(result["code"] == "deadline", f"deadline: {result}")


def check_queue(client):
    for i in range(6):
        client.send(**endless(f"b{i}", f"b{i}.mp4"))
    client.send(id="state", verb="status")
    client.result("state")
    busy = [i for i in range(6) if client.results.get(f"b{i}", [{}])[0].get("code") == "busy"]
    # The second one waits, too, while the first one loads the film of both: until then three are accepted, then four.
    check(set(busy) <= {3, 4, 5} and len(busy) >= 2, f"busy: {busy}")
    check(client.do(**endless("b1", "b9.mp4"))["code"] == "bad-request", "an id that is used")
    other = Client(client.path)
    other_result = other.do(id="x", verb="cancel", target="b0")
    check(other_result["status"] == 66, "another client's request")
    other.close()
    accepted = [i for i in range(6) if i not in busy]
    for i in accepted:
        client.send(id=f"s{i}", verb="cancel", target=f"b{i}")
    while any(client.results.get(f"b{i}", [{}])[-1].get("code") != "cancelled" for i in accepted):
        client.read()
    check(len(client.results["b1"]) == 2, "answers to an id that is used")


def check_kills(server, clients, requests, kills):
    """Processes are killed at any moment: no answer is lost, doubled or given to another client."""
    done, failed = threading.Event(), []

    def work(number):
        client = Client(server.path)
        for k in range(requests):
            client.send(**still(f"{number}-{k}", f"k{number}-{k}.png", str(3 + k % 3), overwrite=True))
            result = client.result(f"{number}-{k}")
            if not result["ok"] and result["code"] not in ("crashed", "internal", "resource"):
                failed.append(result)
        if sorted(client.results) != sorted(f"{number}-{k}" for k in range(requests)):
            failed.append("another client's answers")
        if any(len(r) != 1 for r in client.results.values()):
            failed.append("an answer is doubled")
        client.close()

    def kill():
        chance, left = random.Random(2), kills
        while left and not done.is_set():
            found = descendants(server.process.pid)
            if found:
                try:
                    os.kill(chance.choice(found)[0], signal.SIGKILL)
                    left -= 1
                except ProcessLookupError:
                    pass
            time.sleep(chance.random() * 0.4)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(clients)]
    killer = threading.Thread(target=kill)
    for t in threads + [killer]:
        t.start()
    for t in threads:
        t.join()
    done.set()
    killer.join()
    check(not failed, f"after kills: {failed[:3]}")


def check_socket(server):
    code = subprocess.run([PROGRAM, "serve", "--socket", server.path], capture_output=True, text=True)
    check(code.returncode == 73 and "exists" in code.stderr, f"a socket in use: {code}")
    with open("file", "w"):
        pass
    code = subprocess.run([PROGRAM, "serve", "--socket", "file"], capture_output=True, text=True)
    check(code.returncode == 73 and os.path.exists("file"), f"a file in place of a socket: {code}")
    deaf = Client(server.path)
    try:
        deaf.socket.setblocking(False)
        for _ in range(20000):
            deaf.raw(b'{"id":1,"verb":"status"}\n' * 50)
    except BlockingIOError:
        pass
    deaf.socket.settimeout(PATIENCE_S)
    client = Client(server.path)
    check(client.do(id=1, verb="status")["ok"], "a client that reads nothing")
    client.close()
    deaf.close()


def check_streams():
    lines = [still("one", "stdio.png"), {"id": "two", "verb": "status"}]
    text = "\n".join(json.dumps(line) for line in lines)
    # The cache of shaders is empty, so that the demo is drawn first.
    run = subprocess.run([PROGRAM, "serve", "--stdio"], input=text, capture_output=True, text=True,
                         env={**os.environ, "XDG_CACHE_HOME": os.path.abspath("cache")})
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    results = {a["id"]: a["result"]["ok"] for a in answers if "result" in a}
    check(run.returncode == 0 and results == {"one": True, "two": True}, f"--stdio: {run}")
    check(os.path.exists("stdio.png"), "the still of --stdio")


def check_server(server):
    client = Client(server.path)
    client.path = server.path
    check_pictures(client)
    check_inputs(client)
    check_verbs(client)
    check_lines(server.path, int(os.environ.get("SERVE_LINES", "200")))
    check_cancel(client, server)
    check_queue(client)
    check_socket(server)
    client.send(**endless("end", "end.mp4"))
    wait_for(lambda: any("odori-worker" in name for _, name in descendants(server.process.pid)))
    pids = [pid for pid, _ in descendants(server.process.pid)]
    check(server.stop() == -signal.SIGTERM, "the exit status after SIGTERM")
    check(client.result("end")["code"] == "stopped", "a request of a server that stops")
    check(wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids)),
          "processes remain after the server")
    check(not os.path.exists(server.path), "the socket remains")


def main():
    server = Server("--queue", "2", "--parallel", "2")
    try:
        check_server(server)
    finally:
        if server.process.poll() is None:
            server.stop()
    crowd = Server("--queue", "8", "--parallel", "2", path="crowd")
    try:
        check_kills(crowd, *(int(os.environ.get("SERVE_" + name, otherwise)) for name, otherwise in
                             (("CLIENTS", "2"), ("REQUESTS", "3"), ("KILLS", "4"))))
    finally:
        crowd.stop()
    check_streams()


main()
