import { assert, describe, it } from "@effect/vitest"
import { maxBoardFollowers } from "@livery/domain"
import { DateTime, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { acme } from "../support/Dispatch.ts"
import { business } from "../support/People.ts"
import { followedBoard, settled } from "./FollowedBoard.ts"

const start = DateTime.toEpochMillis(DateTime.makeUnsafe("2026-11-20T06:00:00Z"))

const ride = (change: object = {}) => ({
  trip_date: "2026-11-20T09:30:00",
  pickup_address: "Bahnhofplatz 1",
  dropoff_address: "Flughafen",
  customer_name: "Zoë",
  duration_minutes: 60,
  ...change
})

/** Lets the time pass, and the followers receive what happened. */
const pass = (time: string) => Effect.andThen(TestClock.adjust(time as "1 second"), settled)

const aMoment = Effect.forEach([1, 2, 3], () => pass("100 millis"), { discard: true })

/** Numbers that are the same in each run. */
const randomNumbers = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return (state >>> 8) % below
  }
}

describe("following the dispatch board", () => {
  it.effect("begins with a gap, and then names what changed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { addDrivers, assign, create, follower, position, remove, report, update } = yield* followedBoard
      addDrivers(1, 11)
      yield* create(ride())
      const one = follower()
      yield* one.connect
      assert.deepStrictEqual(one.news.splice(0), ["gap start"])
      assert.deepStrictEqual(
        one.jobs().map(({ trip_id }) => trip_id),
        [1]
      )
      yield* create(ride({ trip_date: "2026-11-20T12:00:00" }))
      yield* aMoment
      assert.deepStrictEqual(one.news.splice(0), ["trip", "counts"])
      yield* assign(1, [11])
      yield* aMoment
      assert.deepStrictEqual(one.news.splice(0), ["assignment", "counts"])
      yield* report(1, { status: "en_route", force: true })
      yield* aMoment
      assert.deepStrictEqual(one.news.splice(0), ["assignment", "counts"])
      yield* position(11, 47.4)
      yield* aMoment
      assert.deepStrictEqual(one.news.splice(0), ["position"])
      assert.strictEqual(one.jobs()[0]?.drivers[0]?.position?.lat, 47.4)
      yield* update(2, { trip_date: "2026-11-25T12:00:00" })
      yield* aMoment
      assert.deepStrictEqual(one.news.splice(0), ["gone", "counts"])
      yield* remove(1)
      yield* aMoment
      assert.deepStrictEqual(one.news.splice(0), ["gone", "counts"])
      assert.deepStrictEqual(one.jobs(), [])
    })
  )

  it.effect("names a job that becomes late, and reads nothing else while nothing changes", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { calls, create, follower } = yield* followedBoard
      yield* create(ride({ trip_date: "2026-11-20T06:00:30Z" }))
      const one = follower()
      yield* one.connect
      one.news.length = 0
      yield* pass("16 seconds")
      const before = calls.jobs
      yield* pass("14 seconds")
      assert.isAtMost(calls.jobs - before, 1)
      yield* aMoment
      assert.deepStrictEqual(one.news, ["trip", "counts"])
      assert.deepStrictEqual(
        one.jobs()[0]?.warnings.map(({ type }) => type),
        ["unassigned", "late_start"]
      )
      assert.strictEqual(one.counts()?.late, 1)
    })
  )

  it.effect("resumes after the last event that a follower received, and says when it cannot", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { create, follower, update } = yield* followedBoard
      yield* create(ride())
      const one = follower()
      yield* one.connect
      one.news.length = 0
      yield* one.disconnect
      yield* update(1, { notes: "Two bags" })
      yield* create(ride())
      yield* aMoment
      yield* one.connect
      assert.deepStrictEqual(one.news.splice(0), ["trip", "trip", "counts"])
      assert.deepStrictEqual(
        one.jobs().map(({ notes }) => notes),
        ["Two bags", null]
      )
      yield* one.disconnect
      yield* pass("2 minutes")
      yield* one.connect
      assert.deepStrictEqual(one.news.splice(0), ["gap missed"])
    })
  )

  it.effect("reads each change once, for any number of followers", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { calls, create, follower, update } = yield* followedBoard
      yield* create(ride())
      const readsWith = Effect.fnUntraced(function* (count: number) {
        const followers = Array.from({ length: count }, () => follower({ date: "2026-11-20" }))
        yield* Effect.forEach(followers, ({ connect }) => connect)
        yield* pass("11 seconds")
        const [jobs, changes] = [calls.jobs, calls.changes]
        for (let change = 0; change < 20; change++) {
          yield* update(1, { notes: `${count} ${change}` })
          yield* pass("100 millis")
        }
        for (const { disconnect, jobs: own } of followers) {
          assert.strictEqual(own()[0]?.notes, `${count} 19`)
          yield* disconnect
        }
        return { jobs: calls.jobs - jobs, changes: calls.changes - changes }
      })
      const alone = yield* readsWith(1)
      assert.isAtMost(alone.jobs, 21)
      assert.deepStrictEqual(yield* readsWith(50), alone)
      yield* pass("2 minutes")
      const { changes } = calls
      yield* pass("1 minute")
      assert.strictEqual(calls.changes, changes, "nothing is read without followers")
    })
  )

  it.effect("goes on while the boards of another business cannot be read", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { away, create, follower, update } = yield* followedBoard
      const other = business(2)
      yield* create(ride())
      const [own, theirs] = [follower({ date: "2026-11-20" }), follower({ date: "2026-11-20" }, other)]
      yield* Effect.forEach([own, theirs], ({ connect }) => connect)
      away(other.business_id)
      for (const notes of ["one", "two", "three"]) {
        yield* update(1, { notes })
        yield* aMoment
        assert.strictEqual(own.jobs()[0]?.notes, notes)
      }
      away(acme.business_id)
      yield* update(1, { notes: "four" })
      yield* aMoment
      assert.strictEqual(own.jobs()[0]?.notes, "three")
      away()
      yield* pass("1 second")
      yield* aMoment
      assert.strictEqual(own.jobs()[0]?.notes, "four")
    })
  )

  it.effect("refuses a time that no board has, and more followers than a node takes", () =>
    Effect.gen(function* () {
      const { follower } = yield* followedBoard
      const refused = yield* Effect.result(follower({ from: "2026-11-20T10:00:00Z" }).connect)
      assert.isTrue(Result.isFailure(refused))
      const followers = Array.from({ length: maxBoardFollowers }, () => follower())
      yield* Effect.forEach(followers, ({ connect }) => connect)
      const beyond = yield* Effect.result(follower().connect)
      assert.isTrue(
        Result.isFailure(beyond) && (beyond.failure as { _tag: string })._tag === "TooManyRequests"
      )
      yield* followers[0]?.disconnect ?? Effect.void
      yield* follower().connect
    })
  )

  it.effect(
    "keeps two followers equal to the board through 1,000 random changes and lost connections",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const board = yield* followedBoard
        const drivers = [11, 12, 13, 14, 15]
        board.addDrivers(1, ...drivers)
        const random = randomNumbers(20_261_128)
        const two = (number: number) => String(number).padStart(2, "0")
        const time = () =>
          random(3) === 0
            ? `2026-11-20T07:${two(random(20))}:${two(random(60))}`
            : `2026-11-${19 + random(3)}T${two(random(24))}:00:00`
        const driver = () => drivers[random(drivers.length)] ?? 11
        let trips = 0
        const changes: ReadonlyArray<(id: number) => Effect.Effect<unknown, unknown>> = [
          () =>
            trips < 40
              ? Effect.tap(board.create(ride({ trip_date: time() })), () => Effect.sync(() => trips++))
              : Effect.void,
          (id) => board.update(id, { trip_date: time(), force: true }),
          (id) => board.update(id, { notes: `note ${random(100)}`, flight_number: `LX${random(100)}` }),
          (id) => board.update(id, { duration_minutes: 30 + random(3000), force: true }),
          (id) => board.update(id, { status: "cancelled", cancel_reason: "operator" }),
          (id) => board.assign(id, [driver()]),
          (id) => board.assign(id, [driver(), driver()]),
          (id) => board.assign(id, []),
          (id) => board.report(id, { driver_id: driver(), status: "en_route", force: true }),
          (id) => board.report(id, { driver_id: driver(), status: "completed" }),
          () => board.position(driver(), 47 + random(100) / 100),
          (id) => board.reopen(id),
          (id) => (random(5) === 0 ? board.remove(id) : Effect.void)
        ]
        const today = board.follower()
        const dayBefore = board.follower({ from: "2026-11-19T00:00:00", to: "2026-11-20T12:00:00" })
        const followers = [
          { ...today, filter: {} },
          { ...dayBefore, filter: { from: "2026-11-19T00:00:00", to: "2026-11-20T12:00:00" } }
        ]
        let done = 0
        for (let step = 0; step < 1000; step++) {
          const change = changes[random(changes.length)] ?? (() => Effect.void)
          const result = yield* Effect.result(change(1 + random(Math.max(trips, 1))))
          if (Result.isSuccess(result)) done += 1
          const pause = random(100) === 0 ? "61 seconds" : ["0 millis", "40 millis", "100 millis"][random(3)]
          yield* pass(pause ?? "0 millis")
          for (const one of followers)
            if (random(10) === 0) yield* one.isConnected() ? one.disconnect : one.connect
          if (step % 20 !== 19) continue
          for (const one of followers) {
            if (!one.isConnected()) yield* one.connect
            yield* aMoment
            const { counts, items } = yield* board.board(one.filter)
            assert.deepStrictEqual(one.jobs(), items, `after ${step + 1} changes`)
            assert.deepStrictEqual(one.counts(), counts)
            assert.deepStrictEqual(one.counted(), counts)
          }
        }
        assert.isAtLeast(done, 300)
        for (const one of followers) {
          assert.include(one.news, "gap missed")
          for (const name of ["trip", "assignment", "position", "gone"]) assert.include(one.news, name)
        }
      }),
    60_000
  )
})
