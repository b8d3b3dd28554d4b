import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { readdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { samples } from "../../../integrations/test/files/Samples.ts"
import { Ports } from "../support/Installation.ts"
import { business } from "../support/People.ts"
import { type Answer, openWire, record, refusedAs, type Wire } from "../support/Wire.ts"

const mebibyte = 1024 * 1024

const formOf = (
  ...files: ReadonlyArray<readonly [field: string, bytes: Uint8Array<ArrayBuffer> | string]>
) => {
  const form = new FormData()
  for (const [field, bytes] of files)
    if (typeof bytes === "string") form.append(field, bytes)
    else form.append(field, new Blob([bytes], { type: "text/html" }), "../../evil.html")
  return form
}

const upload = (
  wire: Wire,
  credential: string,
  form: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>
) => wire.send("POST", "/uploads", { credential, form, headers })

/** A form as its bytes, so that a refusal halfway through disturbs nobody who is still writing it. */
const submit = Effect.fnUntraced(function* (
  wire: Wire,
  credential: string,
  form: FormData,
  headers: Record<string, string> = {}
) {
  const response = new Response(form)
  const bytes = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
  return yield* upload(wire, credential, bytes, {
    ...headers,
    "content-type": response.headers.get("content-type") ?? ""
  })
})

const pathOf = (answer: Answer) => new URL(String(record(answer)["url"])).pathname

/** What multipart requests have on this machine's disk: directories with names of six letters. */
const temporary = Effect.promise(async () =>
  (await readdir(tmpdir())).filter((name) => /^[A-Za-z0-9]{6}$/u.test(name))
)

/** Nothing is there that was not: what a request had goes a moment after its answer. */
const assertNothingLeft = (before: ReadonlyArray<string>) =>
  Effect.flatMap(temporary, (now) => {
    const left = now.filter((name) => !before.includes(name))
    return left.length === 0 ? Effect.void : Effect.fail(`Left: ${left.join(", ")}`)
  }).pipe(Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 250 }), TestClock.withLive)

