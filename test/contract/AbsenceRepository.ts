/** The contract of `AbsenceRepository`. */
import { AbsenceRepository, DriverRepository, type TripWindow } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { at, contract } from "./Contract.ts"
import { newBusiness, newDriver, now, wholeList } from "./Given.ts"

const window = (from: string, to: string): TripWindow => ({ starts: at(from), ends: at(to) })

const sick = { kind: "sick", note: "Flu" } as const

export const absenceRepository = contract("the absences of a driver", (it) => {
  it.effect("are returned as stored, the earliest first, to their own business alone", () =>
    Effect.gen(function* () {
      const absences = yield* AbsenceRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const [dan, eve] = [yield* newDriver(business), yield* newDriver(business)]
      const windows = [window("14:00:00", "15:00:00"), window("10:00:00", "11:00:00")]
      const stored = yield* absences.insert(business, dan, sick, windows, now)
      const [later] = stored
      assert.deepInclude(later, {
        ...sick,
        business_id: business,
        driver_id: dan,
        starts_at: at("14:00:00"),
        ends_at: at("15:00:00"),
        created_at: now
      })
      yield* absences.insert(business, eve, sick, windows, now)
      const list = (of: typeof business, times = {}) => absences.list(of, dan, times, wholeList)
      assert.deepStrictEqual((yield* list(business)).items, stored.toReversed())
      assert.strictEqual((yield* list(business)).total, 2)
      assert.deepStrictEqual((yield* list(business, { from: at("11:00:00") })).items, stored.slice(0, 1))
      assert.deepStrictEqual((yield* list(business, { to: at("14:00:00") })).items, stored.slice(1))
      assert.deepStrictEqual((yield* list(other)).items, [])
    })
  )

  it.effect("are found within a window, which they may not only touch", () =>
    Effect.gen(function* () {
      const absences = yield* AbsenceRepository
      const business = yield* newBusiness
      const dan = yield* newDriver(business)
      const stored = yield* absences.insert(business, dan, sick, [window("10:00:00", "11:00:00")], now)
      const within = (from: string, to: string) => absences.within(business, dan, window(from, to))
      assert.deepStrictEqual(yield* within("10:59:59", "12:00:00"), stored)
      assert.deepStrictEqual(yield* within("09:00:00", "10:00:00"), [])
      assert.deepStrictEqual(yield* within("11:00:00", "12:00:00"), [])
    })
  )

  it.effect("of all drivers of a business are listed by a window, the earliest first", () =>
    Effect.gen(function* () {
      const absences = yield* AbsenceRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const [dan, eve, gone] = [
        yield* newDriver(business),
        yield* newDriver(business),
        yield* newDriver(business)
      ]
      const late = yield* absences.insert(business, dan, sick, [window("14:00:00", "15:00:00")], now)
      const longWindow = { starts: DateTime.subtract(at("10:00:00"), { days: 30 }), ends: at("11:00:00") }
      const long = yield* absences.insert(business, eve, sick, [longWindow], now)
      yield* absences.insert(business, gone, sick, [longWindow], now)
      yield* (yield* DriverRepository).remove(business, gone, now)
      const during = (from: string, to: string, of = business, page = wholeList) =>
        absences.during(of, window(from, to), page)
      const whole = yield* during("10:00:00", "18:00:00")
      assert.deepStrictEqual(whole.items, [...long, ...late])
      assert.strictEqual(whole.total, 2)
      const first = yield* during("10:00:00", "18:00:00", business, { page: 1, perPage: 1 })
      assert.deepStrictEqual([first.items, first.hasMore], [long, true])
      assert.deepStrictEqual((yield* during("11:00:00", "14:00:00")).items, [])
      assert.deepStrictEqual((yield* during("10:00:00", "18:00:00", other)).items, [])
    })
  )

  it.effect("are removed by id, and with the driver", () =>
    Effect.gen(function* () {
      const absences = yield* AbsenceRepository
      const drivers = yield* DriverRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const dan = yield* newDriver(business)
      const windows = [window("10:00:00", "11:00:00"), window("12:00:00", "13:00:00")]
      const stored = yield* absences.insert(business, dan, sick, windows, now)
      const ids = stored.map(({ absence_id }) => absence_id)
      yield* absences.remove(other, ids)
      assert.deepStrictEqual(yield* absences.find(business, dan, ids), stored)
      assert.deepStrictEqual(yield* absences.find(other, dan, ids), [])
      yield* absences.remove(business, ids.slice(0, 1))
      assert.deepStrictEqual(yield* absences.find(business, dan, ids), stored.slice(1))
      yield* drivers.remove(business, dan, now)
      assert.deepStrictEqual(yield* drivers.find(business, dan), Option.none())
      assert.deepStrictEqual(yield* absences.find(business, dan, ids), [])
    })
  )
})
