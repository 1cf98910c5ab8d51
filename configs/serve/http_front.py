#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""HTTP in front of `odori serve`: an example, for one user or behind a proxy that knows its users.
    http_front.py SOCKET DIRECTORY [PORT]      DIRECTORY: that of the server, where outputs go
    POST /jobs                {"verb":"still","job":{...},"frames":"30","suffix":"png",
                               "webhook":"http://127.0.0.1:9000/done"}  ->  {"id":"..."}
    GET  /jobs/ID             {"id":..., "events":[...], "result":{...} or null}
    GET  /jobs/ID/file        the output;  DELETE /jobs/ID cancels it"""
import json, re, select, socket, sys, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.request import Request, urlopen

SOCKET, DIRECTORY, PORT = (sys.argv[1:] + ["8080"])[:3]
MAX_BODY, MAX_JOBS, MAX_EVENTS = 1 << 20, 1000, 200
ALLOWED = {"verb", "job", "frames", "set", "preset", "deadline_s", "priority"}
jobs, idle = {}, []

def connect():
    while idle:  # the server draws the next still of a connection fastest
        connection = idle.pop()
        if not select.select([connection[0]], [], [], 0)[0]:  # not closed
            return connection
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(SOCKET)
    return connection, connection.makefile("rb")


def run(job, request, webhook):
    try:
        connection, lines = job["connection"] = connect()
        connection.sendall(json.dumps(request).encode() + b"\n")
        for answer in map(json.loads, lines):
            if "event" in answer:
                job["events"] = job["events"][-MAX_EVENTS:] + [answer["event"]]
            if "result" in answer and answer["id"] == job["id"]:
                job["result"] = answer["result"]
                idle.append((connection, lines))
                break
    except (OSError, IndexError) as error:
        job["result"] = {"ok": False, "code": "connection", "message": str(error)}
    job["result"] = job["result"] or {"ok": False, "code": "connection", "message": "no answer"}
    if webhook:
        body = json.dumps({"id": job["id"], "result": job["result"]}).encode()
        try:
            urlopen(Request(webhook, body, {"Content-Type": "application/json"}), timeout=10).close()
        except (OSError, ValueError) as error:
            print("webhook:", error, file=sys.stderr)


class Handler(BaseHTTPRequestHandler):
    def answer(self, status, value):
        body = value if isinstance(value, bytes) else json.dumps(value).encode() + b"\n"
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def find(self):
        match = re.fullmatch("/jobs/([0-9a-f]{32})(/file)?", self.path)
        return (jobs.get(match[1]), bool(match[2])) if match else (None, False)

    def do_POST(self):
        try:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size)) if 0 < size <= MAX_BODY else {}
        except ValueError:
            body = {}
        if self.path != "/jobs" or not isinstance(body, dict) or not isinstance(body.get("job"), dict) \
                or body.get("verb") not in ("still", "render") \
                or not re.fullmatch("[a-z0-9]{1,5}", str(body.setdefault("suffix", "png"))):
            return self.answer(400, {"error": "POST /jobs with verb still or render, a job, a suffix"})
        ended = [id for id in list(jobs) if jobs[id]["result"]]
        if len(jobs) >= MAX_JOBS and not jobs.pop(ended[0] if ended else "", None):  # its file stays
            return self.answer(503, {"error": "busy"})
        id = uuid.uuid4().hex
        job = jobs[id] = {"id": id, "events": [], "result": None, "file": f"{id}.{body['suffix']}"}
        request = {k: v for k, v in body.items() if k in ALLOWED} | {"id": id, "output": job["file"]}
        Thread(target=run, args=(job, request, body.get("webhook")), daemon=True).start()
        return self.answer(202, {"id": id})

    def do_GET(self):
        job, wants_file = self.find()
        if not job or (wants_file and not (job["result"] or {}).get("ok")):
            return self.answer(404, {"error": "no such job, or it has no file"})
        if not wants_file:
            return self.answer(200, {k: job[k] for k in ("id", "events", "result")})
        with open(f"{DIRECTORY}/{job['file']}", "rb") as file:
            return self.answer(200, file.read())

    def do_DELETE(self):
        job = self.find()[0]
        if job and not job["result"] and "connection" in job:
            cancel = {"id": "cancel", "verb": "cancel", "target": job["id"]}
            job["connection"][0].sendall(json.dumps(cancel).encode() + b"\n")
        return self.answer(200 if job else 404, {})


ThreadingHTTPServer(("127.0.0.1", int(PORT)), Handler).serve_forever()
