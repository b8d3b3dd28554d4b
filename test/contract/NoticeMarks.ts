/** The contract of `NoticeMarks`. */
import {
  type BusinessId,
  NoticeMarks,
  NoticeRepository,
  toldTrip,
  type Trip,
  type TripId
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { type DateTime, Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, newTrip, now, wholeList } from "./Given.ts"
import { later, notice, tellingBusiness } from "./Notices.ts"

const isDue = Effect.fnUntraced(function* (business_id: BusinessId, trip_id: TripId, time: DateTime.Utc) {
  const due = yield* (yield* NoticeRepository).due(time, 1000)
  return due.some((one) => one.business_id === business_id && one.trip_id === trip_id)
})

const mark = Effect.fnUntraced(function* (
  trip: Trip,
  minutes: number,
  change: { readonly isUrgent?: boolean; readonly hasDriver?: boolean; readonly pickup?: string } = {}
) {
  const before = toldTrip({ ...trip, pickup_address: change.pickup ?? trip.pickup_address })
  const one = { before, isUrgent: change.isUrgent === true, hasDriver: change.hasDriver !== false }
  yield* (yield* NoticeMarks).mark(trip.business_id, [one], later(minutes))
})

const take = Effect.fnUntraced(function* ({ business_id, trip_id }: Trip, minutes: number) {
  return yield* (yield* NoticeRepository).take({ business_id, trip_id }, later(minutes))
})

export const noticeMarks = contract("the marks of changed trips", (it) => {
  it.effect("are made with a new trip only if the business tells its customers", () =>
    Effect.gen(function* () {
      const [telling, silent] = [yield* tellingBusiness, yield* newBusiness]
      const [told, untold] = [yield* newTrip(telling), yield* newTrip(silent)]
      assert.isFalse(yield* isDue(telling, told.trip_id, later(1)))
      assert.isTrue(yield* isDue(telling, told.trip_id, later(2)))
      assert.isFalse(yield* isDue(silent, untold.trip_id, later(600)))
      assert.deepStrictEqual(yield* take(told, 2), Option.some({ before: null }))
    })
  )

  it.effect("keep the state before the burst, and wait for its end, but not forever", () =>
    Effect.gen(function* () {
      const trip = yield* newTrip(yield* newBusiness)
      yield* mark(trip, 0, { hasDriver: false })
      assert.isTrue(Option.isNone(yield* take(trip, 600)))
      for (let minute = 0; minute < 25; minute++) yield* mark(trip, minute, { pickup: `P${minute}` })
      assert.isTrue(Option.isNone(yield* take(trip, 19)))
      const taken = yield* take(trip, 20)
      assert.strictEqual(Option.getOrThrow(taken).before?.pickup_address, "P0")
      assert.isTrue(Option.isNone(yield* take(trip, 600)))
    })
  )

  it.effect("of urgent changes are due at once, and stay due when another change comes", () =>
    Effect.gen(function* () {
      const trip = yield* newTrip(yield* newBusiness)
      yield* mark(trip, 0)
      yield* mark(trip, 1, { isUrgent: true })
      yield* mark(trip, 1)
      assert.isTrue(Option.isSome(yield* take(trip, 1)))
    })
  )

  it.effect("are claimed by one node for a minute", () =>
    Effect.gen(function* () {
      const trip = yield* newTrip(yield* newBusiness)
      const repository = yield* NoticeRepository
      yield* mark(trip, 0)
      assert.isFalse(yield* repository.claim(trip, now))
      assert.isTrue(yield* repository.claim(trip, later(2)))
      assert.isFalse(yield* repository.claim(trip, later(2)))
      assert.isFalse(yield* isDue(trip.business_id, trip.trip_id, later(2)))
      assert.isTrue(yield* isDue(trip.business_id, trip.trip_id, later(4)))
      yield* mark(trip, 3)
      assert.isTrue(yield* repository.claim(trip, later(3)))
    })
  )

  it.effect("and the addresses of notices go with an erased person", () =>
    Effect.gen(function* () {
      const trip = yield* newTrip(yield* newBusiness)
      const repository = yield* NoticeRepository
      yield* mark(trip, 0)
      yield* repository.insert(trip.business_id, notice(trip.trip_id), now)
      yield* (yield* NoticeMarks).forget(trip.business_id, [trip.trip_id])
      assert.isTrue(Option.isNone(yield* take(trip, 600)))
      const { items } = yield* repository.ofTrip(trip.business_id, trip.trip_id, wholeList)
      assert.deepStrictEqual(
        items.map(({ address }) => address),
        [null]
      )
    })
  )
})
