/** What is done with trips (specification, Trips). */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { crockford } from "../kernel/Crockford.ts"
import { Cryptography } from "../kernel/Cryptography.ts"
import { InvalidInput, NotFound } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/FieldIssue.ts"
import type { TripId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Page.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { CalendarDay, endOfDay, instantOf, startOfDay } from "../kernel/WallClock.ts"
import { EventLog, makeEvent } from "../webhooks/DomainEvent.ts"
import { priceOf, type Trip, type TripInput, tripRecord, type TripRecord } from "./Trip.ts"
import { CarRepository, type TripQuery, TripRepository } from "./TripRepository.ts"
import { initialTripStatus, PaymentStatus, TripStatus } from "./TripStatus.ts"

/** How many trips a page of the list holds (specification, Limits: fixed). */
export const tripsPerPage = 20

/** The filters of `GET /trips`. Days are days on the business's clock, both included. */
export const TripFilter = Schema.Struct({
  status: Schema.optionalKey(TripStatus),
  payment_status: Schema.optionalKey(PaymentStatus),
  filter: Schema.optionalKey(Schema.Literals(["upcoming", "previous"])),
  date_from: Schema.optionalKey(CalendarDay),
  date_to: Schema.optionalKey(CalendarDay)
})
export type TripFilter = typeof TripFilter.Type

const later = (left: DateTime.Utc | undefined, right: DateTime.Utc) =>
  left === undefined ? right : DateTime.max(left, right)

const earlier = (left: DateTime.Utc | undefined, right: DateTime.Utc) =>
  left === undefined ? right : DateTime.min(left, right)

/** The query that a filter means at `now` on the clock of `timezone`. `upcoming` lists the soonest first. */
export const queryOf = (filter: TripFilter, now: DateTime.Utc, timezone: string): TripQuery => {
  const from = filter.date_from === undefined ? undefined : startOfDay(filter.date_from, timezone)
  const before = filter.date_to === undefined ? undefined : endOfDay(filter.date_to, timezone)
  return {
    status: filter.status,
    paymentStatus: filter.payment_status,
    from: filter.filter === "upcoming" ? later(from, now) : from,
    before: filter.filter === "previous" ? earlier(before, now) : before,
    order: filter.filter === "upcoming" ? "soonest" : "latest"
  }
}

/**
 * - `create`: books a trip, confirmed, and sends `trip.created`. `InvalidInput` names a price with more decimals
 *   than its currency and a car that the business does not have.
 * - `get`: one trip of the acting business; else `NotFound`.
 * - `list`: a page of {@link tripsPerPage} of the business's trips.
 */
export class Trips extends Context.Service<
  Trips,
  {
    readonly create: (acting: ActingBusiness, input: TripInput) => Effect.Effect<TripRecord, InvalidInput>
    readonly get: (acting: ActingBusiness, tripId: TripId) => Effect.Effect<TripRecord, NotFound>
    readonly list: (
      acting: ActingBusiness,
      filter: TripFilter,
      page: number
    ) => Effect.Effect<Page<TripRecord>, InvalidInput>
  }
>()("@livery/domain/Trips") {
  static readonly layer = Layer.effect(
    Trips,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const trips = yield* TripRepository
      const cars = yield* CarRepository
      const events = yield* EventLog
      const cryptography = yield* Cryptography
      const withCryptography = Effect.provideService(Cryptography, cryptography)

      const newReference = Effect.map(cryptography.randomBytes(7), (bytes) => `TR-${crockford(bytes)}`)

      const store = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        input: TripInput,
        now: DateTime.Utc
      ): Effect.fn.Return<Trip, InvalidInput> {
        const { trip_date, total_amount, currency: given, ...repeated } = input
        const currency = given ?? acting.currency
        const price = priceOf(total_amount, currency)
        const hasCar = input.car_id === null || (yield* cars.hold(acting.business_id, input.car_id))
        const issues: ReadonlyArray<FieldIssue> = [
          ...(Option.isNone(price) ? [{ field: "total_amount", issue: "invalid" as const }] : []),
          ...(hasCar ? [] : [{ field: "car_id", issue: "not_found" as const }])
        ]
        if (issues.length > 0) return yield* new InvalidInput({ issues })
        for (;;) {
          const stored = yield* trips.insert(
            {
              ...repeated,
              business_id: acting.business_id,
              reference: yield* newReference,
              status: initialTripStatus(false),
              payment_status: "unpaid",
              trip_date: instantOf(trip_date, acting.timezone),
              total_minor: Option.getOrNull(price),
              currency
            },
            now
          )
          if (Option.isSome(stored)) return stored.value
        }
      })

      const create = Effect.fn("Trips.create")(function* (acting: ActingBusiness, input: TripInput) {
        const now = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            const record = tripRecord(yield* store(acting, input, now), acting.timezone)
            yield* events.record(
              yield* withCryptography(makeEvent(acting.business_id, "trip.created", record))
            )
            return record
          })
        )
      })

      const get = Effect.fn("Trips.get")(function* (acting: ActingBusiness, tripId: TripId) {
        const trip = yield* trips.find(acting.business_id, tripId)
        if (Option.isNone(trip)) return yield* new NotFound({ resource: "trip" })
        return tripRecord(trip.value, acting.timezone)
      })

      const list = Effect.fn("Trips.list")(function* (
        acting: ActingBusiness,
        filter: TripFilter,
        page: number
      ) {
        const { date_from, date_to } = filter
        if (date_from !== undefined && date_to !== undefined && date_from > date_to)
          return yield* new InvalidInput({ issues: [{ field: "date_to", issue: "out_of_range" }] })
        const query = queryOf(filter, yield* DateTime.now, acting.timezone)
        const found = yield* trips.list(acting.business_id, query, { page, perPage: tripsPerPage })
        return { ...found, items: found.items.map((trip) => tripRecord(trip, acting.timezone)) }
      })

      return Trips.of({ create, get, list })
    })
  )
}
