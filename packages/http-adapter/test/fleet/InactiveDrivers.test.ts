import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { wrong } from "../support/Fleet.ts"
import { Ports, PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { businessWithPolicy } from "./DriverAbsences.ts"

layer(PortsInMemory)("a driver who becomes inactive", (it) => {
  it.effect("with open trips asks for a confirmation that names them, and keeps them", () =>
    Effect.gen(function* () {
      const { assign, newDriver, newTrip, send } = yield* businessWithPolicy(yield* openServer())
      const dan = yield* newDriver
      const [one, two] = [yield* newTrip("10:00"), yield* newTrip("12:00")]
      for (const trip of [one, two]) record(yield* assign(trip, [dan]))
      const path = `/drivers/${dan}`
      const refused = yield* send("PATCH", path, { active: false, name: "Daniel" })
      assert.deepStrictEqual(refusedAs(refused, 409, "confirmation_required"), [
        { trip_id: one },
        { trip_id: two }
      ])
      assert.deepInclude(record(yield* send("GET", path)), { active: true, name: "Dan" })
      record(yield* send("PATCH", path, { name: "Daniel" }))
      assert.deepInclude(record(yield* send("PATCH", path, { active: false, force: true })), {
        active: false,
        name: "Daniel"
      })
      assert.deepStrictEqual(record(yield* send("GET", `/trips/${one}`))["driver_ids"], [dan])
      record(yield* send("PATCH", path, { active: false }))
      record(yield* assign(one, []))
      record(yield* assign(two, []))
      record(yield* send("PATCH", path, { active: true }))
      record(yield* send("PATCH", path, { active: false }))
      refusedAs(yield* send("PATCH", path, { force: true }), 422, "invalid_request")
      assert.deepStrictEqual(
        refusedAs(yield* send("PATCH", path, { active: true, force: "yes" }), 422, "invalid_request"),
        wrong({ force: "invalid" })
      )
    })
  )
})

layer(Ports)("a driver who becomes inactive", (it) => {
  it.effect(
    "gets no trip from a concurrent request",
    () =>
      Effect.gen(function* () {
        const { assign, newDriver, newTrip, send } = yield* businessWithPolicy(yield* openServer())
        const trips = [yield* newTrip("10:00"), yield* newTrip("12:00"), yield* newTrip("14:00")]
        for (let round = 0; round < 6; round++) {
          const dan = yield* newDriver
          const [left, ...assigned] = yield* Effect.all(
            [
              send("PATCH", `/drivers/${dan}`, { active: false }),
              ...trips.map((trip) => assign(trip, [dan]))
            ],
            { concurrency: "unbounded" }
          )
          assert.include([200, 409], left?.status, left?.text)
          const taken = assigned.filter(({ status }) => status === 200).length
          assert.strictEqual(left?.status === 409, taken > 0, `${left?.status} with ${taken} trips`)
        }
      }),
    60_000
  )
})
