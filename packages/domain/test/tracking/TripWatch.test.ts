import { assert, describe, it } from "@effect/vitest"
import {
  type ActingBusiness,
  AssignmentId,
  type BusinessId,
  Cryptography,
  type DriverStatus,
  maxFollowers,
  type Position,
  TrackingRepository,
  TripId,
  type TripStatus,
  type TripUpdate,
  TripWatch
} from "@livery/domain"
import { DateTime, Effect, Exit, Fiber, Layer, Redacted, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { stamps } from "../support/Businesses.ts"
import { dispatch } from "../support/Dispatch.ts"
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

/** A test's change of a stored trip. `link_hash` and `position` are null if there is none. */
interface TripChange {
  readonly business_id?: BusinessId
  readonly status?: TripStatus
  readonly driver_status?: DriverStatus
  readonly deleted?: boolean
  readonly link_hash?: string | null
  readonly position?: Position | null
}

/** Trips on the ports in memory, each with a driver under way, the `TripWatch`, and the reads that it makes. */
const followedTrips = Effect.gen(function* () {
  const { assign, create, addDrivers, layer, store } = yield* dispatch
  const drivers = addDrivers(acme.business_id, 11)
  const { trip_id } = yield* create({}, acme)
  yield* assign(trip_id, drivers, false, acme)
  const [template] = store.trips.where()
  const [assignment] = store.assignments.where()
  assert.isDefined(template)
  assert.isDefined(assignment)
  const reads: Array<ReadonlyArray<number>> = []
  let isAway = false
  const Observed = Layer.effect(
    TrackingRepository,
    Effect.map(TrackingRepository, (tracking) =>
      TrackingRepository.of({
        ...tracking,
        find: (wanted) =>
          Effect.suspend(() => {
            reads.push(wanted.map(({ tripId }) => tripId))
            return isAway ? Effect.die(new Error("the database is away")) : tracking.find(wanted)
          })
      })
    )
  ).pipe(Layer.provide(layer))
  const context = yield* Layer.build(
    TripWatch.layer.pipe(Layer.provideMerge(Cryptography.layerWebCrypto), Layer.provide(Observed))
  )
  const watch = yield* Effect.provide(TripWatch, context)
  const { sha256 } = yield* Effect.provide(Cryptography, context)
  /** Stores a trip, or changes the stored one, without a use case. */
  const set = (id: number, { deleted, link_hash, position, ...fields }: TripChange = {}) => {
    const tripId = TripId.make(id)
    const assignment_id = AssignmentId.make(id)
    const before = store.trips.get(tripId)
    if (before === undefined)
      store.assignments.set(assignment_id, {
        ...assignment,
        assignment_id,
        trip_id: tripId,
        status: "en_route"
      })
    const { deleted_at, ...trip } = before ?? { ...template, status: "confirmed", trip_id: tripId }
    const isDeleted = deleted ?? deleted_at !== undefined
    store.trips.set(tripId, {
      ...trip,
      ...fields,
      ...(isDeleted ? { deleted_at: stamps.updated_at } : {})
    })
    const { business_id } = acme
    if (link_hash === null) store.links.remove(tripId)
    else if (link_hash !== undefined)
      store.links.set(tripId, { business_id, trip_id: tripId, tokenHash: link_hash })
    if (position === null) store.positions.remove(assignment_id)
    else if (position !== undefined) store.positions.set(assignment_id, { ...position, assignment_id })
  }
  /** Follows a trip in a scope of its own: returns the updates so far, and the effect that stops following. */
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
    set,
    reads,
    setBusinessStatus: (status: ActingBusiness["status"]) =>
      store.businesses.change(acme.business_id, { status }),
    away: (now: boolean) => void (isAway = now),
    sha256,
    follow: (tripId: number, as: ActingBusiness = acme) => reading(watch.follow(as, tripId as TripId)),
    followLink: (token: string) => reading(watch.followLink(Redacted.make(token))),
    notify: (...tripIds: ReadonlyArray<number>) =>
      Effect.andThen(
        watch.notify(tripIds.map((tripId) => ({ businessId: acme.business_id, tripId: tripId as TripId }))),
        TestClock.adjust("1 millis")
      )
  }
})

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

describe("following by a link", () => {
  it.effect("ends once the link is removed or replaced, or the business is suspended", () =>
    Effect.gen(function* () {
      const { notify, followLink, set, setBusinessStatus, sha256 } = yield* followedTrips
      const ends: ReadonlyArray<() => unknown> = [
        () => set(5, { link_hash: null }),
        () => set(5, { link_hash: "another" }),
        () => setBusinessStatus("D")
      ]
      for (const end of ends) {
        set(5, { link_hash: yield* sha256(linkToken("a")) })
        const reader = yield* followLink(linkToken("a"))
        set(5, { position: place(1) })
        yield* notify(5)
        assert.isFalse(reader.isOver())
        end()
        set(5, { position: place(2) })
        yield* notify(5)
        assert.isTrue(reader.isOver())
        assert.notInclude(reader.news, "position 2")
        set(5, { position: null })
      }
    })
  )

  it.effect("needs a valid token of a trip that is open or has just ended", () =>
    Effect.gen(function* () {
      const { set, setBusinessStatus, sha256, watch } = yield* followedTrips
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
      const ends: ReadonlyArray<() => unknown> = [
        () => set(5, { status: "completed" }),
        () => set(5, { status: "cancelled" }),
        () => set(5, { status: "confirmed", deleted: true }),
        () => {
          set(5, { deleted: false })
          setBusinessStatus("D")
        }
      ]
      for (const end of ends) {
        end()
        assert.strictEqual(yield* tagOf(linkToken("a")), "NotFound")
      }
      setBusinessStatus("A")
      assert.strictEqual(yield* tagOf(linkToken("a")), "ok")
    })
  )

  it.effect("has its own limit for each link, apart from the limit of the business's users", () =>
    Effect.gen(function* () {
      const { follow, followLink, set, sha256, watch } = yield* followedTrips
      set(5, { link_hash: yield* sha256(linkToken("a")) })
      yield* Effect.forEach(Array.from({ length: maxFollowers.link }), () => followLink(linkToken("a")))
      const refused = yield* Effect.flip(Effect.scoped(watch.followLink(Redacted.make(linkToken("a")))))
      assert.strictEqual(refused._tag, "TooManyRequests")
      yield* follow(5)
    })
  )
})
