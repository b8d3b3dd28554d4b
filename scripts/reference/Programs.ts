/** The programs that the reference shows; `BASE` stands for the address of the API. */
export const programs = {
  curl: 'curl "BASE/ping" \\\n  -H "Authorization: Bearer $LIVERY_API_KEY"',
  client: [
    'import { livery } from "@livery/client"',
    "",
    'const client = livery({ baseUrl: "BASE", apiKey: process.env.LIVERY_API_KEY })',
    "const trip = await client.trips.create({",
    '  trip_date: "2031-05-04T09:30:00Z",',
    '  pickup_address: "Airport, Terminal 1",',
    '  dropoff_address: "Grand Hotel",',
    '  customer_name: "Ada Lovelace"',
    "})"
  ].join("\n"),
  verifyInTypeScript: [
    'import { verifyWebhook } from "@livery/client"',
    "",
    "// Throws unless the signature is right and recent.",
    'const event = await verifyWebhook(request.headers["x-service-signature"], rawBody, secret)',
    'if (event.type === "trip.created") console.log(event.data.reference)'
  ].join("\n"),
  verifyInPython: [
    "import hashlib, hmac, time",
    "",
    "def verify(header: str, raw_body: bytes, secret: str) -> None:",
    '    parts = [part.strip().split("=", 1) for part in header.split(",")]',
    '    sent_at = dict(parts)["t"]',
    '    expected = hmac.new(secret.encode(), sent_at.encode() + b"." + raw_body, hashlib.sha256).hexdigest()',
    '    if not any(name == "v1" and hmac.compare_digest(value, expected) for name, value in parts):',
    '        raise ValueError("no signature matches")',
    "    if abs(time.time() - int(sent_at)) > 300:",
    '        raise ValueError("the signature is too old")'
  ].join("\n")
}
