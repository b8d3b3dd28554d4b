/**
 * The seats of a business at the payment provider (docs/billing/seats.md). The quantity of the business's subscription
 * item is the number of its seats. A seat is bought in three steps, and no transaction is open during the second:
 *
 * 1. Record the change and its idempotency key, and take the lease of the business.
 * 2. Ask the provider for the new quantity.
 * 3. Store the driver and the seat in one transaction, and give the lease back.
 *
 * If the result of step 2 is unknown, the next purchase repeats the recorded change with the same key. If there is no next
 * purchase, the worker sets the quantity to the number of seats.
 */
import { Context, DateTime, Duration, Effect, Layer, Option, Schedule, Schema } from "effect"
import { PlanRepository } from "../../business/PlanRepository.ts"
import { PaymentProviderUnavailable } from "../../billing/provider/PaymentProviderErrors.ts"
import type { BusinessId } from "../../kernel/Ids.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { hasSubscriptionEnded, makeQuantityChange } from "./QuantityChange.ts"
import {
  type SeatChanges,
  type SeatSubscription,
  SeatSubscriptionRepository
} from "./SeatSubscriptionRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** The provider has to confirm a seat before it is stored. Only `SeatSubscriptions.payingForSeat` handles it. */
export class SeatUnpaid extends Schema.TaggedError<SeatUnpaid>()("SeatUnpaid", {}) {}

/** How long a purchase may take, including its wait for another purchase of the business. */
const purchaseTimeout = Duration.seconds(10)

/** How long a lease lasts if the process that took it ends: longer than a purchase. */
const leaseTime = Duration.seconds(30)

/** How long the client has to repeat a purchase before the worker reverses it. */
const repairDelay = Duration.minutes(10)

/** How often a quantity is reconciled although nothing has changed. */
const seatCheckInterval = Duration.days(1)

/** Whether the lease could not be taken, because another purchase or reconciliation holds it. */
const isLeasedError = (error: unknown): error is "leased" => error === "leased"

const isLeased = ({ leased_until }: SeatChanges, now: DateTime.Utc) =>
  leased_until !== null && DateTime.isGreaterThan(leased_until, now)

const isUnpaid = (error: unknown): error is SeatUnpaid => error instanceof SeatUnpaid

