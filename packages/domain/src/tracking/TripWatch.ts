/**
 * Following trips live.
 *
 * One loop reads the followed trips and publishes their changes to the followers. It reads a trip immediately when a
 * follower comes and after this process committed a change of it (`notify`), and all followed trips every
 * {@link pollInterval}, because other processes commit changes too. One statement reads all followed trips of a business,
 * however many followers each has; without followers the loop waits. A business whose trips cannot be read, because its
 * node is down, does not end the reading of the others.
 *
 *     notify ────────▶ ┐                      ┌──▶ follower
 *                      read the trips ──▶ trip ──▶ follower
 *     pollInterval ──▶ ┘                      └──▶ …
 */
import { Context, Deferred, Duration, Effect, Latch, Layer, Option, PubSub, Stream } from "effect"
import type { Redacted } from "effect"
import { type ActingBusiness, isSuspended } from "../business/Business.ts"
import type { BusinessId, TripId } from "../kernel/Ids.ts"
import { makePlaces } from "../kernel/concurrency/Places.ts"
import { monotonicMillis } from "../kernel/time/MonotonicTime.ts"
import { isOver, type TrackedTrip } from "./TrackedTrip.ts"
import { makeFindTrip } from "./FindTrip.ts"
import { makeLinkedTrip } from "./LinkedTrip.ts"
import { type FollowedTrip, TrackingRepository } from "./TrackingRepository.ts"
import { hasChanged, updatesOf } from "./TripUpdate.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** How often all followed trips are read: what another node changes is sent within a second, the reading included. */
const pollInterval = Duration.millis(800)

/** The most followers on one node: a business's own users, all users of its links, and the users of one link. */
export const maxFollowers = { business: 200, public: 500, link: 20 }

const retryAfterSeconds = 30

/** The most updates that wait for a slow follower; beyond it, the oldest is dropped. */
const bufferedUpdates = 16

/** Of how many businesses the trips are read at a time. */
const businessesAtOnce = 4

/** A state of a trip, and the number of the read that returned it. */
interface ReadState {
  readonly read: number
  readonly state: TrackedTrip
}

/** A trip that has followers. */
interface Watched {
  readonly trip: FollowedTrip
  readonly states: PubSub.PubSub<ReadState>
  last: TrackedTrip
  /** The number of the read whose state was published last. */
  published: number
  /** The number of the newest read that had begun when the newest follower came. */
  joined: number
  followers: number
}

const keyOf = ({ businessId, tripId }: FollowedTrip) => `${businessId}/${tripId}`

