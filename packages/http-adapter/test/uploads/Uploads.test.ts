import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { samples } from "../../../integrations/test/files/Samples.ts"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import {
  assertNothingLeft,
  formOf,
  mebibyte,
  pathOf,
  submit,
  temporary,
  upload,
  useOwnTemporaryDirectory
} from "./Submission.ts"

useOwnTemporaryDirectory()

layer(Ports)("POST /uploads", (it) => {
  it.effect("accepts images and documents, recognised by their content, and serves them", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      for (const [kind, type, disposition] of [
        ["png", "image/png", "inline"],
        ["apng", "image/png", "inline"],
        ["jpeg", "image/jpeg", "inline"],
        ["webp", "image/webp", "inline"],
        ["pdf", "application/pdf", "attachment"]
      ] as const) {
        const answer = yield* submit(server, key, formOf(["file", samples[kind]]))
        assert.strictEqual(answer.status, 201)
        const { content_type, size, upload_id, url } = record(answer)
        assert.deepStrictEqual([content_type, size], [type, samples[kind].length])
        assert.isAbove(Number(upload_id), 0)
        assert.match(String(url), /^http:\/\/localhost\/uploads\/[0-9a-f]{40}_b[0-9a-f]{11}$/u)
        const path = pathOf(answer)
        // No credential is needed.
        const served = yield* server.sendTo("GET", path)
        assert.strictEqual(served.status, 200)
        const reported = (name: string) => served.headers.get(name) ?? ""
        assert.strictEqual(reported("content-type"), type)
        assert.strictEqual(reported("content-length"), String(samples[kind].length))
        assert.strictEqual(reported("x-content-type-options"), "nosniff")
        assert.strictEqual(reported("content-security-policy"), "sandbox; default-src 'none'")
        assert.strictEqual(reported("cache-control"), "public, max-age=31536000, immutable")
        assert.isTrue(reported("content-disposition").startsWith(`${disposition}; filename="`))
        assert.notInclude(reported("content-disposition"), "evil")
        const head = yield* server.sendTo("HEAD", path)
        assert.deepStrictEqual([head.status, head.text], [200, ""])
        for (const name of ["content-type", "content-length", "content-security-policy"])
          assert.strictEqual(head.headers.get(name), reported(name), name)
      }
    })
  )

  it.effect("returns the same bytes", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const large = new Uint8Array(10 * mebibyte).fill(7)
      large.set(samples.byteOrderMark)
      const answer = yield* submit(server, key, formOf(["file", large]))
      assert.deepInclude(record(answer), { size: 10 * mebibyte, content_type: "application/pdf" })
      const served = yield* server.sendTo("GET", pathOf(answer))
      assert.isTrue(Buffer.from(served.bytes).equals(large))
    })
  )

  it.effect("belongs to the acting business", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(server)
      const { size, upload_id } = record(yield* submit(server, key, formOf(["file", samples.png])))
      assert.deepStrictEqual(
        yield* sql`SELECT upload_id, content_type, size FROM uploads WHERE business_id = ${businessId}`,
        [{ upload_id, content_type: "image/png", size }]
      )
    })
  )

  it.effect("refuses any other content, and stores nothing", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(server)
      const before = yield* temporary
      const issueOf = (form: FormData) =>
        Effect.map(submit(server, key, form), (answer) => refusedAs(answer, 422, "invalid_request"))
      for (const kind of [
        "html",
        "svg",
        "gif",
        "script",
        "text",
        "zip",
        "tagged",
        "marked",
        "page",
        "heic"
      ] as const)
        assert.deepStrictEqual(yield* issueOf(formOf(["file", samples[kind]])), [
          { field: "file", issue: "invalid" }
        ])
      const heic = yield* submit(server, key, formOf(["file", samples.heic]))
      assert.include(heic.body.error?.message, "image/png, image/jpeg, image/webp, application/pdf")
      for (const form of [
        formOf(),
        formOf(["picture", samples.png]),
        formOf(["file", samples.nothing]),
        formOf(["file", ""])
      ])
        assert.deepStrictEqual(yield* issueOf(form), [{ field: "file", issue: "required" }])
      for (const form of [
        formOf(["file", samples.png], ["file", samples.png]),
        formOf(["file", samples.png], ["file", "a text"]),
        formOf(["file", "a text"], ["file", samples.png]),
        formOf(["file", "a text"])
      ])
        assert.deepStrictEqual(yield* issueOf(form), [{ field: "file", issue: "invalid" }])
      assert.deepStrictEqual(yield* sql`SELECT FROM uploads WHERE business_id = ${businessId}`, [])
      yield* assertNothingLeft(before)
    })
  )

  it.effect("refuses more than 10 MiB with 413, in any form", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
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
        refusedAs(yield* submit(server, key, form), 413, "invalid_request")
      yield* assertNothingLeft(before)
    })
  )

  it.effect("refuses another content type than that of a form with 415", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const png = new Uint8Array(samples.png)
      for (const headers of [{ "content-type": "application/json" }, { "content-type": "image/png" }, {}]) {
        const answer = yield* upload(server, key, png, headers)
        refusedAs(answer, 415, "invalid_request")
        assert.match(answer.body.error?.message ?? "", /send .*multipart\/form-data for an upload/u)
      }
    })
  )

  it.effect("responds to any body in the envelope, never with 500", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
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
        [text(`--${boundary}\r\nContent-Disposition: form-data; na\r\n--${boundary}--`), typed],
        [text(`${head}abc\r\n--${boundary}\r\nContent-Disp\r\n--${boundary}--`), typed],
        [text(`${head}abc\r\n--${boundary}\r\n\r\n--${boundary}\r\nX: y\r\n--${boundary}--`), typed],
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
        const answer = yield* upload(server, key, bytes, headers)
        assert.include([400, 413, 415, 422], answer.status, `${index}: ${answer.fault ?? answer.text}`)
        refusedAs(answer, answer.status, "invalid_request")
      }
      yield* assertNothingLeft(before)
    })
  )

  it.effect("ignores an empty file field if another one has a file", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const unchosen = '--x\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n'
      const chosen = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
      const ask = (...pieces: ReadonlyArray<string | Uint8Array>) =>
        upload(server, key, new Uint8Array(Buffer.concat(pieces.map((piece) => Buffer.from(piece)))), {
          "content-type": "multipart/form-data; boundary=x"
        })
      assert.deepStrictEqual(refusedAs(yield* ask(unchosen, "--x--\r\n"), 422, "invalid_request"), [
        { field: "file", issue: "required" }
      ])
      assert.strictEqual((yield* ask(unchosen, chosen, samples.png, "\r\n--x--\r\n")).status, 201)
      assert.strictEqual((yield* ask(chosen, samples.png, `\r\n${unchosen}--x--\r\n`)).status, 201)
    })
  )

  it.effect("is refused without a credential, before the body is read", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const answer = yield* server.send("POST", "/uploads", {
        form: samples.png,
        headers: { "content-type": "multipart/form-data; boundary=x" }
      })
      refusedAs(answer, 401, "unauthorized")
    })
  )
})

layer(Ports)("GET /uploads/{name}", (it) => {
  it.effect("is 404 in the envelope for an unknown name, and cannot leave the store", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
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
        refusedAs(yield* server.sendTo("GET", `/uploads/${name}`), 404, "not_found")
      const answer = yield* server.sendTo("DELETE", `/uploads/${"a".repeat(40)}`)
      refusedAs(answer, 405, "invalid_request")
      assert.strictEqual(answer.headers.get("allow"), "GET, HEAD, OPTIONS")
    })
  )

  it.effect("counts against the client's address", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { public: 2 } })
      const ask = server.sendTo("GET", `/uploads/${"a".repeat(40)}`, { peer: "192.0.2.7" })
      assert.strictEqual((yield* ask).headers.get("x-ratelimit-remaining"), "1")
      yield* ask
      const refused = yield* ask
      refusedAs(refused, 429, "rate_limited")
      assert.isTrue(refused.headers.has("retry-after"))
    })
  )
})
