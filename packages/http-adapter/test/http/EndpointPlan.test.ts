import { Api } from "@livery/http-adapter"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { routesOf } from "../../src/http/pipeline/Routes.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer } from "../support/TestServer.ts"

/**
 * The endpoints that only Effect's router handles: a form, a file, the bytes of the payment provider's notices, and
 * streams.
 */
const others = new Set([
  "POST /api/v1/uploads",
  "GET /api/v1/invoices/:id/pdf",
  "GET /api/v1/invoices/:id/credit-notes/:credit_note_id/pdf",
  "POST /api/v1/public/payments/stripe"
])

layer(PortsInMemory)("the fast path", (it) => {
  it.effect("has every endpoint of the contract but forms, files, notices and streams", () =>
    Effect.gen(function* () {
      const planned = new Set<string>()
      const server = yield* openServer({
        planned: ({ method, pattern }) => planned.add(`${method} ${pattern}`)
      })
      // The server is ready once it has answered.
      yield* server.sendTo("GET", "/health/live")
      const expected = routesOf(Api)
        .map(({ method, pattern }) => `${method} ${pattern}`)
        .filter((name) => !others.has(name) && !name.endsWith("/stream"))
      assert.sameMembers([...planned], expected)
    })
  )
})
