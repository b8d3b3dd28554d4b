import { assert, describe, it } from "@effect/vitest"
import { allowCar, allowDriver, type Currency, surplusSeats } from "@livery/domain"
import { Effect, Option, Result, Schema } from "effect"

const USD = "USD" as Currency
const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))
const limit = Schema.NullOr(count)

describe("a plan's cars", () => {
  it.effect.prop("are limited, or unlimited", { limit, current: count }, ({ current, limit }) =>
    Effect.sync(() => {
      const verdict = allowCar({ cars: limit }, current)
      assert.strictEqual(Result.isSuccess(verdict), limit === null || current + 1 <= limit)
      if (Result.isFailure(verdict)) {
        const { limit: reported, resource, current: counted } = verdict.failure
        assert.deepStrictEqual<unknown>([resource, reported, counted], ["cars", limit, current])
      }
    })
  )
})

describe("a plan's drivers", () => {
  it("beyond the plan give the seat's price in major units, and whether a confirmation is possible", () => {
    const refusalOf = (seat_minor: number | null, currency = USD) =>
      Result.getOrThrow(
        Result.flip(allowDriver({ drivers: 2, seat_minor, currency }, { active: 2, seats: 0 }, false))
      )
    assert.deepInclude(refusalOf(1550), { limit: 2, current: 2, seatPrice: 15.5, requiresConfirmation: true })
    assert.deepInclude(refusalOf(null), { seatPrice: null, requiresConfirmation: false })
    assert.deepInclude(refusalOf(0), { seatPrice: 0, requiresConfirmation: true })
    assert.deepInclude(refusalOf(1550, "JPY" as Currency), { seatPrice: 1550, currency: "JPY" })
  })

  const Step = Schema.Union([
    Schema.Literals(["join", "join and pay", "leave"]),
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })))
  ])

  /** The reference model: each driver has an included place or a paid seat, and pays only without an included place. */
  const model = (sells: boolean) => {
    const places = { included: 0, paid: 0 }
    let limit: number | null = 2
    const isRoom = () => limit === null || places.included < limit
    const take = (pays: boolean) => {
      if (isRoom()) places.included += 1
      else if (pays && sells) places.paid += 1
      else return false
      return true
    }
    const leave = () => {
      if (places.included > 0) places.included -= 1
      else places.paid -= 1
      for (; places.paid > 0 && isRoom(); places.included += 1) places.paid -= 1
    }
    const change = (to: number | null) => void (limit = to)
    return { places, take, leave, change, limit: () => limit }
  }

  it.effect.prop(
    "take an included place if there is one, else a paid seat, and never keep a surplus seat",
    {
      sells: Schema.Boolean,
      steps: Schema.Array(Step).check(Schema.isMinLength(12), Schema.isMaxLength(40))
    },
    ({ sells, steps }) =>
      Effect.sync(() => {
        const reference = model(sells)
        let [active, seats] = [0, 0]
        for (const step of steps) {
          const plan = { drivers: reference.limit(), seat_minor: sells ? 1000 : null, currency: USD }
          if (step === null || typeof step === "number") reference.change(step)
          else if (step !== "leave") {
            const verdict = allowDriver(plan, { active, seats }, step === "join and pay")
            assert.strictEqual(Result.isSuccess(verdict), reference.take(step === "join and pay"))
            if (Result.isFailure(verdict)) continue
            active += 1
            if (Option.isSome(verdict.success)) seats += 1
          } else if (active > 0) {
            active -= 1
            reference.leave()
            seats -= surplusSeats(plan, { active, seats })
          }
          assert.deepStrictEqual({ included: active - seats, paid: seats }, reference.places)
        }
      })
  )
})
