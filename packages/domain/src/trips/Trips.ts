/** What is done with trips (specification, Trips). */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { crockford } from "../kernel/security/Crockford.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { ConfirmationRequired, type Conflict, InvalidInput, NotFound } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { CarId, CustomerId, TripId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import type { IllegalTransition } from "../kernel/StateMachine.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { isLive } from "./Assignment.ts"
import { AssignmentRepository } from "./AssignmentRepository.ts"
import { clashesOf, ClashWarning } from "./Clashes.ts"
import { CustomerLookup } from "./CustomerLookup.ts"
import { Timeline, timelineRecord, type TimelineRecord } from "./Timeline.ts"
import { type Trip, tripRecord, TripRecord, windowOf } from "./Trip.ts"
import { changed, copied, drafted, type Edited, type TripDraft } from "./TripEdit.ts"
import type { TripChanges, TripInput, TripOverrides } from "./TripInput.ts"
import { moved, presentTrip, TripLife } from "./TripLife.ts"
import { CarRepository, TripRepository } from "./TripRepository.ts"
import { tripMachine } from "./TripStatus.ts"

/** A trip that was changed, and whose drivers are needed elsewhere at its time now. */
export const ChangedTripRecord = Schema.Struct({
  ...TripRecord.fields,
  warnings: Schema.Array(ClashWarning)
})
export type ChangedTripRecord = typeof ChangedTripRecord.Type

/** Whether what is at stake may go, and what is taken for granted of the trip. */
interface RemovalTerms {
  readonly force?: boolean
  readonly precondition?: Precondition<TripRecord>
}

/** What a trip is about to refer to; what is absent is left as it is. */
interface References {
  readonly car_id?: CarId | null | undefined
  readonly customer_id?: CustomerId | null | undefined
  readonly customer_email?: string | null | undefined
}

/**
 * - `create`: books a trip, confirmed, and sends `trip.created`. It is the customer's whose id or email it names.
 *   `InvalidInput` names a price with more decimals than its currency, and a car or a customer that the business does
 *   not have; a car that is not in use is as none.
 * - `get`: one trip of the acting business.
 * - `update`: changes what is told and nothing else, and moves the status as an operator may. Told what it is already,
 *   it changes nothing. A new time warns of clashes of its drivers; `ConfirmationRequired` for them where the business
 *   enforces that. `InvalidInput` names what cannot change any more in a trip that has ended.
 * - `remove`: cancels the trip if it has not ended, and puts it out of sight for good. `ConfirmationRequired` while
 *   drivers have it to do or it is on an invoice, unless forced. Gives it as it last was.
 * - `duplicate`: books the same once more, with what is told to be other; refused as on `create` for that. A car or a
 *   customer of the trip that is no more, or not in use, is left out of the copy.
 * - `timeline`: every change of the trip, the oldest first.
 *
 * `NotFound` where the trip is absent or another business's; `Conflict` where a precondition does not hold.
 */
export class Trips extends Context.Service<
  Trips,
  {
    readonly create: (acting: ActingBusiness, input: TripInput) => Effect.Effect<TripRecord, InvalidInput>
    readonly get: (acting: ActingBusiness, tripId: TripId) => Effect.Effect<TripRecord, NotFound>
    readonly update: (
      acting: ActingBusiness,
      tripId: TripId,
      changes: TripChanges,
      precondition?: Precondition<TripRecord>
    ) => Effect.Effect<
      ChangedTripRecord,
      NotFound | InvalidInput | IllegalTransition | ConfirmationRequired | Conflict
    >
    readonly remove: (
      acting: ActingBusiness,
      tripId: TripId,
      terms?: RemovalTerms
    ) => Effect.Effect<TripRecord, NotFound | ConfirmationRequired | Conflict>
    readonly duplicate: (
      acting: ActingBusiness,
      tripId: TripId,
      overrides: TripOverrides
    ) => Effect.Effect<TripRecord, NotFound | InvalidInput>
    readonly timeline: (
      acting: ActingBusiness,
      tripId: TripId,
      page: PageRequest
    ) => Effect.Effect<Page<TimelineRecord>, NotFound>
  }