export class SeatSubscriptions extends Context.Service<SeatSubscriptions>()(
  "@livery/domain/SeatSubscriptions",
  {
    make: Effect.gen(function* () {
      const transaction = yield* Transaction
      const plans = yield* PlanRepository
      const subscriptions = yield* SeatSubscriptionRepository
      const changeQuantity = yield* makeQuantityChange

      /**
       * Stores a change of the subscription of a business, with its plan locked. `undefined` if it has no subscription
       * item.
       */
      const update = Effect.fnUntraced(function* <E = never>(
        businessId: BusinessId,
        next: (stored: SeatSubscription, now: DateTime.Utc) => Effect.Effect<SeatChanges, E>
      ) {
        return yield* atomically(transaction, function* () {
          yield* plans.lock(businessId)
          const stored = yield* subscriptions.find(businessId)
          if (Option.isNone(stored)) return undefined
          const changes = yield* next(stored.value, yield* DateTime.now)
          yield* subscriptions.save(businessId, changes)
          return { ...stored.value, ...changes }
        })
      })

      /** Takes the lease, and records the change that is sent to the provider next. */
      const takeLease = (businessId: BusinessId, bought: number) =>
        update(businessId, (stored, now) => {
          if (isLeased(stored, now)) return Effect.fail("leased" as const)
          const attempted = stored.seats + bought
          return Effect.succeed({
            quantity: stored.quantity,
            // The same quantity repeats the change whose result is unknown, so it keeps the number.
            attempt: stored.attempted === attempted ? stored.attempt : stored.attempt + 1,
            attempted,
            lease: stored.lease + 1,
            leased_until: DateTime.addDuration(now, leaseTime),
            due_at: DateTime.addDuration(now, repairDelay)
          })
        })

      /** Stores a change unless another purchase has taken the lease meanwhile. */
      const storeUnderLease = (
        businessId: BusinessId,
        lease: number,
        next: (stored: SeatSubscription, now: DateTime.Utc) => Partial<SeatChanges>
      ) =>
        update(businessId, (stored, now) => {
          const { item_id: _item, seats: _seats, ...changes } = stored
          return Effect.succeed({ ...changes, ...(changes.lease === lease ? next(stored, now) : {}) })
        })

      const unavailable = (reason: string) => Effect.fail(new PaymentProviderUnavailable({ reason }))

      /** Sends a recorded change, with the next number after each failure that the provider keeps under its key. */
      const sendAttempts = (
        { attempt, item_id, lease, ...change }: SeatSubscription,
        businessId: BusinessId
      ) =>
        changeQuantity(
          { businessId, item_id, quantity: change.attempted ?? change.seats, attempt },
          Effect.map(
            storeUnderLease(businessId, lease, (stored) => ({ attempt: stored.attempt + 1 })),
            (next) => (next?.lease === lease ? next.attempt : undefined)
          )
        )

      /** Sends a recorded change to the provider, and stores the result. If none arrives, the change stays recorded. */
      const sendChange = (change: SeatSubscription, businessId: BusinessId) => {
        const { lease } = change
        return sendAttempts(change, businessId).pipe(
          Effect.tap(
            storeUnderLease(businessId, lease, ({ attempted }) => ({
              quantity: attempted,
              attempted: null
            }))
          ),
          Effect.tapErrorTag("PaymentRefused", () =>
            storeUnderLease(businessId, lease, () => ({ attempted: null }))
          ),
          Effect.onError(() => storeUnderLease(businessId, lease, () => ({ leased_until: null })))
        )
      }

      /** Gives a lease back. The quantity is checked in a day, or soon if it is not the number of seats and can become it. */
      const release = (businessId: BusinessId, lease: number, hasEnded = false) =>
        storeUnderLease(businessId, lease, ({ attempted, quantity, seats }, now) => ({
          leased_until: null,
          due_at: DateTime.addDuration(
            now,
            hasEnded || (attempted === null && quantity === seats) ? seatCheckInterval : repairDelay
          )
        }))

      /** Raises the quantity by one, and returns the number of the lease; `undefined` without a subscription item. */
      const purchase = (businessId: BusinessId) =>
        Effect.gen(function* () {
          const change = yield* takeLease(businessId, 1).pipe(Effect.retry(Schedule.spaced("100 millis")))
          if (change !== undefined) yield* sendChange(change, businessId)
          return change?.lease
        }).pipe(
          Effect.timeoutOrElse({
            duration: purchaseTimeout,
            orElse: () => unavailable("it did not confirm the seat in time")
          }),
          // The retries above end only in success or by the timeout.
          Effect.catchIf(isLeasedError, () => unavailable("another seat is being bought"))
        )

      return {
        /**
         * Runs work that may have to pay for a seat. It runs `work` without a lease first. If that fails with
         * `SeatUnpaid`, it raises the quantity at the provider and runs `work` again with the number of the lease. The
         * work runs a transaction of its own and is rolled back when it fails.
         */
        payingForSeat: <A, E>(
          businessId: BusinessId,
          work: (lease: number | undefined) => Effect.Effect<A, E | SeatUnpaid>
        ) =>
          Effect.catchIf(work(undefined), isUnpaid, () =>
            // The lease is given back also if the request is interrupted.
            Effect.uninterruptibleMask((restore) =>
              Effect.flatMap(restore(purchase(businessId)), (lease) =>
                restore(work(lease)).pipe(
                  Effect.ensuring(lease === undefined ? Effect.void : release(businessId, lease)),
                  Effect.catchIf(isUnpaid, () => unavailable("the purchase took too long"))
                )
              )
            )
          ),

        /**
         * Fails with `SeatUnpaid` unless the provider has confirmed one seat more than the business has, under this
         * lease. Businesses without a subscription item pass: their seats are on the platform's own invoices. Call it in
         * the work's transaction, before the seat is stored.
         */
        requirePaid: Effect.fnUntraced(function* (businessId: BusinessId, lease: number | undefined) {
          const stored = yield* subscriptions.find(businessId)
          if (Option.isNone(stored)) return
          const { quantity, seats } = stored.value
          const isHeld = stored.value.lease === lease && isLeased(stored.value, yield* DateTime.now)
          if (!isHeld || quantity !== seats + 1) return yield* new SeatUnpaid()
        }),

        /**
         * Makes the reconciliation due, because seats ended or, with `hasNewItem`, because the business got another
         * subscription item. Call it in the transaction of the change.
         */
        scheduleReconciliation: (businessId: BusinessId, hasNewItem = false) =>
          Effect.asVoid(
            update(businessId, ({ item_id: _item, seats: _seats, ...changes }, due_at) =>
              Effect.succeed({
                ...changes,
                ...(hasNewItem ? { quantity: null, attempted: null, lease: changes.lease + 1 } : {}),
                due_at
              })
            )
          ),

        /**
         * Sets the quantity of one business to the number of its seats, if that is due. If the subscription has ended,
         * it fails with that refusal and is due again in a day: its seats are no longer charged.
         */
        reconcile: traced("SeatSubscriptions.reconcile")(function* (businessId: BusinessId) {
          const now = yield* DateTime.now
          const stored = yield* subscriptions.find(businessId)
          // Another node may have reconciled it meanwhile.
          if (!Option.exists(stored, ({ due_at }) => DateTime.isLessThanOrEqualTo(due_at, now))) return
          const change = yield* takeLease(businessId, 0).pipe(
            // A purchase is under way; it schedules the next reconciliation.
            Effect.catchIf(isLeasedError, () => Effect.void)
          )
          if (change === undefined) return
          const { lease } = change
          yield* sendChange(change, businessId).pipe(
            Effect.onExit((exit) => release(businessId, lease, hasSubscriptionEnded(exit)))
          )
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(SeatSubscriptions, SeatSubscriptions.make)
}
