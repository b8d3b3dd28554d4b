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
  it.effect("under one Idempotency-Key is stored once, whatever boundary and file name the form has", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(server)
      const before = yield* temporary
      const once = { "Idempotency-Key": "the car's picture" }
      const first = yield* submit(server, key, formOf(["file", samples.png]), once)
      assert.strictEqual(first.status, 201)
      const renamed = new FormData()
      renamed.append("file", new Blob([samples.png], { type: "image/png" }), "car.png")
      for (const form of [formOf(["file", samples.png]), renamed]) {
        const again = yield* submit(server, key, form, once)
        assert.deepStrictEqual([again.status, again.body.data], [201, first.body.data])
        assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      }
      assert.strictEqual((yield* sql`SELECT FROM uploads WHERE business_id = ${businessId}`).length, 1)
      yield* assertNothingLeft(before)
    })
  )

  it.effect(
    "under one Idempotency-Key is 409 for another file of the same length, and for other fields",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const sql = yield* SqlClient.SqlClient
        const { businessId, key } = yield* business(server)
        const before = yield* temporary
        const once = { "Idempotency-Key": "the car's picture" }
        const other = new Uint8Array(samples.png)
        other.set([other[other.length - 1] === 0 ? 1 : 0], other.length - 1)
        const first = yield* submit(server, key, formOf(["file", samples.png]), once)
        for (const form of [
          formOf(["file", other]),
          formOf(["fil_", samples.png]),
          formOf(["file", samples.png], ["file", samples.png]),
          formOf(["file", samples.png], ["note", "front"])
        ])
          refusedAs(yield* submit(server, key, form, once), 409, "conflict")
        assert.deepStrictEqual(yield* sql`SELECT upload_id FROM uploads WHERE business_id = ${businessId}`, [
          { upload_id: record(first)["upload_id"] }
        ])
        const kept = yield* submit(server, key, formOf(["file", other]), {
          "Idempotency-Key": "its other side"
        })
        const served = yield* server.sendTo("GET", pathOf(kept))
        assert.isTrue(Buffer.from(served.bytes).equals(other))
        yield* assertNothingLeft(before)
      })
  )

  it.effect("under one Idempotency-Key is distinguished by every part, also by several of one field", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(server)
      const before = yield* temporary
      const once = { "Idempotency-Key": "the car's picture" }
      const file = ["file", samples.png] as const
      const first = yield* submit(server, key, formOf(["x", "1"], ["x", samples.pdf], file), once)
      for (const form of [
        formOf(["x", "2"], ["x", samples.pdf], file),
        formOf(["x", samples.pdf], file),
        formOf(["x", "1"], file),
        formOf(["x", "1"], ["x", samples.pdf], ["x", "1"], file)
      ])
        refusedAs(yield* submit(server, key, form, once), 409, "conflict")
      const again = yield* submit(server, key, formOf(["x", "1"], ["x", samples.pdf], file), once)
      assert.deepStrictEqual([again.status, again.body.data], [201, first.body.data])
      assert.strictEqual((yield* sql`SELECT FROM uploads WHERE business_id = ${businessId}`).length, 1)
      yield* assertNothingLeft(before)
    })
  )

  it.effect("with an Idempotency-Key is refused as without one", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
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
        const answer = yield* submit(server, key, form, { "Idempotency-Key": `${index}` })
        refusedAs(answer, status, "invalid_request")
      }
      const truncated = new TextEncoder().encode('--x\r\nContent-Disposition: form-data; name="file"')
      for (const [type, status] of [
        ["multipart/form-data; boundary=x", 400],
        ["multipart/mixed; boundary=x", 415],
        ["image/png", 415]
      ] as const)
        refusedAs(
          yield* upload(server, key, truncated, { "content-type": type, "Idempotency-Key": type }),
          status,
          "invalid_request"
        )
      yield* assertNothingLeft(before)
    })
  )
})