export class TripWatch extends Context.Service<TripWatch>()("@livery/domain/TripWatch", {
  make: Effect.gen(function* () {
    const trips = yield* TrackingRepository
    const findTrip = yield* makeFindTrip
    const linkedTrip = yield* makeLinkedTrip
    const watched = new Map<string, Watched>()
    const takePlace = makePlaces(retryAfterSeconds)
    const hasFollowers = Latch.makeUnsafe()
    const hasChanges = Latch.makeUnsafe()
    const closed = Deferred.makeUnsafe<void>()
    let changedKeys = new Set<string>()
    let readsBegun = 0

    const read = traced("TripWatch.read")(function* (businessId: BusinessId, batch: ReadonlyArray<Watched>) {
      const number = ++readsBegun
      const found = yield* trips.find(
        businessId,
        batch.map(({ trip }) => trip.tripId)
      )
      const states = new Map(found.map((trip) => [trip.trip_id, trip]))
      for (const watch of batch) {
        const state = states.get(watch.trip.tripId) ?? { ...watch.last, deleted: true }
        const hasNewFollower = watch.published <= watch.joined && watch.joined < number
        if (!hasNewFollower && !hasChanged(watch.last, state)) continue
        watch.last = state
        watch.published = number
        yield* PubSub.publish(watch.states, { read: number, state })
      }
    })

    const readForever = Effect.gen(function* () {
      let lastReadOfAll = yield* monotonicMillis
      for (;;) {
        yield* hasFollowers.await
        const wait = lastReadOfAll + Duration.toMillis(pollInterval) - (yield* monotonicMillis)
        const isOnlyChanged =
          wait > 0 && Option.isSome(yield* Effect.timeoutOption(hasChanges.await, Duration.millis(wait)))
        hasChanges.closeUnsafe()
        const keys = changedKeys
        changedKeys = new Set()
        if (!isOnlyChanged) lastReadOfAll = yield* monotonicMillis
        const batch = [...watched].flatMap(([key, one]) => (!isOnlyChanged || keys.has(key) ? [one] : []))
        yield* Effect.forEach(
          Map.groupBy(batch, ({ trip }) => trip.businessId),
          ([businessId, own]) =>
            Effect.ignoreCause(read(businessId, own), {
              log: "Warn",
              message: `followed trips of business ${businessId} could not be read`
            }),
          { concurrency: businessesAtOnce, discard: true }
        )
      }
    })
    yield* Effect.forkScoped(readForever)

    /** Lets the loop read these trips immediately, if they have followers. */
    const readNow = (batch: ReadonlyArray<FollowedTrip>) => {
      for (const key of batch.map(keyOf).filter((key) => watched.has(key))) {
        changedKeys.add(key)
        hasChanges.openUnsafe()
      }
    }

    /** Adds a follower to a trip until the scope closes. */
    const join = (trip: FollowedTrip, state: TrackedTrip) =>
      Effect.acquireRelease(
        Effect.gen(function* () {
          const key = keyOf(trip)
          const one = watched.get(key) ?? {
            trip,
            states: yield* PubSub.sliding<ReadState>(bufferedUpdates),
            last: state,
            published: 0,
            joined: readsBegun,
            followers: 0
          }
          watched.set(key, one)
          one.followers += 1
          hasFollowers.openUnsafe()
          return one
        }),
        (one) =>
          Effect.suspend(() => {
            one.followers -= 1
            if (one.followers > 0) return Effect.void
            watched.delete(keyOf(one.trip))
            if (watched.size === 0) hasFollowers.closeUnsafe()
            return PubSub.shutdown(one.states)
          })
      )

    /**
     * The updates for a follower who has just read `state`. `state` may be newer than the followed trip's last one, or
     * older than one that is about to be published, and the two cannot be compared. So the follower gets only states
     * of reads that begin from now on, which come in their order, and such a read begins now.
     */
    const updatesFrom = Effect.fnUntraced(function* (
      state: TrackedTrip,
      isAllowed: (trip: TrackedTrip) => boolean
    ) {
      const trip = { businessId: state.business.business_id, tripId: state.trip_id }
      const one = yield* join(trip, state)
      const later = yield* PubSub.subscribe(one.states)
      const joined = readsBegun
      one.joined = joined
      readNow([trip])
      return Stream.fromSubscription(later).pipe(
        Stream.filter(({ read }) => read > joined),
        Stream.map((published) => published.state),
        Stream.takeWhile(isAllowed),
        Stream.takeUntil(isOver),
        Stream.mapAccum(
          (): TrackedTrip | undefined => undefined,
          (before, next) => [next, updatesOf(before, next)] as const
        ),
        Stream.interruptWhen(Deferred.await(closed))
      )
    })

    return {
      /**
       * A trip of the business: its current state, then its updates until it ends. The scope holds the follower's
       * place. `NotFound` if there is no such trip, `TooManyRequests` beyond {@link maxFollowers}.
       */
      follow: traced("TripWatch.follow")(function* (acting: ActingBusiness, tripId: TripId) {
        const trip = yield* findTrip({ businessId: acting.business_id, tripId })
        yield* takePlace(`business:${acting.business_id}`, maxFollowers.business)
        return yield* updatesFrom(trip, () => true)
      }),

      /**
       * The same by the token of a tracking link. The stream also ends when the link is removed or replaced, or the
       * business is suspended. The stream of an ended trip has only its state. `NotFound` as in `Tracking.byToken`.
       */
      followLink: traced("TripWatch.followLink")(function* (token: Redacted.Redacted) {
        const { hash, trip } = yield* linkedTrip(token)
        yield* takePlace(`link:${hash}`, maxFollowers.link)
        yield* takePlace(`public:${trip.business.business_id}`, maxFollowers.public)
        return yield* updatesFrom(
          trip,
          ({ business, link_hash }) => !isSuspended(business) && link_hash === hash
        )
      }),

      /** Call it when a change of these trips was committed; those that have followers are read immediately. */
      notify: (batch: ReadonlyArray<FollowedTrip>) => Effect.sync(() => readNow(batch)),

      /** The number of followers on this node. */
      followers: Effect.sync(() => [...watched.values()].reduce((sum, { followers }) => sum + followers, 0)),

      /** Ends all streams immediately, also those that begin later; for a server that is about to stop. */
      close: Effect.asVoid(Deferred.succeed(closed, undefined))
    }
  })
}) {
  static readonly layer = Layer.effect(TripWatch, TripWatch.make)
}
