/**
 * Following trips as they move.
 *
 * Whoever follows hears of news in two ways: at once, from what this process has committed (`changed`), and within
 * {@link lookEvery} from what others have. All trips that anybody follows here are looked at together, in one look,
 * however many follow each; while nobody does, nobody looks.
 *
 *     changed ──▶ ┐                       ┌──▶ follower
 *                 look at the trips ──▶ trip ──▶ follower
 *     a second ──▶ ┘                      └──▶ …
 */
import {
  Clock,
  Context,
  Deferred,
  Duration,
  Effect,
  Latch,
  Layer,
  Option,
  PubSub,
  Redacted,
  Stream
} from "effect"
import type { Scope } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { NotFound, TooManyRequests } from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import { type Followed, TrackingRepository } from "./TrackingRepository.ts"
import { isOver, type TripSighting } from "./TripSighting.ts"

/** How often the trips that somebody follows are looked at. */
export const lookEvery = Duration.seconds(1)

/** How many may follow a business's trips at once on one node: its own people, everybody with a link, and each link. */
export const followersAtMost = { business: 200, public: 500, link: 20 }

/** When somebody who found no place may come back, in seconds. */
const comeBackAfter = 30

/** How much news may wait for a follower that reads slowly; the oldest goes first. */
const unread = 16

/** Something new about a trip: that its driver moved, or that it stands otherwise. */
export interface TripNews {
  readonly news: "position" | "status"
  readonly sighting: TripSighting
}

interface Watched {
  readonly trip: Followed
  readonly sightings: PubSub.PubSub<TripSighting>
  seen: TripSighting
  followers: number
}

const keyOf = ({ businessId, tripId }: Followed) => `${businessId}/${tripId}`

const instantOf = ({ position }: TripSighting) => position?.recorded_at.epochMilliseconds

const hasMoved = (before: TripSighting, after: TripSighting) =>
  instantOf(before) !== instantOf(after) ||
  before.position?.lat !== after.position?.lat ||
  before.position?.lng !== after.position?.lng

const standsOtherwise = (before: TripSighting, after: TripSighting) =>
  before.status !== after.status ||
  before.driver_status !== after.driver_status ||
  before.deleted !== after.deleted ||
  before.trip_date.epochMilliseconds !== after.trip_date.epochMilliseconds

const isOtherwise = (before: TripSighting, after: TripSighting) =>
  hasMoved(before, after) ||
  standsOtherwise(before, after) ||
  before.link_hash !== after.link_hash ||
  before.business.status !== after.business.status

/** What a sighting tells whoever saw the one before. */
const newsOf = (before: TripSighting | undefined, sighting: TripSighting): ReadonlyArray<TripNews> => {
  if (before === undefined) return [{ news: sighting.position === null ? "status" : "position", sighting }]
  if (standsOtherwise(before, sighting)) return [{ news: "status", sighting }]
  return hasMoved(before, sighting) ? [{ news: "position", sighting }] : []
}

/**
 * - `follow`: how a trip of the business stands now, and then its news until its end; its scope holds the place.
 *   `NotFound` if there is no such trip, `TooManyRequests` if {@link followersAtMost} follow already.
 * - `followLink`: the same by a link's token, until the link is withdrawn or the business suspended, too. `NotFound`
 *   where `Tracking.byToken` says so.
 * - `changed`: something was committed about these trips; they are looked at now if anybody follows them.
 * - `followers`: how many follow on this node.
 * - `close`: ends every stream and begins no other: for a server that is about to stop.
 */
export class TripWatch extends Context.Service<
  TripWatch,
  {
    readonly follow: (
      acting: ActingBusiness,
      tripId: TripId
    ) => Effect.Effect<Stream.Stream<TripNews>, NotFound | TooManyRequests, Scope.Scope>
    readonly followLink: (
      token: Redacted.Redacted
    ) => Effect.Effect<Stream.Stream<TripNews>, NotFound | TooManyRequests, Scope.Scope>
    readonly changed: (trips: ReadonlyArray<Followed>) => Effect.Effect<void>
    readonly followers: Effect.Effect<number>
    readonly close: Effect.Effect<void>
  }
