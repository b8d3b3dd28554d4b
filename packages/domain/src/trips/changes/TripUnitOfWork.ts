/**
 * The only path that creates or changes a trip. A use case locks the trip, computes how it should be, and commits that:
 *
 *     lock ──▶ before ──▶ (use case) ──▶ wanted ──▶ commit ──▶ after
 *
 * `commit` derives the trip's status from its assignments and charges a trip that ends (`TripCharges`). Then it writes
 * the assignments, their milestones, the row, the timeline and the events from the difference between before and after.
 * Each change therefore has its timeline entry and its event, and a commit without a difference writes nothing.
 */
import { Context, Effect, Layer, type Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { NotFound } from "../../kernel/Errors.ts"
import type { AssignmentId, BusinessId, CustomerId, InvoiceId, TripId } from "../../kernel/Ids.ts"
import type { Mover } from "../../kernel/StateMachine.ts"
import type { NewTrip, Trip } from "../trip/Trip.ts"
import type { InsertedTrip } from "../trip/TripRepository.ts"
import type { ErasedTrip } from "./TripErasure.ts"
import type { PaymentStatus } from "../trip/TripStatus.ts"
import { makeTripWrites, type TripChange, type WantedTrip } from "./TripWrites.ts"

/**
 * All of these but `create` run inside of the caller's transaction.
 *
 * - `create`: stores a new trip with the first entry of its timeline, and sends `trip.created`. `None`, and nothing is
 *   stored, if its reference is taken. It needs no transaction, because it is one statement.
 * - `lock`: the acting business's trip, locked until the transaction ends; `NotFound` if it is absent or another
 *   business's.
 * - `commit`: stores how `by` wants a locked trip to be, and returns it as stored. Assignments of `before` that
 *   `wanted` lacks are cancelled, and its new drivers and milestones are added. A `reason` is kept in the timeline. A
 *   deleted trip leaves its invoice, which sends `invoice.updated`.
 * - `commitAll`: the same for several trips, as `commit` does it for one after the other. The number of writes does not grow with
 *   the number of trips, except for new assignments, milestones and final prices.
 * - `setInvoice`: puts locked trips on an invoice, or on none, with a payment status, each with an entry in its timeline
 *   and without an event. Trips that have both already do not change.
 * - `linkTripsByEmail`: assigns that customer to the business's trips that have that email and no customer, each with an
 *   entry in its timeline and without an event. Call `CustomerRepository.lockEmails` first. It works in batches, each of
 *   which takes the same number of statements.
 * - `erasePerson`: stores trips without a person, removes the personal fields from their timelines, and adds an entry
 *   about that to each. Trips that are not deleted send an event. If the person was the customer, it also erases the
 *   drivers' reports, as `eraseReports` does.
 * - `eraseReports`: removes the places of milestones and the ended tokens from assignments, whose trips are locked. It
 *   changes neither the timelines nor the events of these trips: an erasure redacts such copies separately.
 */
export class TripUnitOfWork extends Context.Service<
  TripUnitOfWork,
  {
    readonly create: (acting: ActingBusiness, trip: NewTrip) => Effect.Effect<Option.Option<InsertedTrip>>
    readonly lock: (acting: ActingBusiness, tripId: TripId) => Effect.Effect<Trip, NotFound>
    readonly commit: (
      acting: ActingBusiness,
      before: Trip,
      wanted: WantedTrip,
      by: Mover,
      reason?: string
    ) => Effect.Effect<Trip>
    readonly commitAll: (
      acting: ActingBusiness,
      changes: ReadonlyArray<TripChange>,
      by: Mover,
      reason?: string
    ) => Effect.Effect<ReadonlyArray<Trip>>
    readonly setInvoice: (
      acting: ActingBusiness,
      locked: ReadonlyArray<Trip>,
      invoiceId: InvoiceId | null,
      paymentStatus: PaymentStatus
    ) => Effect.Effect<void>
    readonly linkTripsByEmail: (
      acting: ActingBusiness,
      customerId: CustomerId,
      email: string
    ) => Effect.Effect<void>
    readonly erasePerson: (
      acting: Pick<ActingBusiness, "business_id" | "timezone">,
      erased: ReadonlyArray<ErasedTrip>
    ) => Effect.Effect<void>
    readonly eraseReports: (
      businessId: BusinessId,
      assignmentIds: ReadonlyArray<AssignmentId>
    ) => Effect.Effect<void>
  }
>()("@livery/domain/TripUnitOfWork") {
  static readonly layer = Layer.effect(TripUnitOfWork, Effect.map(makeTripWrites, TripUnitOfWork.of))
}