layer(Ports)("POST /uploads", (it) => {
  it.effect("takes pictures and documents, told by their content, and serves them", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const { key } = yield* business(wire)
      for (const [kind, type, disposition] of [
        ["png", "image/png", "inline"],
        ["jpeg", "image/jpeg", "inline"],
        ["webp", "image/webp", "inline"],
        ["pdf", "application/pdf", "attachment"]
      ] as const) {
        const answer = yield* submit(wire, key, formOf(["file", samples[kind]]))
        assert.strictEqual(answer.status, 201)
        const { content_type, size, upload_id, url } = record(answer)
        assert.deepStrictEqual([content_type, size], [type, samples[kind].length])
        assert.isAbove(Number(upload_id), 0)
        assert.match(String(url), /^http:\/\/localhost\/uploads\/[0-9a-f]{40}$/u)
        const path = pathOf(answer)
        // Nobody's credential is asked for.
        const served = yield* wire.sendTo("GET", path)
        assert.strictEqual(served.status, 200)
        const told = (name: string) => served.headers.get(name) ?? ""
        assert.strictEqual(told("content-type"), type)
        assert.strictEqual(told("content-length"), String(samples[kind].length))
        assert.strictEqual(told("x-content-type-options"), "nosniff")
        assert.strictEqual(told("content-security-policy"), "sandbox; default-src 'none'")
        assert.strictEqual(told("cache-control"), "public, max-age=31536000, immutable")
        assert.isTrue(told("content-disposition").startsWith(`${disposition}; filename="`))
        assert.notInclude(told("content-disposition"), "evil")
        const head = yield* wire.sendTo("HEAD", path)
        assert.deepStrictEqual([head.status, head.text], [200, ""])
        for (const name of ["content-type", "content-length", "content-security-policy"])
          assert.strictEqual(head.headers.get(name), told(name), name)
      }
    })
  )

  it.effect("gives back the very bytes", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const { key } = yield* business(wire)
      const large = new Uint8Array(10 * mebibyte).fill(7)
      large.set(samples.png)
      const answer = yield* submit(wire, key, formOf(["file", large]))
      assert.deepInclude(record(answer), { size: 10 * mebibyte, content_type: "image/png" })
      const served = yield* wire.sendTo("GET", pathOf(answer))
      assert.isTrue(Buffer.from(served.bytes).equals(large))
    })
  )

  it.effect("is the business's that sent it", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(wire)
      const { size, upload_id } = record(yield* submit(wire, key, formOf(["file", samples.png])))
      assert.deepStrictEqual(
        yield* sql`SELECT upload_id, content_type, size FROM uploads WHERE business_id = ${businessId}`,
        [{ upload_id, content_type: "image/png", size }]
      )
    })
  )

  it.effect("refuses what is no such file, and keeps nothing of it", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(wire)
      const before = yield* temporary
      const issueOf = (form: FormData) =>
        Effect.map(submit(wire, key, form), (answer) => refusedAs(answer, 422, "invalid_request"))
      for (const kind of ["html", "svg", "gif", "script", "text", "zip"] as const)
        assert.deepStrictEqual(yield* issueOf(formOf(["file", samples[kind]])), [
          { field: "file", issue: "invalid" }
        ])
      for (const form of [
        formOf(),
        formOf(["picture", samples.png]),
        formOf(["file", samples.nothing]),
        formOf(["file", ""])
      ])
        assert.deepStrictEqual(yield* issueOf(form), [{ field: "file", issue: "required" }])
      for (const form of [formOf(["file", samples.png], ["file", samples.png]), formOf(["file", "a text"])])
        assert.deepStrictEqual(yield* issueOf(form), [{ field: "file", issue: "invalid" }])
      assert.deepStrictEqual(yield* sql`SELECT FROM uploads WHERE business_id = ${businessId}`, [])
      yield* assertNothingLeft(before)
    })
  )

  it.effect("refuses more than 10 MiB with 413, however it is put", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const { key } = yield* business(wire)
      const before = yield* temporary
      const large = new Uint8Array(10 * mebibyte + 1)
      large.set(samples.png)
      const parts = Array.from({ length: 30 }, (_, index) => [`part${index}`, "x"] as const)
      for (const form of [
        formOf(["file", large]),
        formOf(["other", new Uint8Array(12 * mebibyte)], ["file", samples.png]),
        formOf(["file", samples.png], ["notes", "x".repeat(2 * mebibyte)]),
        formOf(...parts, ["file", samples.png])
      ])
        refusedAs(yield* submit(wire, key, form), 413, "invalid_request")
      yield* assertNothingLeft(before)
    })
  )

  it.effect("answers whatever it is sent in the envelope, never with a fault", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const { key } = yield* business(wire)
      const before = yield* temporary
      const boundary = "----x"
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`
      const text = (it: string) => new TextEncoder().encode(it)
      const typed = { "content-type": `multipart/form-data; boundary=${boundary}` }
      const bodies: ReadonlyArray<readonly [Uint8Array<ArrayBuffer>, Record<string, string>]> = [
        [text(""), typed],
        [text("nothing of the kind"), typed],
        [text(head), typed],
        [text(`${head}abc`), typed],
        [text(`${head}abc\r\n--${boundary}`), typed],
        [text(`--other\r\n\r\nabc\r\n--other--\r\n`), typed],
        [text(`${head}abc\r\n--${boundary}--`), { "content-type": "multipart/form-data" }],
        [text(`${head}abc\r\n--${boundary}--`), { "content-type": "multipart/form-data; boundary=" }],
        [text(`${head}abc`), { "content-type": "multipart/mixed; boundary=x" }],
        [text(`--${boundary}\r\nX: ${"y".repeat(200_000)}\r\n\r\nabc\r\n--${boundary}--`), typed],
        [text(`--${boundary}\r\n${"X: y\r\n".repeat(20_000)}\r\nabc\r\n--${boundary}--`), typed],
        [text(`--${boundary}\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--${boundary}--`), typed],
        [
          text(
            `--${boundary}\r\nContent-Disposition: form-data; name="__proto__"; filename="\u0000/../../x"\r\n\r\nabc\r\n--${boundary}--`
          ),
          typed
        ],
        [text("{}"), { "content-type": "application/json" }],
        [new Uint8Array(samples.png), { "content-type": "image/png" }],
        [new Uint8Array(samples.png), {}]
      ]
      for (const [index, [bytes, headers]] of bodies.entries()) {
        const answer = yield* upload(wire, key, bytes, headers)
        assert.include([400, 413, 422], answer.status, `${index}: ${answer.fault ?? answer.text}`)
        refusedAs(answer, answer.status, "invalid_request")
      }
      yield* assertNothingLeft(before)
    })
  )

  it.effect("under one Idempotency-Key is kept once, whatever boundary and name the form gives the file", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(wire)
      const before = yield* temporary
      const once = { "Idempotency-Key": "the car's picture" }
      const first = yield* submit(wire, key, formOf(["file", samples.png]), once)
      assert.strictEqual(first.status, 201)
      const renamed = new FormData()
      renamed.append("file", new Blob([samples.png], { type: "image/png" }), "car.png")
      for (const form of [formOf(["file", samples.png]), renamed]) {
        const again = yield* submit(wire, key, form, once)
        assert.deepStrictEqual([again.status, again.body.data], [201, first.body.data])
        assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      }
      assert.strictEqual((yield* sql`SELECT FROM uploads WHERE business_id = ${businessId}`).length, 1)
      yield* assertNothingLeft(before)
    })
  )

  it.effect("under one Idempotency-Key is 409 for another file of the same length, and for other fields", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(wire)
      const before = yield* temporary
      const once = { "Idempotency-Key": "the car's picture" }
      const other = new Uint8Array(samples.png)
      other.set([other[other.length - 1] === 0 ? 1 : 0], other.length - 1)
      const first = yield* submit(wire, key, formOf(["file", samples.png]), once)
      for (const form of [
        formOf(["file", other]),
        formOf(["fil_", samples.png]),
        formOf(["file", samples.png], ["file", samples.png]),
        formOf(["file", samples.png], ["note", "front"])
      ])
        refusedAs(yield* submit(wire, key, form, once), 409, "conflict")
      assert.deepStrictEqual(yield* sql`SELECT upload_id FROM uploads WHERE business_id = ${businessId}`, [
        { upload_id: record(first)["upload_id"] }
      ])
      const kept = yield* submit(wire, key, formOf(["file", other]), { "Idempotency-Key": "its other side" })
      const served = yield* wire.sendTo("GET", pathOf(kept))
      assert.isTrue(Buffer.from(served.bytes).equals(other))
      yield* assertNothingLeft(before)
    })
  )

  it.effect("with an Idempotency-Key is refused as without one", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const { key } = yield* business(wire)
      const before = yield* temporary
      const large = new Uint8Array(10 * mebibyte + 1)
      large.set(samples.png)
      for (const [index, [form, status]] of (
        [
          [formOf(["file", large]), 413],
          [formOf(["file", samples.png], ["notes", "x".repeat(2 * mebibyte)]), 413],
          [formOf(["file", samples.html]), 422],
          [formOf(), 422]
        ] as const
      ).entries()) {
        const answer = yield* submit(wire, key, form, { "Idempotency-Key": `${index}` })
        refusedAs(answer, status, "invalid_request")
      }
      const truncated = new TextEncoder().encode('--x\r\nContent-Disposition: form-data; name="file"')
      for (const type of ["multipart/form-data; boundary=x", "multipart/mixed; boundary=x", "image/png"])
        refusedAs(
          yield* upload(wire, key, truncated, { "content-type": type, "Idempotency-Key": type }),
          400,
          "invalid_request"
        )
      yield* assertNothingLeft(before)
    })
  )

  it.effect("is refused without a credential, before anything of it is read", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const answer = yield* wire.send("POST", "/uploads", {
        form: samples.png,
        headers: { "content-type": "multipart/form-data; boundary=x" }
      })
      refusedAs(answer, 401, "unauthorized")
    })
  )
})

layer(Ports)("GET /uploads/{name}", (it) => {
  it.effect("is 404 in the envelope for what nobody uploaded, and leads nowhere else", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      for (const name of [
        "a".repeat(40),
        "A".repeat(40),
        "x",
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "%ff",
        "../secret",
        `${"a".repeat(40)}/b`
      ])
        refusedAs(yield* wire.sendTo("GET", `/uploads/${name}`), 404, "not_found")
      const answer = yield* wire.sendTo("DELETE", `/uploads/${"a".repeat(40)}`)
      refusedAs(answer, 405, "invalid_request")
      assert.strictEqual(answer.headers.get("allow"), "GET, HEAD, OPTIONS")
    })
  )

  it.effect("is counted for who asks, as what is public", () =>
    Effect.gen(function* () {
      const wire = yield* openWire({ limits: { public: 2 } })
      const ask = wire.sendTo("GET", `/uploads/${"a".repeat(40)}`, { peer: "192.0.2.7" })
      assert.strictEqual((yield* ask).headers.get("x-ratelimit-remaining"), "1")
      yield* ask
      const refused = yield* ask
      refusedAs(refused, 429, "rate_limited")
      assert.isTrue(refused.headers.has("retry-after"))
    })
  )
})
