import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { company } from "../support/Fleet.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer } from "../support/TestServer.ts"

layer(PortsInMemory)("a day without end", (it) => {
  it.effect("9999-12-31 as a filter means no end, in every time zone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { driver, send } = yield* company(server)
      const { driver_id: id } = yield* driver()
      for (const timezone of ["America/New_York", "UTC", "Pacific/Kiritimati"]) {
        yield* send("PATCH", "/settings/business", { timezone })
        for (const path of [
          "/trips?date_to=9999-12-31",
          "/trips?date_from=9999-12-31",
          "/quotes?date_to=9999-12-31",
          "/bookings?date_from=9999-12-31",
          "/dispatch/trips?date=9999-12-31",
          `/drivers/${String(id)}/availability?date_from=9999-12-31`
        ])
          assert.strictEqual((yield* send("GET", path)).status, 200, `${timezone} ${path}`)
      }
    })
  )
})
