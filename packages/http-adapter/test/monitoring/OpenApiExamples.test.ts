import { Api, documentPath, objectOf } from "@livery/contract"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { business } from "../support/People.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, refusedAs } from "../support/TestServer.ts"

const document = objectOf(JSON.parse(JSON.stringify(OpenApi.fromApi(Api))))

/** Each route with a JSON body: its name, the example of the body, and the schemas that decode it. */
const routes: Array<readonly [string, unknown, ReadonlyArray<Schema.Top>]> = []
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint }) => {
    const path = endpoint.path.replace(/(?<=.)\/$/u, "").replaceAll(/:(\w+)/gu, "{$1}")
    const operation = objectOf(
      objectOf(objectOf(document["paths"])[documentPath(path)])[endpoint.method.toLowerCase()]
    )
    const media = objectOf(objectOf(objectOf(operation["requestBody"])["content"])["application/json"])
    const schemas = endpoint.payload.get("application/json")?.schemas
    if (media["example"] !== undefined && schemas !== undefined)
      routes.push([`${endpoint.method} ${path}`, media["example"], schemas])
  }
})

const exampleOf = (name: string) => routes.find(([route]) => route === name)?.[1]

layer(PortsInMemory)("the example of a request body whose fields exclude each other", (it) => {
  it.effect("of POST /dispatch/groups cancels or moves, not both", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const body = exampleOf("POST /api/v1/dispatch/groups")
      const answer = yield* server.sendTo("POST", "/api/v1/dispatch/groups", { credential: key, body })
      assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), [
        { field: "group_id", issue: "not_found" }
      ])
    })
  )

  it.effect("of POST /webhooks has an address that an endpoint can have", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const body = exampleOf("POST /api/v1/webhooks")
      const answer = yield* server.sendTo("POST", "/api/v1/webhooks", { credential: key, body })
      assert.strictEqual(answer.status, 201)
    })
  )
})

describe("the example of a request body", () => {
  it("is there for every route with a JSON body", () => {
    assert.isAbove(routes.length, 50)
  })

  it.each(routes)("of %s is accepted by the route's decoder", async (_name, example, schemas) => {
    const decoded = await Promise.allSettled(
      schemas.map((schema) =>
        Schema.decodeUnknownPromise(schema as Schema.Codec<unknown, unknown>, { errors: "all" })(example)
      )
    )
    const reasons = decoded.map((one) => (one.status === "rejected" ? String(one.reason) : ""))
    assert.include(reasons, "")
  })
})
