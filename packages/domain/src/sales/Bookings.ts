/** The use cases of bookings (docs/api/sales.md). */
import { Context, DateTime, Duration, Effect, Equal, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { forReader, pageForReader } from "../business/CurrentRole.ts"
import { ConfirmationRequired, Conflict, InvalidInput, type NotFound, orNotFound } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { BookingId, CustomerId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { crockford } from "../kernel/security/Crockford.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import type { IllegalTransition } from "../kernel/StateMachine.ts"
import { instantOf } from "../kernel/time/WallClock.ts"
import { Transaction } from "../kernel/Transaction.ts"
import type { DeletionTerms } from "../trips/Deletion.ts"
import { TripReferences } from "../trips/TripReferences.ts"
import {
  type Booking,
  bookingAt,
  type BookingChanges,
  type BookingFilter,
  type BookingInput,
  bookingMachine,
  type BookingRecord,
  bookingRecord,
  holdUntil,
  placesOf,
  bookingTotal
} from "./Booking.ts"
import { addressIssues, fixedFields, nameIssues, startIssues } from "./BookingChecks.ts"
import { BookingRepository } from "./BookingRepository.ts"
import { BookingSteps } from "./BookingSteps.ts"
import { makeBookingTrip } from "./BookingTrip.ts"
import { bookingPrice, type Product, type ProductPrice } from "./Product.ts"
import { ProductRepository } from "./ProductRepository.ts"

const productDeleted = new Conflict({ reason: "The product was deleted" })

/**
 * - `create`: takes places of a product for a customer. The booking is pending, and expires after a day or at its
 *   start unless it is confirmed. `price` applies in place of the product's current one. `Conflict` if too few
 *   places are left at some time between its start and its end. `InvalidInput` for a product that is absent or
 *   inactive, a customer that is absent, a start that has passed, a booking without a name, and a booking of a
 *   transport product without addresses.
 * - `list`, `get`: the business's bookings, the latest start first, and one of them.
 * - `update`: changes the given fields. The time, the number of participants and the addresses can change while the
 *   booking is pending; contact data and notes until it has ended. `InvalidInput` for other fields, and as for
 *   `create`. `Conflict` if too few places are left, and if the change alters the price of a booking that is on an
 *   invoice. A confirmed booking can be completed by its status.
 * - `confirm`: confirms a pending booking. A booking of a transport product books its trip; fails as that does.
 *   `Conflict` if the product was deleted.
 * - `cancel`: cancels a booking, gives its places back and cancels its trip. `ConfirmationRequired` if the trip is
 *   under way, unless `force` is true.
 * - `remove`: deletes a booking; an open one is cancelled first. `ConfirmationRequired` if it is confirmed or on an
 *   invoice.
 *
 * `NotFound` if the booking is absent or another business's; `Conflict` if the precondition fails;
 * `IllegalTransition` if the status does not permit the step.
 */
export class Bookings extends Context.Service<
  Bookings,
  {
    readonly create: (
      acting: ActingBusiness,
      input: BookingInput,
      price?: ProductPrice
    ) => Effect.Effect<BookingRecord, InvalidInput | Conflict>
    readonly list: (
      acting: ActingBusiness,
      filter: BookingFilter,
      page: PageRequest
    ) => Effect.Effect<Page<BookingRecord>>
    readonly get: (acting: ActingBusiness, bookingId: BookingId) => Effect.Effect<BookingRecord, NotFound>
    readonly update: (
      acting: ActingBusiness,
      bookingId: BookingId,
      changes: BookingChanges,
      precondition?: Precondition<BookingRecord>
    ) => Effect.Effect<BookingRecord, NotFound | Conflict | InvalidInput | IllegalTransition>
    readonly confirm: (
      acting: ActingBusiness,
      bookingId: BookingId,
      force: boolean
    ) => Effect.Effect<
      BookingRecord,
      NotFound | Conflict | InvalidInput | IllegalTransition | ConfirmationRequired
    >
    readonly cancel: (
      acting: ActingBusiness,
      bookingId: BookingId,
      force: boolean
    ) => Effect.Effect<BookingRecord, NotFound | IllegalTransition | ConfirmationRequired>
    readonly remove: (
      acting: ActingBusiness,
      bookingId: BookingId,
      terms?: DeletionTerms<BookingRecord>
    ) => Effect.Effect<BookingRecord, NotFound | Conflict | ConfirmationRequired>
  }
>()("@livery/domain/Bookings") {
  static readonly layer = Layer.effect(
    Bookings,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const bookings = yield* BookingRepository
      const products = yield* ProductRepository
      const references = yield* TripReferences
      const cryptography = yield* Cryptography
      const steps = yield* BookingSteps
      const trip = yield* makeBookingTrip

      const newReference = Effect.map(cryptography.randomBytes(7), (bytes) => `BK-${crockford(bytes)}`)

      const lockCustomer = Effect.fnUntraced(function* (
        { business_id }: ActingBusiness,
        customerId: CustomerId | null | undefined
      ) {
        if (customerId === null || customerId === undefined) return { customer: null, isMissing: false }
        const customer = Option.getOrNull(yield* references.lockCustomer(business_id, customerId))
        return { customer, isMissing: customer === null }
      })

      const refuse = (issues: ReadonlyArray<FieldIssue>) =>
        issues.length > 0 ? Effect.fail(new InvalidInput({ issues })) : Effect.void

      const create = Effect.fn("Bookings.create")(function* (
        acting: ActingBusiness,
        input: BookingInput,
        price?: ProductPrice
      ) {
        const { business_id } = acting
        const now = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            const product = Option.getOrUndefined(yield* products.lock(business_id, input.product_id))
            const { customer, isMissing } = yield* lockCustomer(acting, input.customer_id)
            const starts_at = instantOf(input.starts_at, acting.timezone)
            const customer_name = input.customer_name ?? customer?.name ?? null
            const isBookable = product !== undefined && product.active
            yield* refuse([
              ...(isBookable
                ? addressIssues(product, input)
                : [{ field: "product_id", issue: "not_found" as const }]),
              ...startIssues(starts_at, now),
              ...(isMissing ? [{ field: "customer_id", issue: "not_found" as const }] : []),
              ...(isMissing ? [] : nameIssues(customer_name))
            ])
            const chosen = yield* Effect.orDie(Effect.fromNullishOr(product))
            const row = {
              ...input,
              business_id,
              status: "pending" as const,
              payment_status: "unpaid" as const,
              starts_at,
              ends_at: DateTime.addDuration(starts_at, Duration.minutes(chosen.duration_minutes)),
              customer_name,
              customer_email: input.customer_email ?? customer?.email ?? null,
              customer_phone: input.customer_phone ?? customer?.phone ?? null,
              ...bookingPrice({ ...chosen, ...price }, input.participants_count),
              currency: price?.currency ?? chosen.currency,
              trip_id: null,
              invoice_id: null,
              expires_at: holdUntil(now, starts_at),
              confirmed_at: null,
              cancelled_at: null,
              created_at: now,
              updated_at: now
            }
            yield* steps.reserve(row)
            // If the reference is in use already, another one is drawn.
            for (;;) {
              const stored = yield* bookings.insert({ ...row, reference: yield* newReference })
              if (Option.isSome(stored)) return bookingRecord(stored.value)
            }
          })
        )
      })

      const list = Effect.fn("Bookings.list")(function* (
        { business_id }: ActingBusiness,
        filter: BookingFilter,
        page: PageRequest
      ) {
        const now = yield* DateTime.now
        const found = yield* bookings.list(business_id, filter, now, page)
        const items = found.items.map((booking) => bookingRecord(bookingAt(booking, now)))
        return yield* pageForReader("sales", { ...found, items })
      })

      const get = Effect.fn("Bookings.get")(function* (
        { business_id }: ActingBusiness,
        bookingId: BookingId
      ) {
        const found = yield* orNotFound("booking")(yield* bookings.find(business_id, bookingId))
        return yield* forReader("sales", bookingRecord(bookingAt(found, yield* DateTime.now)))
      })

      /** Releases the places that the booking had, and reserves those of the changed booking. */
      const move = Effect.fnUntraced(function* (
        before: Booking,
        after: Booking,
        product: Option.Option<Product>
      ) {
        if (Equal.equals(placesOf(before), placesOf(after))) return
        if (Option.isNone(product)) return yield* productDeleted
        yield* products.release(before.business_id, placesOf(before))
        yield* steps.reserve(after)
      })

      const update = Effect.fn("Bookings.update")(function* (
        acting: ActingBusiness,
        bookingId: BookingId,
        changes: BookingChanges,
        precondition: Precondition<BookingRecord> = unconditional
      ) {
        const now = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* steps.lock(acting.business_id, bookingId)
            yield* precondition(bookingRecord(before))
            const { starts_at: sentStart, status, ...plain } = changes
            const isStatusSent =
              status !== undefined && (status !== before.status || bookingMachine.isTerminal(status))
            if (isStatusSent) yield* bookingMachine.move(before.status, status, "operator")
            yield* refuse(fixedFields(before, changes, isStatusSent))
            const { isMissing } = yield* lockCustomer(acting, changes.customer_id)
            const starts_at =
              sentStart === undefined ? before.starts_at : instantOf(sentStart, acting.timezone)
            const duration = before.ends_at.epochMilliseconds - before.starts_at.epochMilliseconds
            const isMoved = !Equal.equals(starts_at, before.starts_at)
            const product = yield* products.find(acting.business_id, before.product_id)
            const after: Booking = {
              ...before,
              ...plain,
              status: status ?? before.status,
              starts_at,
              ends_at: DateTime.addDuration(starts_at, Duration.millis(duration)),
              total_minor: bookingTotal(before, changes.participants_count ?? before.participants_count),
              expires_at: isMoved ? holdUntil(now, starts_at) : before.expires_at
            }
            yield* refuse([
              ...(isMissing ? [{ field: "customer_id", issue: "not_found" as const }] : []),
              ...(isMoved ? startIssues(starts_at, now) : []),
              ...nameIssues(after.customer_name),
              ...Option.match(product, {
                onNone: () => [],
                onSome: (product) => addressIssues(product, after)
              })
            ])
            if (Equal.equals(after, before)) return bookingRecord(before)
            if (after.total_minor !== before.total_minor && before.invoice_id !== null)
              return yield* new Conflict({
                reason: "The booking is on an invoice at its present price; void or credit that first"
              })
            yield* move(before, after, product)
            return bookingRecord(yield* steps.store(after))
          })
        )
      })

      const confirm = Effect.fn("Bookings.confirm")(function* (
        acting: ActingBusiness,
        bookingId: BookingId,
        force: boolean
      ) {
        const { business_id } = acting
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* steps.lock(business_id, bookingId)
            const status = yield* bookingMachine.move(before.status, "confirmed", "operator")
            const product = Option.getOrUndefined(yield* products.find(business_id, before.product_id))
            if (product === undefined) return yield* productDeleted
            const trip_id = yield* trip.book(acting, before, product, force)
            const payment_status = yield* trip.invoice(acting, before, trip_id)
            const confirmed_at = yield* DateTime.now
            return bookingRecord(
              yield* steps.store({
                ...before,
                status,
                trip_id,
                payment_status,
                confirmed_at,
                expires_at: null
              })
            )
          })
        )
      })

      const cancelLocked = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        booking: Booking,
        force: boolean
      ) {
        if (booking.trip_id !== null) yield* trip.cancel(acting, booking.trip_id, force)
        return yield* steps.cancel(booking)
      })

      const cancel = Effect.fn("Bookings.cancel")(function* (
        acting: ActingBusiness,
        bookingId: BookingId,
        force: boolean
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* steps.lock(acting.business_id, bookingId)
            yield* bookingMachine.move(before.status, "cancelled", "operator")
            return bookingRecord(yield* cancelLocked(acting, before, force))
          })
        )
      })

      const remove = Effect.fn("Bookings.remove")(function* (
        acting: ActingBusiness,
        bookingId: BookingId,
        { force = false, precondition = unconditional }: DeletionTerms<BookingRecord> = {}
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* steps.lock(acting.business_id, bookingId)
            const last = bookingRecord(before)
            yield* precondition(last)
            const { invoice_id, trip_id } = before
            if ((before.status === "confirmed" || invoice_id !== null) && !force)
              return yield* new ConfirmationRequired({
                reason: invoice_id === null ? "The booking is confirmed" : "The booking is on an invoice",
                atStake: [{ type: "booking", booking_id: bookingId, trip_id, invoice_id }]
              })
            if (bookingMachine.can(before.status, "cancelled")) yield* cancelLocked(acting, before, force)
            // Its expiry may not be stored yet; the sweep does not find a deleted booking.
            else yield* steps.expire(before)
            yield* bookings.remove(acting.business_id, bookingId, yield* DateTime.now)
            return last
          })
        )
      })

      return Bookings.of({ create, list, get, update, confirm, cancel, remove })
    })
  ).pipe(Layer.provide(BookingSteps.layer))
}
