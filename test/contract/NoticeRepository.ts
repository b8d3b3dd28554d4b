/** The contract of `NoticeRepository`. */
import { NoticeRepository, TimelineRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { at, contract } from "./Contract.ts"
import { newBusiness, newTrip, now, wholeList } from "./Given.ts"
import { later, notice, tellingBusiness } from "./Notices.ts"

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
      const timeline = yield* (yield* TimelineRepository).list(business_id, trip_id, wholeList)
      const entry = Option.getOrThrow(timeline).items.at(-1)
      const told = { kind: "booked", channel: "text", party: "passenger", status: "sent" }
      assert.deepInclude(entry, {
        change: "notice",
        at: later(1),
        after: { ...told, notice_id: stored.notice_id }
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
