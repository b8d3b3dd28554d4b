/** The contracts of `NoticeMarks` and `NoticeRepository`. */
import {
  type BusinessId,
  defaultNoticeSettings,
  NoticeMarks,
  NoticeRepository,
  NoticeSettingsRepository,
  toldTrip,
  type Trip,
  type TripId
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { at, contract } from "./Contract.ts"
import { newBusiness, newTrip, now, wholeList } from "./Given.ts"

const later = (minutes: number) => DateTime.add(now, { minutes })

/** A business that tells its customers of bookings and reminds them. */
const tellingBusiness = Effect.gen(function* () {
  const business = yield* newBusiness
  const { channels } = defaultNoticeSettings
  const told = {
    ...defaultNoticeSettings,
    channels: { ...channels, booked: ["mail" as const], reminder: ["mail" as const] }
  }
  yield* (yield* NoticeSettingsRepository).put(business, told, now)
  return business
})

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

const notice = (trip_id: TripId) =>
  ({
    trip_id,
    kind: "booked",
    party: "passenger",
    driver_id: null,
    channel: "text",
    address: "+41446681800",
    status: "queued",
    reason: null,
    segments: null
  }) as const

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

export const noticeRepository = contract("the notices", (it) => {
  it.effect("say what became of them, to their business alone", () =>
    Effect.gen(function* () {
      const repository = yield* NoticeRepository
      const [trip, other] = [yield* newTrip(yield* newBusiness), yield* newBusiness]
      const { business_id, trip_id } = trip
      const stored = yield* repository.insert(business_id, notice(trip_id), now)
      assert.deepInclude(stored, { ...notice(trip_id), created_at: now, updated_at: now })
      const sent = { status: "sent", at: later(1), reference: "SM1", segments: 2 } as const
      assert.isTrue(Option.isNone(yield* repository.note(other, stored.notice_id, sent)))
      assert.deepInclude(Option.getOrThrow(yield* repository.note(business_id, stored.notice_id, sent)), {
        status: "sent",
        segments: 2,
        updated_at: later(1)
      })
      assert.isFalse(yield* repository.receipt(other, "SM1", "delivered", null, later(2)))
      assert.isTrue(yield* repository.receipt(business_id, "SM1", "failed", "undelivered", later(2)))
      // A receipt that comes twice, or late, changes nothing.
      assert.isFalse(yield* repository.receipt(business_id, "SM1", "delivered", null, later(3)))
      const { items, total } = yield* repository.ofTrip(business_id, trip_id, wholeList)
      assert.strictEqual(total, 1)
      assert.deepInclude(items[0], { status: "failed", reason: "undelivered", updated_at: later(2) })
      assert.deepStrictEqual((yield* repository.ofTrip(other, trip_id, wholeList)).items, [])
    })
  )

  it.effect("find the trips whose reminder is due, until it was told", () =>
    Effect.gen(function* () {
      const repository = yield* NoticeRepository
      const business = yield* tellingBusiness
      const trip = yield* newTrip(business, { trip_date: at("18:00:00") })
      const pending = yield* newTrip(business, { status: "pending" })
      const silent = yield* newTrip(yield* newBusiness)
      const found = Effect.map(repository.dueReminders(now, 1000), (due) =>
        [trip, pending, silent].map(({ trip_id }) => due.some((one) => one.trip_id === trip_id))
      )
      assert.deepStrictEqual(yield* found, [true, false, false])
      const since = DateTime.subtract(trip.trip_date, { days: 1 })
      assert.isFalse(yield* repository.hasNotice(trip, "reminder", since))
      yield* repository.insert(business, { ...notice(trip.trip_id), kind: "reminder" }, now)
      assert.isTrue(yield* repository.hasNotice(trip, "reminder", since))
      assert.deepStrictEqual(yield* found, [false, false, false])
    })
  )

  it.effect("remember the numbers that want no text messages of a business", () =>
    Effect.gen(function* () {
      const repository = yield* NoticeRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const hash = "a".repeat(64)
      for (const wish of [true, true]) yield* repository.setStopped(business, hash, wish, now)
      assert.isTrue(yield* repository.isStopped(business, hash))
      assert.isFalse(yield* repository.isStopped(other, hash))
      yield* repository.setStopped(business, hash, false, now)
      assert.isFalse(yield* repository.isStopped(business, hash))
    })
  )
})
