import { Api } from "@livery/contract"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { company } from "../support/Fleet.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

const isCodec = (schema: Schema.Top): schema is Schema.Codec<unknown> => Schema.isSchema(schema)

/** The path parameters that are no numbers: secrets in public links, slugs, keys of settings, and names of reports. */
const texts = new Set(["hash", "key", "token", "vendor_slug", "report"])

/** The highest number that a parameter can name: versions are counted with 32 bits. */
const highestOf = (name: string) => (name === "version" ? "2147483647" : "9007199254740991")

/** The routes that name a record by a number, and the schema of their path. */
const routes = (() => {
  const found: Array<readonly [name: string, highest: string, read: (id: string) => boolean]> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const names = [...endpoint.path.matchAll(/:(\w+)/gu)].map(([, name]) => name ?? "")
      const { params } = endpoint
      if (params === undefined || !isCodec(params) || names.some((name) => texts.has(name))) return
      const decode = Schema.decodeUnknownExit(params)
      for (const name of names)
        found.push([
          `${endpoint.method} ${endpoint.path} (${name})`,
          highestOf(name),
          (id) =>
            Exit.isSuccess(decode({ ...Object.fromEntries(names.map((name) => [name, "1"])), [name]: id }))
        ])
    }
  })
  return found
})()

describe("a record has one path", () => {
  it.each(routes)("%s", (_route, highest, reads) => {
    for (const id of ["1", "10", "999999999", highest]) assert.isTrue(reads(id), id)
    for (const id of [
      "01",
      "001",
      "0",
      "-1",
      "-0",
      "+1",
      "1e0",
      "1.0",
      "0x1",
      " 1",
      "1 ",
      "1\n",
      "",
      "one",
      "٣",
      "9007199254740992",
      "10000000000000000000"
    ])
      assert.isFalse(reads(id), JSON.stringify(id))
  })

  it("all routes are checked", () => {
    assert.isAtLeast(routes.length, 30)
  })
})

layer(PortsInMemory)("over HTTP", (it) => {
  it.effect("another form of an id is 404, and the same form of a page is accepted", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { car, send } = yield* company(server)
      const { car_id } = yield* car()
      const id = String(car_id)
      assert.strictEqual(String(record(yield* send("GET", `/cars/${id}`))["car_id"]), id)
      for (const other of [`0${id}`, `+${id}`, `${id}.0`, `${id}e0`])
        refusedAs(yield* send("GET", `/cars/${other}`), 404, "not_found")
      assert.strictEqual((yield* send("GET", "/cars?page=01")).status, 200)
    })
  )
})