>()("@livery/domain/Trips") {
  static readonly layer = Layer.effect(
    Trips,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const trips = yield* TripRepository
      const assignments = yield* AssignmentRepository
      const timelines = yield* Timeline
      const life = yield* TripLife
      const cars = yield* CarRepository
      const customers = yield* CustomerLookup
      const cryptography = yield* Cryptography

      const newReference = Effect.map(cryptography.randomBytes(7), (bytes) => `TR-${crockford(bytes)}`)

      /** Holds what a trip is about to refer to, before the trip itself; and whose trip its email makes it. */
      const hold = Effect.fnUntraced(function* (acting: ActingBusiness, references: References) {
        const { business_id } = acting
        const { car_id = null, customer_email, customer_id } = references
        const hasCar = car_id === null || (yield* cars.hold(business_id, car_id))
        const named = customer_id ?? null
        const hasCustomer = named === null || (yield* customers.lock(business_id, named))
        const email = named === null ? (customer_email ?? null) : null
        const byEmail =
          email === null ? null : Option.getOrNull(yield* customers.lockByEmail(business_id, email))
        return { hasCar, hasCustomer, byEmail }
      })

      const missing = (held: {
        readonly hasCar: boolean
        readonly hasCustomer: boolean
      }): ReadonlyArray<FieldIssue> => [
        ...(held.hasCar ? [] : [{ field: "car_id", issue: "not_found" as const }]),
        ...(held.hasCustomer ? [] : [{ field: "customer_id", issue: "not_found" as const }])
      ]

      /** Books a draft, of which the caller sent so much; the rest is a copy, and lacks what no longer stands. */
      const book = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        edit: Edited<TripDraft>,
        sent: References = edit.result
      ) {
        const { car_id, customer_email, customer_id: named } = edit.result
        const held = yield* hold(acting, edit.result)
        const issues = [
          ...edit.issues,
          ...missing({
            hasCar: held.hasCar || sent.car_id === undefined,
            hasCustomer: held.hasCustomer || sent.customer_id === undefined
          })
        ]
        if (issues.length > 0) return yield* new InvalidInput({ issues })
        const { byEmail } = held.hasCustomer ? held : yield* hold(acting, { customer_email })
        const customer_id = (held.hasCustomer ? named : null) ?? byEmail
        const draft = { ...edit.result, car_id: held.hasCar ? car_id : null }
        const now = yield* DateTime.now
        for (;;) {
          const stored = yield* trips.insert({ ...draft, customer_id, reference: yield* newReference }, now)
          if (Option.isNone(stored)) continue
          yield* life.announce(acting, "trip.created", stored.value)
          return tripRecord(stored.value, acting.timezone)
        }
      })

      const create = Effect.fn("Trips.create")(function* (acting: ActingBusiness, input: TripInput) {
        return yield* transaction.run(book(acting, drafted(acting, input)))
      })

      const get = Effect.fn("Trips.get")(function* (acting: ActingBusiness, tripId: TripId) {
        return tripRecord(yield* presentTrip(yield* trips.find(acting.business_id, tripId)), acting.timezone)
      })

      const warningsOf = Effect.fnUntraced(function* (before: Trip, after: Trip, force: boolean) {
        const [was, is] = [windowOf(before), windowOf(after)]
        const stays = DateTime.Equivalence(was.starts, is.starts) && DateTime.Equivalence(was.ends, is.ends)
        const decisive = after.drivers.filter(isLive).map(({ driver_id }) => driver_id)
        if (stays || decisive.length === 0) return []
        return yield* clashesOf(after, { decisive, force }).pipe(
          Effect.provideService(AssignmentRepository, assignments)
        )
      })

      const update = Effect.fn("Trips.update")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        changes: TripChanges,
        precondition: Precondition<TripRecord> = unconditional
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const { cancel_reason: reason, customer_email, customer_id, force, status } = changes
            const held = yield* hold(acting, changes)
            const before = yield* life.hold(acting, tripId)
            yield* precondition(tripRecord(before, acting.timezone))
            // Another address without a customer's id makes it the trip of whoever has that address, as at booking.
            const isReaddressed = customer_email !== undefined && customer_email !== before.customer_email
            const linked =
              customer_id === undefined && isReaddressed ? { ...changes, customer_id: held.byEmail } : changes
            const edit = changed(acting, before, linked)
            const { feeMinor, trip } = edit.result
            const named = new Set(edit.issues.map(({ field }) => field))
            const issues = [
              ...edit.issues,
              // What it refers to already it may go on referring to.
              ...missing({
                hasCar: held.hasCar || trip.car_id === before.car_id || named.has("car_id"),
                hasCustomer:
                  held.hasCustomer || trip.customer_id === before.customer_id || named.has("customer_id")
              })
            ]
            if (issues.length > 0) return yield* new InvalidInput({ issues })
            const wanted =
              status === undefined ? trip : yield* moved(trip, status, "operator", { feeMinor, reason })
            const warnings = yield* warningsOf(before, wanted, force === true)
            const after = yield* life.settle(acting, before, wanted, "operator")
            return { ...tripRecord(after, acting.timezone), warnings }
          })
        )
      })

      const remove = Effect.fn("Trips.remove")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        { force = false, precondition = unconditional }: RemovalTerms = {}
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const trip = yield* life.hold(acting, tripId)
            const record = tripRecord(trip, acting.timezone)
            yield* precondition(record)
            const atStake = [
              ...trip.drivers.filter(isLive).map(({ driver_id }) => ({ type: "assignment", driver_id })),
              ...(trip.invoice_id === null ? [] : [{ type: "invoice", invoice_id: trip.invoice_id }])
            ]
            if (atStake.length > 0 && !force)
              return yield* new ConfirmationRequired({
                reason: "Drivers have this trip to do, or it is on an invoice",
                atStake
              })
            // An operator may cancel whatever has not ended.
            const ended = tripMachine.isTerminal(trip.status)
              ? trip
              : yield* Effect.orDie(moved(trip, "cancelled", "operator"))
            yield* life.settle(acting, trip, { ...ended, deleted_at: yield* DateTime.now }, "operator")
            return record
          })
        )
      })

      const duplicate = Effect.fn("Trips.duplicate")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        overrides: TripOverrides
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const trip = yield* presentTrip(yield* trips.find(acting.business_id, tripId))
            const { issues, result: draft } = copied(acting, trip, overrides)
            // Another address makes it the trip of whoever has that address, as at booking.
            const isReaddressed =
              overrides.customer_id === undefined && draft.customer_email !== trip.customer_email
            const result = isReaddressed ? { ...draft, customer_id: null } : draft
            return yield* book(acting, { result, issues }, overrides)
          })
        )
      })

      const timeline = Effect.fn("Trips.timeline")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        page: PageRequest
      ) {
        const found = yield* timelines.list(acting.business_id, tripId, page)
        const lines = yield* Effect.mapError(
          Effect.fromOption(found),
          () => new NotFound({ resource: "trip" })
        )
        return { ...lines, items: lines.items.map(timelineRecord) }
      })

      return Trips.of({ create, get, update, remove, duplicate, timeline })
    })
  ).pipe(Layer.provide(TripLife.layer))
}
