import { assert, describe, it } from "@effect/vitest"
import { Cryptography } from "@livery/domain"
import { Effect } from "effect"
import { statusesOf, assignedTrip } from "../support/AssignedTrip.ts"
import { dispatch, issuesIn, stakesIn, zephyr } from "../support/Dispatch.ts"

describe("assigning", () => {
  it.effect("adds new drivers, keeps assigned ones, and cancels missing ones", () =>
    Effect.gen(function* () {
      const { assign, assignments, addDrivers, create } = yield* dispatch
      addDrivers(1, 11, 12, 13)
      yield* create()
      assert.deepStrictEqual(statusesOf((yield* assign(1, [11, 12])).trip), [
        "confirmed",
        "assigned",
        "11 assigned",
        "12 assigned"
      ])
      const { drivers, trip } = yield* assign(1, [13, 12])
      assert.deepStrictEqual(trip.driver_ids, [12, 13])
      assert.deepStrictEqual(
        drivers.map(({ driver_id, driver_token }) => [driver_id, driver_token === null]),
        [
          [12, true],
          [13, false]
        ]
      )
      assert.deepStrictEqual(
        assignments().map(({ driver_id, status }) => `${driver_id} ${status}`),
        ["11 cancelled", "12 assigned", "13 assigned"]
      )
      assert.deepStrictEqual(statusesOf((yield* assign(1, [])).trip), [
        "confirmed",
        "unassigned",
        "11 cancelled",
        "12 cancelled",
        "13 cancelled"
      ])
    })
  )

  it.effect("returns a token once, stores only its SHA-256, and removes that when the assignment ends", () =>
    Effect.gen(function* () {
      const { assign, assignments, create, events, addDrivers, lines } = yield* dispatch
      addDrivers(1, 11, 12)
      yield* create()
      const { drivers } = yield* assign(1, [11, 12])
      const tokens = drivers.map(({ driver_token }) => driver_token ?? "")
      for (const token of tokens) assert.match(token, /^drv_b[0-9a-f]{11}_[A-Za-z0-9_-]{43}$/u)
      assert.strictEqual(new Set(tokens).size, 2)
      const { sha256 } = yield* Effect.provide(Cryptography, Cryptography.layerWebCrypto)
      assert.deepStrictEqual(
        assignments().map(({ tokenHash }) => tokenHash),
        yield* Effect.forEach(tokens, sha256)
      )
      assert.notInclude(JSON.stringify([events, lines()]), "drv_")
      yield* assign(1, [12])
      assert.deepStrictEqual(
        assignments().map(({ tokenHash }) => tokenHash === null),
        [true, false]
      )
    })
  )

  it.effect("sends driver.assigned with the set, and nothing when the set is the same", () =>
    Effect.gen(function* () {
      const { assign, events, lines, transaction } = yield* assignedTrip
      const before = lines().length
      yield* assign(1, [12, 11, 12])
      assert.deepStrictEqual([events.length, lines().length], [0, before])
      yield* assign(1, [12, 13])
      assert.deepStrictEqual(
        events.map(({ body }) => JSON.parse(body)).map(({ data, type }) => [type, data]),
        [
          [
            "driver.assigned",
            {
              trip_id: 1,
              driver_ids: [12, 13],
              assignments: [
                { driver_id: 12, car_id: null },
                { driver_id: 13, car_id: null }
              ],
              added_driver_ids: [13],
              removed_driver_ids: [11],
              declined_driver_ids: []
            }
          ]
        ]
      )
      assert.deepStrictEqual(
        lines()
          .slice(before)
          .map(({ after, change, driver_id }) => [change, driver_id, after?.["status"]]),
        [
          ["driver_removed", 11, "cancelled"],
          ["driver_assigned", 13, "assigned"]
        ]
      )
      assert.strictEqual(transaction.open, 0)
    })
  )

  it.effect("names the position of every driver who cannot be assigned, and changes nothing", () =>
    Effect.gen(function* () {
      const { assign, assignments, events, addDrivers } = yield* assignedTrip
      addDrivers(2, 99)
      const refusal = yield* Effect.flip(assign(1, [99, 11, 98, 98]))
      assert.deepStrictEqual(issuesIn(refusal), ["driver_ids.0 not_found", "driver_ids.2 not_found"])
      assert.deepStrictEqual([assignments().length, events.length], [2, 0])
    })
  )

  it.effect("keeps an assigned driver who can no longer be assigned", () =>
    Effect.gen(function* () {
      const { assign, deactivateDriver } = yield* assignedTrip
      deactivateDriver(11)
      assert.deepStrictEqual((yield* assign(1, [11, 12, 13])).trip.driver_ids, [11, 12, 13])
    })
  )

  it.effect("keeps the drivers of completed assignments, listed or not", () =>
    Effect.gen(function* () {
      const { assign, report } = yield* assignedTrip
      yield* report(1, { status: "en_route" })
      yield* report(1, { status: "completed" })
      assert.deepStrictEqual(statusesOf((yield* assign(1, [12])).trip), [
        "in_progress",
        "assigned",
        "11 completed",
        "12 assigned"
      ])
      assert.deepStrictEqual((yield* assign(1, [11, 12, 13])).trip.driver_ids, [11, 12, 13])
    })
  )

  it.effect("is refused unless the trip is confirmed or under way", () =>
    Effect.gen(function* () {
      const { assign, changeTrip, update } = yield* assignedTrip
      yield* update(1, { status: "cancelled" })
      const refusal = yield* Effect.flip(assign(1, [11]))
      assert.strictEqual(refusal._tag, "IllegalTransition")
      assert.include(refusal.message, "cancelled")
      changeTrip(1, { status: "pending" })
      assert.strictEqual((yield* Effect.flip(assign(1, [11])))._tag, "IllegalTransition")
    })
  )

  it.effect("another business's trip is absent", () =>
    Effect.gen(function* () {
      const { assign } = yield* assignedTrip
      for (const id of [1, 2])
        assert.strictEqual((yield* Effect.flip(assign(id, [], false, zephyr)))._tag, "NotFound")
    })
  )

  it.effect("locks drivers before the trip, so that no deadlock arises", () =>
    Effect.gen(function* () {
      const { assign, calls } = yield* assignedTrip
      calls.length = 0
      yield* assign(1, [13])
      assert.deepStrictEqual(calls.slice(0, 2), ["drivers inside", "lock inside"])
    })
  )
})

