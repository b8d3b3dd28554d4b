import { FileStore, FilesUnavailable } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { samples } from "../../../integrations/test/files/Samples.ts"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

const reason = "no answer within 10000 ms from 10.1.2.3"

/** A file store that does not respond while `away` is true. */
const shaky = Effect.gen(function* () {
  const files = yield* FileStore
  const state = { away: true }
  const or = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | FilesUnavailable> =>
      state.away ? Effect.fail(new FilesUnavailable({ reason, retryAfterSeconds: 5 })) : effect
    )
  const store = FileStore.of({
    write: (name, bytes, type) => or(files.write(name, bytes, type)),
    read: (name) => or(files.read(name)),
    remove: (name) => or(files.remove(name))
  })
  return { state, server: yield* Effect.provideService(openServer(), FileStore, store) }
})

const upload = Effect.fnUntraced(function* (
  server: TestServer,
  credential: string,
  headers: Record<string, string> = {}
) {
  const form = new FormData()
  form.append("file", new Blob([samples.png]), "car.png")
  const response = new Response(form)
  const bytes = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
  const type = { "content-type": response.headers.get("content-type") ?? "" }
  return yield* server.send("POST", "/uploads", { credential, form: bytes, headers: { ...headers, ...type } })
})

layer(Ports)("while the file store does not respond", (it) => {
  it.effect("an upload is 500 with Retry-After, writes nothing, and leaves its key free", () =>
    Effect.gen(function* () {
      const { server, state } = yield* shaky
      const sql = yield* SqlClient.SqlClient
      const { businessId, key } = yield* business(server)
      const once = { "Idempotency-Key": "the car" }
      for (const headers of [{}, once]) {
        const answer = yield* upload(server, key, headers)
        refusedAs(answer, 500, "server_error")
        assert.strictEqual(answer.headers.get("retry-after"), "5")
        assert.notInclude(answer.text, "10.1.2.3")
      }
      assert.isEmpty(yield* sql`SELECT FROM uploads WHERE business_id = ${businessId}`)
      state.away = false
      assert.strictEqual((yield* upload(server, key, once)).status, 201)
    })
  )

  it.effect("a requested file is 500 with Retry-After, and served later", () =>
    Effect.gen(function* () {
      const { server, state } = yield* shaky
      const { key } = yield* business(server)
      state.away = false
      const { pathname } = new URL(String(record(yield* upload(server, key))["url"]))
      state.away = true
      const answer = yield* server.sendTo("GET", pathname)
      refusedAs(answer, 500, "server_error")
      assert.strictEqual(answer.headers.get("retry-after"), "5")
      state.away = false
      assert.strictEqual((yield* server.sendTo("GET", pathname)).status, 200)
    })
  )
})

layer(Ports)("an upload's address", (it) => {
  it.effect("is below the server's address, whatever host the request names", () =>
    Effect.gen(function* () {
      const { server, state } = yield* shaky
      state.away = false
      const { key } = yield* business(server)
      const answer = yield* upload(server, key, { Host: "evil.example" })
      assert.match(String(record(answer)["url"]), /^http:\/\/localhost\/uploads\//u)
      const named = yield* openServer({ publicUrl: "https://api.example.com" })
      const other = yield* upload(named, key, { Host: "evil.example" })
      assert.match(String(record(other)["url"]), /^https:\/\/api\.example\.com\/uploads\//u)
    })
  )
})
