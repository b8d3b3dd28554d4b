import { assert } from "@effect/vitest"
import {
  type ActingBusiness,
  AssignmentId,
  type BusinessId,
  BusinessRepository,
  Cryptography,
  type DriverStatus,
  type Position,
  TrackingRepository,
  TripId,
  type TripStatus,
  type TripUpdate,
  TripWatch
} from "@livery/domain"
import { DateTime, Effect, Exit, Fiber, Latch, Layer, Redacted, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { stamps } from "../support/Businesses.ts"
import { dispatch } from "../support/Dispatch.ts"
import { business } from "../support/People.ts"

export const acme = business(1)

export const place = (lat: number): Position => ({
  lat,
  lng: 8.5,
  accuracy: null,
  heading: null,
  speed: null,
  recorded_at: DateTime.makeUnsafe(lat * 1000)
})

/** A token of the business, by a letter. */
export const linkToken = (letter: string) => `lvt_${acme.business_id}_${letter.repeat(43)}`

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
export const followedTrips = Effect.gen(function* () {
  const { assign, create, addDrivers, layer, store } = yield* dispatch
  const drivers = addDrivers(acme.business_id, 11)
  const { trip_id } = yield* create({}, acme)
  yield* assign(trip_id, drivers, false, acme)
  const [template] = store.trips.where()
  const [assignment] = store.assignments.where()
  assert.isDefined(template)
  assert.isDefined(assignment)
  const reads: Array<ReadonlyArray<number>> = []
  let isAway: (id: BusinessId) => boolean = () => false
  let held: Latch.Latch | undefined
  const Observed = Layer.effect(
    TrackingRepository,
    Effect.map(TrackingRepository, (tracking) =>
      TrackingRepository.of({
        ...tracking,
        find: (businessId, tripIds) =>
          Effect.suspend(() => {
            reads.push(tripIds)
            if (isAway(businessId)) return Effect.die(new Error("the database is away"))
            const { await: response = Effect.void } = held ?? {}
            held = undefined
            return Effect.tap(tracking.find(businessId, tripIds), response)
          })
      })
    )
  ).pipe(Layer.provide(layer))
  const context = yield* Layer.build(
    TripWatch.layer.pipe(
      Layer.provideMerge(Cryptography.layerWebCrypto),
      Layer.provide(Observed),
      Layer.provide(Layer.effect(BusinessRepository, BusinessRepository).pipe(Layer.provide(layer)))
    )
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
    /** Lets the trips of these businesses not be read: of all, of none, or of one. */
    away: (which: boolean | BusinessId) => void (isAway = (id) => which === true || which === id),
    /** Delays the response to the next read until the returned effect runs. It has what was stored at the time of the read. */
    delayNext: () => {
      held = Latch.makeUnsafe()
      return Effect.andThen(held.open, TestClock.adjust("1 millis"))
    },
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