>()("@livery/domain/TripWatch") {
  static readonly layer = Layer.effect(
    TripWatch,
    Effect.gen(function* () {
      const trips = yield* TrackingRepository
      const cryptography = yield* Cryptography
      const watched = new Map<string, Watched>()
      const places = new Map<string, number>()
      const somebody = Latch.makeUnsafe()
      const rung = Latch.makeUnsafe()
      const closed = Deferred.makeUnsafe<void>()
      let changedTrips = new Set<string>()

      const look = Effect.fn("TripWatch.look")(function* (these: ReadonlyArray<Watched>) {
        const found = new Map(
          (yield* trips.sightings(these.map(({ trip }) => trip))).map((sighting) => [
            keyOf({ businessId: sighting.business.business_id, tripId: sighting.trip_id }),
            sighting
          ])
        )
        for (const one of these) {
          const sighting = found.get(keyOf(one.trip)) ?? { ...one.seen, deleted: true }
          if (!isOtherwise(one.seen, sighting)) continue
          one.seen = sighting
          yield* PubSub.publish(one.sightings, sighting)
        }
      })

      /** Those that changed as soon as that is known, and all of them once in a while. */
      const looking = Effect.gen(function* () {
        let all = yield* Clock.currentTimeMillis
        for (;;) {
          yield* somebody.await
          const due = all + Duration.toMillis(lookEvery) - (yield* Clock.currentTimeMillis)
          const ring =
            due <= 0 ? Option.none() : yield* Effect.timeoutOption(rung.await, Duration.millis(due))
          rung.closeUnsafe()
          const changed = changedTrips
          changedTrips = new Set()
          if (Option.isNone(ring)) all = yield* Clock.currentTimeMillis
          const these = [...watched].flatMap(([key, one]) =>
            Option.isNone(ring) || changed.has(key) ? [one] : []
          )
          if (these.length > 0)
            yield* Effect.ignoreCause(look(these), {
              log: "Warn",
              message: "the trips that are followed could not be seen"
            })
        }
      })
      yield* Effect.forkScoped(looking)

      /** A place among those who follow, until the scope closes. */
      const place = (key: string, most: number) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            const taken = places.get(key) ?? 0
            if (taken >= most) return Effect.fail(new TooManyRequests({ retryAfterSeconds: comeBackAfter }))
            places.set(key, taken + 1)
            return Effect.void
          }),
          () =>
            Effect.sync(() => {
              const left = (places.get(key) ?? 1) - 1
              if (left === 0) places.delete(key)
              else places.set(key, left)
            })
        )

      const join = (trip: Followed, sighting: TripSighting) =>
        Effect.acquireRelease(
          Effect.gen(function* () {
            const key = keyOf(trip)
            const one = watched.get(key) ?? {
              trip,
              sightings: yield* PubSub.sliding<TripSighting>(unread),
              seen: sighting,
              followers: 0
            }
            watched.set(key, one)
            one.followers += 1
            somebody.openUnsafe()
            return one
          }),
          (one) =>
            Effect.suspend(() => {
              one.followers -= 1
              if (one.followers > 0) return Effect.void
              watched.delete(keyOf(one.trip))
              if (watched.size === 0) somebody.closeUnsafe()
              return PubSub.shutdown(one.sightings)
            })
        )

      const newsFrom = Effect.fnUntraced(function* (
        sighting: TripSighting,
        stillFor: (sighting: TripSighting) => boolean
      ) {
        const one = yield* join(
          { businessId: sighting.business.business_id, tripId: sighting.trip_id },
          sighting
        )
        const later = yield* PubSub.subscribe(one.sightings)
        return Stream.make(one.seen).pipe(
          Stream.concat(Stream.fromSubscription(later)),
          Stream.takeWhile(stillFor),
          Stream.takeUntil(isOver),
          Stream.mapAccum(
            (): TripSighting | undefined => undefined,
            (before, next) => [next, newsOf(before, next)] as const
          ),
          Stream.interruptWhen(Deferred.await(closed))
        )
      })

      const follow = Effect.fn("TripWatch.follow")(function* (acting: ActingBusiness, tripId: TripId) {
        const [found] = yield* trips.sightings([{ businessId: acting.business_id, tripId }])
        if (found === undefined || found.deleted) return yield* new NotFound({ resource: "trip" })
        yield* place(`business:${acting.business_id}`, followersAtMost.business)
        return yield* newsFrom(found, () => true)
      })

      const followLink = Effect.fn("TripWatch.followLink")(function* (token: Redacted.Redacted) {
        const hash = yield* cryptography.sha256(Redacted.value(token))
        const found = yield* trips.byLink(hash)
        if (Option.isNone(found) || isOver(found.value) || found.value.business.status === "D")
          return yield* new NotFound({ resource: "trip" })
        yield* place(`link:${hash}`, followersAtMost.link)
        yield* place(`public:${found.value.business.business_id}`, followersAtMost.public)
        return yield* newsFrom(
          found.value,
          ({ business, link_hash }) => business.status === "A" && link_hash === hash
        )
      })

      return TripWatch.of({
        follow,
        followLink,
        changed: (these) =>
          Effect.sync(() => {
            for (const key of these.map(keyOf).filter((key) => watched.has(key))) {
              changedTrips.add(key)
              rung.openUnsafe()
            }
          }),
        followers: Effect.sync(() =>
          [...watched.values()].reduce((sum, { followers }) => sum + followers, 0)
        ),
        close: Effect.asVoid(Deferred.succeed(closed, undefined))
      })
    })
  )
}