describe("clashes", () => {
  const clashing = Effect.gen(function* () {
    const memory = yield* assignedTrip
    yield* memory.create({ trip_date: "2026-11-20T10:29:59" })
    yield* memory.create({ trip_date: "2026-11-20T10:30:00" })
    return memory
  })
  const warning = { type: "schedule_clash", driver_id: 11, trip_id: 1 } as const

  it.effect("warn of a trip within the default duration of an hour, and not of a later one", () =>
    Effect.gen(function* () {
      const { assign } = yield* clashing
      assert.deepStrictEqual((yield* assign(2, [11, 13])).warnings, [warning])
      assert.deepStrictEqual((yield* assign(3, [12])).warnings, [])
    })
  )

  it.effect("are not reported if the policy is off", () =>
    Effect.gen(function* () {
      const { assign, setPolicy } = yield* clashing
      setPolicy("off")
      assert.deepStrictEqual((yield* assign(2, [11])).warnings, [])
    })
  )

  it.effect("need `force` under `enforce`, and are then returned as warnings", () =>
    Effect.gen(function* () {
      const { assign, assignments, calls, newEvents, setPolicy } = yield* clashing
      setPolicy("enforce")
      newEvents()
      const refusal = yield* Effect.flip(assign(2, [11, 13]))
      assert.deepStrictEqual(stakesIn(refusal), [warning])
      assert.deepStrictEqual([assignments().length, newEvents()], [2, []])
      assert.include(calls, "lockSchedules inside")
      assert.deepStrictEqual((yield* assign(2, [11, 13], true)).warnings, [warning])
      // A clash of a driver who was assigned before does not prevent adding another driver.
      assert.deepStrictEqual((yield* assign(2, [11])).warnings, [warning])
    })
  )

  it.effect("are also reported for a new time of the trip", () =>
    Effect.gen(function* () {
      const { assign, setPolicy, update } = yield* clashing
      yield* assign(3, [11])
      const later = { trip_date: "2026-11-20T10:15:00" }
      assert.deepStrictEqual((yield* update(3, { duration_minutes: 5 })).warnings, [])
      setPolicy("enforce")
      assert.strictEqual((yield* Effect.flip(update(3, later)))._tag, "ConfirmationRequired")
      const changed = yield* update(3, { ...later, force: true })
      assert.deepStrictEqual(changed.warnings, [warning])
      assert.deepStrictEqual((yield* update(3, { ...later, notes: "late" })).warnings, [])
    })
  )
})
