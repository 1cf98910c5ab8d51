#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""HTTP in front of `odori serve`: an example, for one user or behind a proxy that knows its users.

    http_front.py SOCKET DIRECTORY [PORT]      DIRECTORY: that of the server, where outputs go
    POST /jobs                {"verb":"still","job":{...},"frames":"30","suffix":"png",
                               "webhook":"http://127.0.0.1:9000/done"}  ->  {"id":"..."}
    GET  /jobs/ID             {"id":..., "events":[...], "result":{...} or null}
    GET  /jobs/ID/file        the output;  DELETE /jobs/ID cancels it"""
import json
import os
import re
import socket
import sys
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.request import Request, urlopen

SOCKET, DIRECTORY = sys.argv[1], sys.argv[2]
MAX_BODY, MAX_JOBS, MAX_EVENTS = 1 << 20, 1000, 200
ALLOWED = {"verb", "job", "frames", "set", "preset", "deadline_s", "priority"}
jobs = {}


def run(job, request, webhook):
    """One connection a job: when it is closed, the server cancels the job."""
    try:
        with job["socket"] as connection:
            connection.connect(SOCKET)
            connection.sendall(json.dumps(request).encode() + b"\n")
            for line in connection.makefile("rb"):
                answer = json.loads(line)
                if "event" in answer:
                    job["events"] = job["events"][-MAX_EVENTS:] + [answer["event"]]
                if "result" in answer:
                    job["result"] = answer["result"]
                    break
    except OSError as error:
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
            body = json.loads(self.rfile.read(size)) if 0 < size <= MAX_BODY else None
        except ValueError:
            body = None
        good = isinstance(body, dict) and body.get("verb") in ("still", "render")
        if self.path != "/jobs" or not good or not isinstance(body.get("job"), dict):
            return self.answer(400, {"error": "POST /jobs with verb still or render and a job"})
        suffix = body.get("suffix", "png")
        if not re.fullmatch(r"[a-z0-9]{1,5}", str(suffix)) or len(jobs) >= MAX_JOBS:
            return self.answer(400 if len(jobs) < MAX_JOBS else 503, {"error": "suffix, or busy"})
        id = uuid.uuid4().hex
        job = {"id": id, "events": [], "result": None, "file": f"{id}.{suffix}",
               "socket": socket.socket(socket.AF_UNIX)}
        jobs[id] = job
        request = {k: v for k, v in body.items() if k in ALLOWED} | {"id": id, "output": job["file"]}
        Thread(target=run, args=(job, request, body.get("webhook")), daemon=True).start()
        return self.answer(202, {"id": id})

    def do_GET(self):
        job, wants_file = self.find()
        if not job or (wants_file and not (job["result"] or {}).get("ok")):
            return self.answer(404, {"error": "no such job, or it has no file"})
        if not wants_file:
            return self.answer(200, {k: job[k] for k in ("id", "events", "result")})
        with open(os.path.join(DIRECTORY, job["file"]), "rb") as file:
            return self.answer(200, file.read())

    def do_DELETE(self):
        job = self.find()[0]
        if job and not job["result"]:
            job["socket"].shutdown(socket.SHUT_RDWR)
        return self.answer(200 if job else 404, {})

PORT = int(sys.argv[3]) if len(sys.argv) > 3 else 8080
ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
