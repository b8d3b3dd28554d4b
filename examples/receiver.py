# Receives webhooks with the standard library of Python 3.9 or later.
import hashlib, hmac, json, os, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "").encode() or sys.exit("WEBHOOK_SECRET is missing")

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length) if 0 <= length <= 1 << 20 else b""
        t, _, given = self.headers.get("X-Service-Signature", "").removeprefix("t=").partition(",v1=")
        expected = hmac.new(SECRET, t.encode() + b"." + body, hashlib.sha256).hexdigest().encode()
        signed = any([hmac.compare_digest(expected, one.encode()) for one in given.split(",v1=")])
        ok = signed and t.isdecimal() and abs(time.time() - int(t)) <= 300
        self.send_response(204 if ok else 400)
        self.end_headers()
        if ok:
            event = json.loads(body)
            print(event["id"], event["type"], event["data"], flush=True)

ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
