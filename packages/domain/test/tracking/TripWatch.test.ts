import { assert, describe, it } from "@effect/vitest"
import {
  type ActingBusiness,
  Cryptography,
  maxFollowers,
  type Position,
  TrackingRepository,
  type TripId,
  type TripUpdate,
  type TrackedTrip,
  TripWatch
} from "@livery/domain"
import { DateTime, Effect, Exit, Fiber, Layer, Option, Redacted, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { business } from "../support/People.ts"

const acme = business(1)

const place = (lat: number): Position => ({
  lat,
  lng: 8.5,
  accuracy: null,
  heading: null,
  speed: null,
  recorded_at: DateTime.makeUnsafe(lat * 1000)
})

/** A token of the business, by a letter. */
const linkToken = (letter: string) => `lvt_${acme.business_id}_${letter.repeat(43)}`

/** Trips in memory, who looks at them how often, and the watch over them. */
const scene = Effect.gen(function* () {
  const trips = new Map<number, TrackedTrip>()
  const looks: Array<ReadonlyArray<number>> = []
  let isAway = false
  const context = yield* Layer.build(
    TripWatch.layer.pipe(
      Layer.provideMerge(Cryptography.layerWebCrypto),
      Layer.provide(
        Layer.mock(TrackingRepository)({
          find: (wanted) =>
            Effect.suspend(() => {
              looks.push(wanted.map(({ tripId }) => tripId))
              if (isAway) return Effect.die(new Error("the database is away"))
              return Effect.succeed(
                wanted.flatMap(({ businessId, tripId }) => {
                  const trip = trips.get(tripId)
                  return trip?.business.business_id === businessId ? [trip] : []
                })
              )
            }),
          findByLink: (businessId, hash) =>
            Effect.sync(() =>
              Option.fromUndefinedOr(
                [...trips.values()].find(
                  ({ business, link_hash }) => business.business_id === businessId && link_hash === hash
                )
              )
            )
        })
      )
    )
  )
  const watch = yield* Effect.provide(TripWatch, context)
  const { sha256 } = yield* Effect.provide(Cryptography, context)
  const set = (tripId: number, change: Partial<TrackedTrip> = {}) => {
    const before = trips.get(tripId) ?? {
      trip_id: tripId as TripId,
      business: acme,
      status: "confirmed",
      driver_status: "assigned",
      trip_date: DateTime.makeUnsafe(0),
      pickup_timezone: null,
      deleted: false,
      ended_at: null,
      link_hash: null,
      position: null
    }
    trips.set(tripId, { ...before, ...change })
  }
  /** Follows in a scope of its own: the news so far, and how to leave. */
  const reading = Effect.fnUntraced(function* <E>(
    open: Effect.Effect<Stream.Stream<TripUpdate>, E, Scope.Scope>
  ) {
    const scope = yield* Scope.make()
    const news: Array<string> = []
    const stream = yield* Scope.provide(open, scope)
    const fiber = yield* stream.pipe(
      Stream.runForEach(({ kind, trip }) =>
        Effect.sync(() => void news.push(`${kind} ${trip.position?.lat ?? trip.status}`))
      ),
      Effect.ensuring(Effect.suspend(() => Scope.close(scope, Exit.void))),
      Effect.forkChild
    )
    yield* TestClock.adjust("1 millis")
    return { news, fiber, leave: Fiber.interrupt(fiber), isOver: () => fiber.pollUnsafe() !== undefined }
  })
  return {
    watch,
    trips,
    set,
    looks,
    away: (now: boolean) => void (isAway = now),
    sha256,
    follow: (tripId: number, as: ActingBusiness = acme) => reading(watch.follow(as, tripId as TripId)),
    followLink: (token: string) => reading(watch.followLink(Redacted.make(token))),
    changed: (...tripIds: ReadonlyArray<number>) =>
      Effect.andThen(
        watch.changed(tripIds.map((tripId) => ({ businessId: acme.business_id, tripId: tripId as TripId }))),
        TestClock.adjust("1 millis")
      )
  }
})

const aSecond = TestClock.adjust("1 second")

describe("following a trip", () => {
  it.effect("sends the current state, then each new position and status, and ends with the trip", () =>
    Effect.gen(function* () {
      const { changed, follow, set } = yield* scene
      set(5)
      const reader = yield* follow(5)
      assert.deepStrictEqual(reader.news, ["status confirmed"])
      set(5, { position: place(1) })
      yield* changed(5)
      set(5, { status: "in_progress", driver_status: "en_route" })
      yield* changed(5)
      set(5, { position: place(2) })
      yield* changed(5)
      assert.deepStrictEqual(reader.news, ["status confirmed", "position 1", "status 1", "position 2"])
      assert.isFalse(reader.isOver())
      set(5, { status: "completed", position: null })
      yield* changed(5)
      assert.deepStrictEqual(reader.news.slice(4), ["status completed"])
      assert.isTrue(reader.isOver())
    })
  )

  it.effect("sends another node's change within a second", () =>
    Effect.gen(function* () {
      const { follow, set } = yield* scene
      set(5)
      const reader = yield* follow(5)
      set(5, { position: place(1) })
      yield* aSecond
      assert.deepStrictEqual(reader.news, ["status confirmed", "position 1"])
    })
  )

  it.effect("says nothing twice, and nothing while nothing is new", () =>
    Effect.gen(function* () {
      const { changed, follow, set } = yield* scene
      set(5, { position: place(1) })
      const reader = yield* follow(5)
      for (let round = 0; round < 5; round++) {
        yield* changed(5)
        yield* aSecond
      }
      assert.deepStrictEqual(reader.news, ["position 1"])
    })
  )

  it.effect("reads all followed trips together every 800 ms, and reads nothing without followers", () =>
    Effect.gen(function* () {
      const { changed, follow, looks, set } = yield* scene
      set(5)
      set(6)
      set(7)
      yield* TestClock.adjust("1 minute")
      yield* changed(5, 6, 7)
      assert.deepStrictEqual(looks, [])
      const readers = [yield* follow(5), yield* follow(5), yield* follow(5), yield* follow(6)]
      looks.length = 0
      for (let round = 0; round < 10; round++) yield* aSecond
      assert.isAtMost(looks.length, 13)
      assert.isAtLeast(looks.length, 11)
      for (const look of looks) assert.deepStrictEqual(look, [5, 6])
      looks.length = 0
      yield* changed(7)
      assert.deepStrictEqual(looks, [], "it has no followers")
      yield* changed(6)
      assert.deepStrictEqual(looks, [[6]])
      for (const reader of readers) yield* reader.leave
      looks.length = 0
      yield* TestClock.adjust("1 minute")
      assert.isAtMost(looks.length, 1)
    })
  )

  it.effect("continues after an outage of the database", () =>
    Effect.gen(function* () {
      const { away, follow, set } = yield* scene
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

  it.effect("is for the trips of one's own business that are there", () =>
    Effect.gen(function* () {
      const { set, watch } = yield* scene
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
      const { follow, set, watch } = yield* scene
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

  it.effect("leaves nothing behind when a follower goes", () =>
    Effect.gen(function* () {
      const { follow, set, watch } = yield* scene
      set(5)
      const readers = [yield* follow(5), yield* follow(5)]
      assert.strictEqual(yield* watch.followers, 2)
      for (const reader of readers) yield* reader.leave
      assert.strictEqual(yield* watch.followers, 0)
    })
  )

  it.effect("limits the followers of a business, and a follower that leaves frees a place", () =>
    Effect.gen(function* () {
      const { follow, set, watch } = yield* scene
      set(5)
      set(6, { business: business(2) })
      const readers = yield* Effect.forEach(Array.from({ length: maxFollowers.business }), () => follow(5))
      const refused = yield* Effect.flip(Effect.scoped(watch.follow(acme, 5 as TripId)))
      assert.strictEqual(refused._tag, "TooManyRequests")
      yield* follow(6, business(2))
      yield* readers[0]?.leave ?? Effect.void
      yield* follow(5)
    })
  )
})

describe("following by a link", () => {
  it.effect("ends once the link is withdrawn or replaced, or the business suspended", () =>
    Effect.gen(function* () {
      const { changed, followLink, set, sha256 } = yield* scene
      for (const change of [
        { link_hash: null },
        { link_hash: "another" },
        { business: { ...acme, status: "D" as const } }
      ]) {
        set(5, { business: acme, link_hash: yield* sha256(linkToken("a")) })
        const reader = yield* followLink(linkToken("a"))
        set(5, { position: place(1) })
        yield* changed(5)
        assert.isFalse(reader.isOver())
        set(5, { ...change, position: place(2) })
        yield* changed(5)
        assert.isTrue(reader.isOver())
        assert.notInclude(reader.news, "position 2")
        set(5, { position: null })
      }
    })
  )

  it.effect("begins only where there is something to follow", () =>
    Effect.gen(function* () {
      const { set, sha256, watch } = yield* scene
      const link_hash = yield* sha256(linkToken("a"))
      const tagOf = (token: string) =>
        Effect.scoped(
          Effect.match(watch.followLink(Redacted.make(token)), {
            onSuccess: () => "ok",
            onFailure: ({ _tag }) => _tag
          })
        )
      set(5, { link_hash })
      assert.strictEqual(yield* tagOf(linkToken("a")), "ok")
      assert.strictEqual(yield* tagOf(linkToken("b")), "NotFound")
      for (const change of [
        { status: "completed" as const },
        { status: "cancelled" as const },
        { status: "confirmed" as const, deleted: true },
        { deleted: false, business: business(1, { status: "D" }) }
      ]) {
        set(5, change)
        assert.strictEqual(yield* tagOf(linkToken("a")), "NotFound")
      }
    })
  )

  it.effect("has so many places for one link, which do not take those of the business's people", () =>
    Effect.gen(function* () {
      const { follow, followLink, set, sha256, watch } = yield* scene
      set(5, { link_hash: yield* sha256(linkToken("a")) })
      yield* Effect.forEach(Array.from({ length: maxFollowers.link }), () => followLink(linkToken("a")))
      const refused = yield* Effect.flip(Effect.scoped(watch.followLink(Redacted.make(linkToken("a")))))
      assert.strictEqual(refused._tag, "TooManyRequests")
      yield* follow(5)
    })
  )
})
