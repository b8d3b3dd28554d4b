import { assert, describe, it } from "@effect/vitest"
import { deliveryMachine, initialTripStatus, tripMachine, TripStatus } from "@livery/domain"
import { Effect, Schema } from "effect"

/**
 * Every pair of trip statuses and the movers that may make the move (docs/state-machines.md). The progress of an
 * assignment is always the driver's move.
 */
const pairs = [
  ["pending", "pending", []],
  ["pending", "confirmed", ["customer", "operator", "payment"]],
  ["pending", "in_progress", []],
  ["pending", "completed", []],
  ["pending", "cancelled", ["customer", "operator", "payment"]],
  ["confirmed", "pending", []],
  ["confirmed", "confirmed", []],
  ["confirmed", "in_progress", ["driver"]],
  ["confirmed", "completed", ["operator"]],
  ["confirmed", "cancelled", ["customer", "operator"]],
  ["in_progress", "pending", []],
  ["in_progress", "confirmed", ["driver"]],
  ["in_progress", "in_progress", []],
  ["in_progress", "completed", ["driver", "operator"]],
  ["in_progress", "cancelled", ["operator"]],
  ["completed", "pending", []],
  ["completed", "confirmed", ["operator"]],
  ["completed", "in_progress", []],
  ["completed", "completed", []],
  ["completed", "cancelled", []],
  ["cancelled", "pending", []],
  ["cancelled", "confirmed", ["operator"]],
  ["cancelled", "in_progress", []],
  ["cancelled", "completed", []],
  ["cancelled", "cancelled", []]
] as const satisfies ReadonlyArray<readonly [TripStatus, TripStatus, ReadonlyArray<string>]>

const movers = ["customer", "driver", "operator", "payment", "system"] as const

describe("the trip's table", () => {
  it("lists all 25 pairs", () => {
    assert.strictEqual(new Set(pairs.map(([from, to]) => `${from} ${to}`)).size, 25)
    assert.deepStrictEqual([...new Set(pairs.map(([from]) => from))].sort(), [...TripStatus.literals].sort())
  })

  it.each(pairs)("%s to %s is permitted to %j only", (from, to, allowed) => {
    assert.deepStrictEqual(
      movers.filter((mover) => tripMachine.can(from, to, mover)),
      [...allowed]
    )
    assert.strictEqual(tripMachine.can(from, to), allowed.length > 0)
  })

  it("ends only in completed and cancelled", () => {
    assert.deepStrictEqual(TripStatus.literals.filter(tripMachine.isTerminal), ["completed", "cancelled"])
  })

  it("a new trip is confirmed, unless the business requires confirmation", () => {
    assert.strictEqual(initialTripStatus(false), "confirmed")
    assert.strictEqual(initialTripStatus(true), "pending")
  })

  it.effect.prop(
    "a completed or cancelled trip moves only if an operator reopens it",
    [Schema.Array(Schema.Tuple([TripStatus, Schema.Literals(movers)])).check(Schema.isMaxLength(30))],
    ([wishes]) =>
      Effect.gen(function* () {
        let status: TripStatus = initialTripStatus(true)
        let ended: TripStatus | undefined = undefined
        for (const [to, mover] of wishes) {
          status = yield* Effect.orElseSucceed(tripMachine.move(status, to, mover), () => status)
          const isReopened = mover === "operator" && to === "confirmed"
          if (ended !== undefined) assert.strictEqual(status, isReopened ? "confirmed" : ended)
          ended = status === "completed" || status === "cancelled" ? status : undefined
        }
      })
  )

  it.effect("the error of an illegal move lists the legal ones", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(tripMachine.move("pending", "completed"))
      assert.deepStrictEqual(refusal.legal, ["confirmed", "cancelled"])
      assert.strictEqual(
        refusal.message,
        "A trip that is pending cannot become completed; it may become confirmed, cancelled"
      )
      for (const from of TripStatus.literals)
        for (const to of TripStatus.literals)
          if (!tripMachine.can(from, to)) {
            const { message } = yield* Effect.flip(tripMachine.move(from, to))
            for (const next of tripMachine.next(from)) assert.include(message, next)
          }
    })
  )
})

describe("the delivery's table", () => {
  it("goes from pending to delivered or failed, and no further", () => {
    const { states, can } = deliveryMachine
    assert.deepStrictEqual(
      states.flatMap((from) => states.filter((to) => can(from, to)).map((to) => `${from} ${to}`)),
      ["pending delivered", "pending failed"]
    )
    assert.isFalse(can("pending", "delivered", "operator"))
    assert.isTrue(can("pending", "delivered", "system"))
  })
})
