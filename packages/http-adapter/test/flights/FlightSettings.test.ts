import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { company } from "../support/Fleet.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

layer(PortsInMemory)("the settings of flights", (it) => {
  it.effect("are off by default, and change with what is sent", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const before = yield* send("GET", "/settings/flights")
      const usual = {
        enabled: false,
        max_earlier_minutes: 30,
        max_later_minutes: 240,
        buffer_minutes: 0,
        check_minutes: 5,
        available: false
      }
      assert.deepStrictEqual(record(before), usual)
      const changed = yield* send("PATCH", "/settings/flights", { enabled: true, buffer_minutes: 20 })
      assert.deepStrictEqual(record(changed), { ...usual, enabled: true, buffer_minutes: 20 })
      assert.deepStrictEqual(record(yield* send("GET", "/settings/flights")), record(changed))
      const stale = { "if-match": before.headers.get("etag") ?? "" }
      refusedAs(yield* send("PATCH", "/settings/flights", { enabled: false }, stale), 409, "conflict")
    })
  )

  it.effect("refuse each value out of its bounds, and a change of nothing", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const refused = yield* send("PATCH", "/settings/flights", {
        max_earlier_minutes: -1,
        max_later_minutes: 1441,
        buffer_minutes: 241,
        check_minutes: 0
      })
      refusedAs(refused, 422, "invalid_request")
      const named = ["max_earlier_minutes", "max_later_minutes", "buffer_minutes", "check_minutes"]
      for (const field of named) assert.include(refused.text, `"field":"${field}","issue":"out_of_range"`)
      refusedAs(yield* send("PATCH", "/settings/flights", {}), 422, "invalid_request")
    })
  )
})
