import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { maxDepth, isWithinBounds, maxFields } from "../../src/http/decoding/BodyStructure.ts"
import { driverOf } from "../support/Drivers.ts"
import { business } from "../support/People.ts"
import { requestBodies, senderOf, worstBody, worstValues } from "../support/RequestBodies.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

const isList = ({ items, type }: { readonly type?: unknown; readonly items?: unknown }) =>
  type === "array" || items !== undefined

/** The largest response to a refused body, in bytes. */
const longestRefusal = 10_000

layer(Ports)("request bodies", (it) => {
  it("every list of every body has a maximum, in OpenAPI too", () => {
    assert.isAbove(requestBodies.length, 30)
    const lists = requestBodies.flatMap(({ fields, method, path }) =>
      fields.filter(({ schema }) => isList(schema)).map((field) => ({ ...field, in: `${method} ${path}` }))
    )
    assert.isAtLeast(lists.length, 4)
    for (const { in: route, path, schema } of lists)
      assert.isAtMost(schema.maxItems ?? Infinity, 600, `${route}: ${path}`)
  })

  it.effect("a list that is too long is refused for its length, before its items are decoded", () =>
    Effect.gen(function* () {
      const send = yield* senderOf(yield* openServer())
      for (const body of requestBodies)
        for (const { path, schema } of body.fields) {
          if (!isList(schema) || path.includes(".")) continue
          const answer = yield* send(body, `{"${path}":${worstValues["a list of objects"]?.(900_000)}}`)
          const details = refusedAs(answer, 422, "invalid_request") ?? []
          assert.deepInclude(details, { field: path, issue: "too_long" }, body.path)
          for (const { field } of details) assert.isFalse(String(field).startsWith(`${path}.`), String(field))
        }
    })
  )

  it.effect("details name the first 50 wrong fields and count the others", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* business(server)
      const { token } = yield* driverOf(server, acme.businessId)
      const locations = Array.from({ length: 500 }, () => ({ lat: 91 }))
      const answer = yield* server.send("POST", "/me/driver/locations", {
        credential: token,
        body: { locations }
      })
      const details = refusedAs(answer, 422, "invalid_request") ?? []
      assert.lengthOf(details, 50)
      assert.deepStrictEqual(details.at(-1), { field: "locations.24.lng", issue: "required" })
      assert.strictEqual(answer.body.error?.details_omitted, 950)
      assert.match(answer.body.error?.message ?? "", /locations\.24\.lng required, and 950 more$/u)
      const short = yield* server.send("POST", "/me/driver/locations", {
        credential: token,
        body: { locations: locations.slice(0, 25) }
      })
      assert.lengthOf(refusedAs(short, 422, "invalid_request") ?? [], 50)
      assert.notProperty(short.body.error, "details_omitted")
    })
  )

  it.effect("bodies that are expensive to read are refused in a short response", () =>
    Effect.gen(function* () {
      const send = yield* senderOf(yield* openServer())
      for (const body of requestBodies)
        for (const [name, worst] of Object.entries(worstValues)) {
          const answer = yield* send(body, worstBody(body, worst, 60_000))
          const what = `${name} in ${body.method} ${body.path}`
          assert.isBelow(answer.text.length, longestRefusal, what)
          // The route of the payment provider's notices answers 503 where no provider is configured.
          if (answer.body.error?.type !== "payment_provider_unavailable")
            assert.isBelow(answer.status, 500, what)
          assert.isAtMost(answer.body.error?.details?.length ?? 0, 50, what)
        }
    })
  )

  it.effect("a body that is nested too deeply or has too many fields is refused before it is parsed", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key: credential } = yield* business(server)
      const fields = (count: number) =>
        `{"name":"A car",${Array.from({ length: count - 1 }, (_, at) => `"field${at}":1`).join(",")}}`
      const levels = (count: number) =>
        `{"name":"A car","notes":"${"x".repeat(20_000)}","other":${"[".repeat(count - 1)}${"]".repeat(count - 1)}}`
      const car = record(yield* server.send("POST", "/cars", { credential, body: { name: "A car" } }))
      const id = String(car["car_id"])
      // The second form of the id is decoded.
      for (const path of [`/cars/${id}`, `/cars/%3${id}`]) {
        const send = (text: string) => server.send("PATCH", path, { credential, text })
        assert.strictEqual((yield* send(fields(maxFields))).status, 200, path)
        assert.strictEqual((yield* send(levels(maxDepth))).status, 200, path)
        refusedAs(yield* send(fields(maxFields + 1)), 400, "invalid_request")
        const deep = yield* send(levels(maxDepth + 1))
        refusedAs(deep, 400, "invalid_request")
        assert.include(deep.body.error?.message, "nested more than 20000 levels")
      }
    })
  )

  it("texts in a body do not count towards its structure", () => {
    const text = JSON.stringify({ a: `${"[{:".repeat(30_000)}\\"\\\\`, b: "\\", c: '"' })
    assert.isTrue(isWithinBounds(text))
    assert.isFalse(isWithinBounds(text.replace('"c":', `"c":${"[".repeat(maxDepth)}`)))
  })
})
