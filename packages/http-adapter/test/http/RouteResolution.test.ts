import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { apiRoutes, routeTable } from "../../src/RouteTable.ts"
import { business } from "../support/People.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer } from "../support/TestServer.ts"

layer(PortsInMemory)("a request", (it) => {
  it.effect(
    "resolves its route once, and reads no annotations after the first of its endpoint, whatever its response",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { key } = yield* business(server)
        const requests = [
          ["GET", "/api/v1/trips", 200],
          ["GET", "/api/v1/trips/999999999", 404],
          ["POST", "/api/v1/cars", 201],
          ["POST", "/api/v1/auth/login", 422],
          ["PUT", "/api/v1/trips", 405],
          ["OPTIONS", "/api/v1/trips", 204],
          ["GET", "/api/v1/unknown", 404],
          ["GET", "/api/v1/public/quotes/unknown", 404],
          ["GET", "/uploads/unknown", 404],
          ["GET", "/health/live", 200],
          ["GET", "/metrics", 200],
          ["GET", "/openapi.json", 200]
        ] as const
        const send = (method: string, path: string) =>
          server.sendTo(method, path, {
            credential: key,
            ...(method === "POST" ? { body: { name: "Black" } } : {})
          })
        // The first request of an endpoint makes its codecs, from the annotations.
        for (const [method, path] of requests) yield* send(method, path)
        const resolve = vi.spyOn(routeTable, "resolve")
        const annotationReads = apiRoutes.map(({ annotations }) => vi.spyOn(annotations.mapUnsafe, "get"))
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            for (const spy of [resolve, ...annotationReads]) spy.mockRestore()
          })
        )
        for (const [method, path, status] of requests) {
          resolve.mockClear()
          const answer = yield* send(method, path)
          assert.strictEqual(answer.status, status, `${method} ${path}: ${answer.text}`)
          assert.lengthOf(resolve.mock.calls, 1, `${method} ${path}`)
          for (const read of annotationReads) assert.isEmpty(read.mock.calls, `${method} ${path}`)
        }
      })
  )
})
