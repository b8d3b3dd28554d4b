import { assert, describe, it } from "@effect/vitest"
import { type ActingBusiness, maxFollowers, type TripId } from "@livery/domain"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { business } from "../support/People.ts"
import { acme, followedTrips, place } from "./FollowedTrips.ts"

const aSecond = TestClock.adjust("1 second")

describe("following a trip", () => {
  it.effect("sends the current state, then each new position and status, and ends with the trip", () =>
    Effect.gen(function* () {
      const { notify, follow, set } = yield* followedTrips
      set(5)
      const reader = yield* follow(5)
      assert.deepStrictEqual(reader.news, ["status confirmed"])
      set(5, { position: place(1) })
      yield* notify(5)
      set(5, { status: "in_progress", driver_status: "en_route" })
      yield* notify(5)
      set(5, { position: place(2) })
      yield* notify(5)
      assert.deepStrictEqual(reader.news, ["status confirmed", "position 1", "status 1", "position 2"])
      assert.isFalse(reader.isOver())
      set(5, { status: "completed", position: null })
      yield* notify(5)
      assert.deepStrictEqual(reader.news.slice(4), ["status completed"])
      assert.isTrue(reader.isOver())
    })
  )

  it.effect("sends another node's change within a second", () =>
    Effect.gen(function* () {
      const { follow, set } = yield* followedTrips
      set(5)
      const reader = yield* follow(5)
      set(5, { position: place(1) })
      yield* aSecond
      assert.deepStrictEqual(reader.news, ["status confirmed", "position 1"])
    })
  )

  it.effect("sends another node's change within a second also after the clock was set back by an hour", () =>
    Effect.gen(function* () {
      const { follow, notify, set } = yield* followedTrips
      yield* TestClock.adjust("2 hours")
      set(5)
      const reader = yield* follow(5)
      yield* TestClock.setTime(3_600_000)
      // In a test, a wait that began before the change of the clock would end an hour later; the loop begins a new one.
      yield* notify(5)
      set(5, { position: place(1) })
      yield* aSecond
      assert.deepStrictEqual(reader.news, ["status confirmed", "position 1"])
    })
  )

  it.effect("begins with the present state, although earlier followers have not got it yet", () =>
    Effect.gen(function* () {
      const { follow, set } = yield* followedTrips
      set(5)
      const first = yield* follow(5)
      set(5, { position: place(1) })
      const second = yield* follow(5)
      assert.deepStrictEqual(second.news, ["position 1"])
      assert.deepStrictEqual(first.news, ["status confirmed", "position 1"])
    })
  )

  it.effect("never sends a follower a state that was read before it came", () =>
    Effect.gen(function* () {
      const { delayNext, follow, notify, set } = yield* followedTrips
      set(5)
      const first = yield* follow(5)
      set(5, { position: place(1) })
      const respond = delayNext()
      yield* notify(5)
      set(5, { position: place(2) })
      const second = yield* follow(5)
      yield* respond
      assert.deepStrictEqual(first.news, ["status confirmed", "position 1", "position 2"])
      assert.deepStrictEqual(second.news, ["position 2"])
    })
  )

  it.effect("sends nothing twice, and nothing while nothing has changed", () =>
    Effect.gen(function* () {
      const { notify, follow, set } = yield* followedTrips
      set(5, { position: place(1) })
      const reader = yield* follow(5)
      for (let round = 0; round < 5; round++) {
        yield* notify(5)
        yield* aSecond
      }
      assert.deepStrictEqual(reader.news, ["position 1"])
    })
  )

  it.effect("reads all followed trips together every 800 ms, and reads nothing without followers", () =>
    Effect.gen(function* () {
      const { notify, follow, reads, set } = yield* followedTrips
      set(5)
      set(6)
      set(7)
      yield* TestClock.adjust("1 minute")
      yield* notify(5, 6, 7)
      assert.deepStrictEqual(reads, [])
      const readers = [yield* follow(5), yield* follow(5), yield* follow(5), yield* follow(6)]
      reads.length = 0
      for (let round = 0; round < 10; round++) yield* aSecond
      assert.isAtMost(reads.length, 13)
      assert.isAtLeast(reads.length, 11)
      for (const read of reads) assert.deepStrictEqual(read, [5, 6])
      reads.length = 0
      yield* notify(7)
      assert.deepStrictEqual(reads, [], "it has no followers")
      yield* notify(6)
      assert.deepStrictEqual(reads, [[6]])
      for (const reader of readers) yield* reader.leave
      reads.length = 0
      yield* TestClock.adjust("1 minute")
      assert.isAtMost(reads.length, 1)
    })
  )

  it.effect("continues after an outage of the database", () =>
    Effect.gen(function* () {
      const { away, follow, set } = yield* followedTrips
      set(5)
      const reader = yield* follow(5)
      away(true)
      set(5, { position: place(1) })
      for (let round = 0; round < 3; round++) yield* aSecond
      away(false)
      yield* aSecond
      assert.deepStrictEqual(reader.news, ["status confirmed", "position 1"])
    })
  )

  it.effect("is read while the trips of another business cannot be read", () =>
    Effect.gen(function* () {
      const { away, follow, set } = yield* followedTrips
      const other = business(2)
      set(5)
      set(6, { business_id: other.business_id })
      const [reader, waiting] = [yield* follow(5), yield* follow(6, other)]
      away(other.business_id)
      set(5, { status: "in_progress" })
      set(6, { status: "in_progress" })
      yield* aSecond
      assert.deepStrictEqual(reader.news, ["status confirmed", "status in_progress"])
      assert.deepStrictEqual(waiting.news, ["status confirmed"])
      away(false)
      yield* aSecond
      assert.deepStrictEqual(waiting.news, ["status confirmed", "status in_progress"])
    })
  )

  it.effect("is NotFound for an absent, deleted or another business's trip", () =>
    Effect.gen(function* () {
      const { set, watch } = yield* followedTrips
      set(5)
      set(6, { deleted: true })
      const tagOf = (as: ActingBusiness, tripId: number) =>
        Effect.scoped(
          Effect.match(watch.follow(as, tripId as TripId), {
            onSuccess: () => "ok",
            onFailure: ({ _tag }) => _tag
          })
        )
      assert.strictEqual(yield* tagOf(acme, 5), "ok")
      assert.strictEqual(yield* tagOf(business(2), 5), "NotFound")
      assert.strictEqual(yield* tagOf(acme, 6), "NotFound")
      assert.strictEqual(yield* tagOf(acme, 7), "NotFound")
    })
  )

  it.effect("ends for every follower when the trip is deleted, and when the server stops", () =>
    Effect.gen(function* () {
      const { follow, set, watch } = yield* followedTrips
      set(5)
      set(6)
      const readers = [yield* follow(5), yield* follow(5), yield* follow(6)]
      set(5, { deleted: true })
      yield* aSecond
      assert.deepStrictEqual(
        readers.map((reader) => reader.isOver()),
        [true, true, false]
      )
      yield* watch.close
      yield* TestClock.adjust("1 millis")
      assert.isTrue(readers[2]?.isOver())
      assert.isTrue((yield* follow(6)).isOver())
      assert.strictEqual(yield* watch.followers, 0)
    })
  )

  it.effect("does not count a follower who has left", () =>
    Effect.gen(function* () {
      const { follow, set, watch } = yield* followedTrips
      set(5)
      const readers = [yield* follow(5), yield* follow(5)]
      assert.strictEqual(yield* watch.followers, 2)
      for (const reader of readers) yield* reader.leave
      assert.strictEqual(yield* watch.followers, 0)
    })
  )

  it.effect("limits the followers of a business, and a follower that leaves frees a place", () =>
    Effect.gen(function* () {
      const { follow, set, watch } = yield* followedTrips
      set(5)
      set(6, { business_id: business(2).business_id })
      const readers = yield* Effect.forEach(Array.from({ length: maxFollowers.business }), () => follow(5))
      const refused = yield* Effect.flip(Effect.scoped(watch.follow(acme, 5 as TripId)))
      assert.strictEqual(refused._tag, "TooManyRequests")
      yield* follow(6, business(2))
      yield* readers[0]?.leave ?? Effect.void
      yield* follow(5)
    })
  )
})
