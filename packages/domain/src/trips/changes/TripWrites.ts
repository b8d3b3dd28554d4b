/**
 * The writes of the trip's unit of work. No file of the domain but this one and `TripCreations.ts` changes a stored trip, its
 * assignments or its timeline.
 */
import { DateTime, Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { makeEvent } from "../../events/DomainEvent.ts"
import { EventLog } from "../../events/EventLog.ts"
import type { EmittedEventType } from "../../events/EventType.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { orNotFound } from "../../kernel/Errors.ts"
import type { AssignmentId, BusinessId, CustomerId, InvoiceId, TripId } from "../../kernel/Ids.ts"
import type { Mover } from "../../kernel/StateMachine.ts"
import { assignmentChangesOf } from "./AssignmentChanges.ts"
import { assignmentMachine, isUnderWay } from "../trip/Assignment.ts"
import { AssignmentRepository, type NewAssignment } from "../trip/AssignmentRepository.ts"
import { timelineEntriesOf, updateEntry } from "../timeline/Timeline.ts"
import { TimelineRepository } from "../timeline/TimelineRepository.ts"
import { type NewTrip, storedTrip, type Trip } from "../trip/Trip.ts"
import { TripCharges } from "../trip/TripCharges.ts"
import { type ErasedTrip, erasedReportsOf, erasureEntryOf, personalNames } from "./TripErasure.ts"
import { type DerivedChange, makeCreateAll } from "./TripCreations.ts"
import { eventDataOf } from "./TripEvents.ts"
import { IsTold } from "./IsTold.ts"
import { NoticeMarks } from "./NoticeMarks.ts"
import { hasLiveDriver, isTold, isUrgent, newlyDeclined, type ToldTrip, toldTrip } from "./ToldTrip.ts"
import { TripIds } from "../trip/TripIds.ts"
import { TripRepository } from "../trip/TripRepository.ts"
import {
  eventTypesOf,
  withDerivedStatus,
  withFormerDrivers,
  withoutOldAcceptances,
  withTimestamps
} from "./TripRules.ts"
import { isOpenTrip, type PaymentStatus, tripMachine } from "../trip/TripStatus.ts"
import { isSameWindow, windowOf } from "../trip/TripWindow.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** How a trip should be. `newDrivers` are assigned to it, in addition to its `drivers`. */
export interface WantedTrip extends Trip {
  readonly newDrivers?: ReadonlyArray<NewAssignment>
}

/** A locked trip, and how it should be. */
export interface TripChange {
  readonly before: Trip
  readonly wanted: WantedTrip
}

/** What is stored with a change, besides the trip. */
export interface ChangeNotes {
  /** Kept in the timeline. */
  readonly reason?: string | undefined
  /** When drivers started whose assignments become `en_route`; now by default. */
  readonly startedAt?: DateTime.Utc | undefined
}

/** The most trips that one batch links to a customer. */
const maxLinkedPerBatch = 200

/** Builds the methods of `TripUnitOfWork`. */
export const makeTripWrites = Effect.gen(function* () {
  const trips = yield* TripRepository
  const ids = yield* TripIds
  const assignments = yield* AssignmentRepository
  const timeline = yield* TimelineRepository
  const events = yield* EventLog
  const cryptography = yield* Cryptography
  const charges = yield* TripCharges
  const marks = yield* NoticeMarks

  const lock = traced("TripUnitOfWork.lock")(function* (acting: ActingBusiness, tripId: TripId) {
    return yield* orNotFound("trip")(yield* trips.lock(acting.business_id, tripId))
  })

  const eventOf = (
    { business_id, timezone }: Pick<ActingBusiness, "business_id" | "timezone">,
    type: EmittedEventType,
    trip: Trip,
    before: Trip = trip
  ) =>
    Effect.provideService(
      makeEvent(business_id, type, eventDataOf(type, before, trip, timezone)),
      Cryptography,
      cryptography
    )

  const create = traced("TripUnitOfWork.create")(function* (acting: ActingBusiness, created: NewTrip) {
    const trip = storedTrip(created, yield* ids.next, yield* DateTime.now)
    return yield* trips.insert({ trip, event: yield* eventOf(acting, "trip.created", trip) })
  })

  const storeAssignments = Effect.fnUntraced(function* (
    businessId: BusinessId,
    changed: ReadonlyArray<DerivedChange>,
    by: Mover,
    now: DateTime.Utc,
    startedAt: DateTime.Utc = now
  ) {
    const each = changed.map(({ after, before }) => assignmentChangesOf(before, after))
    for (const status of assignmentMachine.states) {
      const ids = each.flatMap(({ statuses }) =>
        statuses.flatMap((one) => (one.status === status ? one.ids : []))
      )
      if (ids.length > 0)
        yield* assignments.setStatus(businessId, ids, {
          status,
          by,
          now: isUnderWay({ status }) ? startedAt : now
        })
    }
    const withOtherCar = each.flatMap((changes) => changes.withOtherCar)
    if (withOtherCar.length > 0) yield* assignments.setCars(businessId, withOtherCar)
    const answered = each.flatMap((changes) => changes.withOtherAnswer)
    if (answered.length > 0) yield* assignments.setAnswers(businessId, answered)
    for (const { assignmentId, reached } of each.flatMap(({ milestones }) => milestones))
      yield* assignments.insertMilestone(businessId, assignmentId, reached)
    for (const { assignmentId, reached } of each.flatMap(({ removedMilestones }) => removedMilestones))
      yield* assignments.removeMilestone(businessId, assignmentId, reached)
    // This includes ended assignments, because drivers' lists of past jobs are ordered by this time.
    const moved = changed
      .map(({ after, before }) => ({
        tripId: before.trip_id,
        earlier: windowOf(before),
        window: windowOf(after)
      }))
      .filter(({ earlier, window }) => !isSameWindow(earlier, window))
    if (moved.length > 0) yield* assignments.setWindows(businessId, moved)
  })

  /** Stores the new assignments of a trip, and derives the rest of the change. */
  const derive = Effect.fnUntraced(function* (
    acting: ActingBusiness,
    { before, wanted: { newDrivers = [], ...wanted } }: TripChange,
    now: DateTime.Utc,
    reason: string | undefined
  ): Effect.fn.Return<DerivedChange> {
    const { business_id, trip_id } = before
    const inserted =
      newDrivers.length === 0
        ? []
        : yield* assignments.insert(business_id, trip_id, windowOf(before), newDrivers, now)
    const drivers = [...wanted.drivers, ...inserted]
    const derived = withDerivedStatus(
      withFormerDrivers(before, withoutOldAcceptances(before, { ...wanted, drivers }))
    )
    const timestamped = withTimestamps(before, derived, now)
    const isEndedOrReopened = isOpenTrip(before.status) !== isOpenTrip(timestamped.status)
    const hasOtherFacts =
      before.tolls_minor !== timestamped.tolls_minor || before.waiting_minutes !== timestamped.waiting_minutes
    const after =
      (isEndedOrReopened || (hasOtherFacts && !isOpenTrip(before.status))) &&
      timestamped.deleted_at === undefined
        ? yield* charges.applyFinalPrice(acting, before, timestamped)
        : timestamped
    return { before, after, entries: timelineEntriesOf(before, after, acting.timezone, reason) }
  })

  /** The events of a change, in the order in which they are sent. */
  const eventsOf = Effect.fnUntraced(function* (
    acting: ActingBusiness,
    { after, before, entries }: DerivedChange
  ) {
    const ofTrip = yield* Effect.forEach(eventTypesOf(before, after, entries), (type) =>
      eventOf(acting, type, after, before)
    )
    if (after.deleted_at === undefined || after.invoice_id === null) return ofTrip
    const data = { invoice_id: after.invoice_id, change: "detached", trip_ids: [before.trip_id] }
    const detached = makeEvent(acting.business_id, "invoice.updated", data)
    return [...ofTrip, yield* Effect.provideService(detached, Cryptography, cryptography)]
  })

  const createAll = yield* makeCreateAll({ eventOf, eventsOf })

  /** Marks the changes that may have to be told. A driver who left the trip knows that already. */
  const markForNotices = (
    businessId: BusinessId,
    changed: ReadonlyArray<DerivedChange>,
    by: Mover,
    now: DateTime.Utc
  ) => {
    const told = changed.flatMap((change) => {
      const after = toldTrip(change.after)
      const left = new Set(
        by === "driver"
          ? after.drivers.flatMap(({ assignment_id, status }) =>
              status === "cancelled" ? [assignment_id] : []
            )
          : []
      )
      const earlier = toldTrip(change.before)
      const before: ToldTrip = {
        ...earlier,
        drivers: earlier.drivers.filter(({ assignment_id }) => !left.has(assignment_id))
      }
      const hasDriver =
        hasLiveDriver(before) || hasLiveDriver(after) || newlyDeclined(before, after).length > 0
      return isTold(before, after) ? [{ before, isUrgent: isUrgent(before, after), hasDriver }] : []
    })
    return Effect.flatMap(IsTold, (isOn) =>
      told.length === 0 || !isOn ? Effect.void : marks.mark(businessId, told, now)
    )
  }

  const commitAll = traced("TripUnitOfWork.commit")(function* (
    acting: ActingBusiness,
    changes: ReadonlyArray<TripChange>,
    by: Mover,
    { reason, startedAt }: ChangeNotes = {}
  ) {
    const now = yield* DateTime.now
    const { business_id } = acting
    const derived = yield* Effect.forEach(changes, (change) => derive(acting, change, now, reason))
    const changed = derived.filter(({ entries }) => entries.length > 0)
    const [first, ...others] = changed
    if (first === undefined) return derived.map(({ before }) => before)
    // The derived status is always one that the transition table allows. Any other is a bug, so it is a defect.
    for (const { after, before } of changed)
      if (before.status !== after.status) yield* Effect.orDie(tripMachine.move(before.status, after.status))
    yield* storeAssignments(business_id, changed, by, now, startedAt)
    yield* others.length === 0
      ? trips.update(first.after, first.before)
      : trips.updateAll(
          business_id,
          changed.map(({ after }) => after)
        )
    yield* timeline.append(
      business_id,
      changed.map(({ before, entries }) => ({ tripId: before.trip_id, entries })),
      now
    )
    yield* markForNotices(business_id, changed, by, now)
    const sent = (yield* Effect.forEach(changed, (change) => eventsOf(acting, change))).flat()
    yield* sent.length === 1 ? Effect.forEach(sent, events.record, { discard: true }) : events.recordAll(sent)
    return derived.map(({ after, before, entries }) => (entries.length === 0 ? before : after))
  })

  const commit = (acting: ActingBusiness, before: Trip, wanted: WantedTrip, by: Mover, notes?: ChangeNotes) =>
    Effect.map(commitAll(acting, [{ before, wanted }], by, notes), ([after = before]) => after)

  const setInvoice = traced("TripUnitOfWork.setInvoice")(function* (
    { business_id }: ActingBusiness,
    locked: ReadonlyArray<Trip>,
    invoiceId: InvoiceId | null,
    paymentStatus: PaymentStatus
  ) {
    const now = yield* DateTime.now
    const changed = locked.filter(
      ({ invoice_id, payment_status }) => invoice_id !== invoiceId || payment_status !== paymentStatus
    )
    if (changed.length === 0) return
    const ids = changed.map(({ trip_id }) => trip_id)
    yield* trips.setInvoice(business_id, ids, { invoiceId, paymentStatus }, now)
    const after = { invoice_id: invoiceId, payment_status: paymentStatus }
    const entries = changed.map(({ invoice_id, payment_status, trip_id }) => ({
      tripId: trip_id,
      entries: [updateEntry({ invoice_id, payment_status }, after)]
    }))
    yield* timeline.append(business_id, entries, now)
  })

  const linkBatch = Effect.fnUntraced(function* (
    { business_id, timezone }: ActingBusiness,
    customerId: CustomerId,
    tripIds: ReadonlyArray<TripId>
  ) {
    const now = yield* DateTime.now
    const changes = (yield* trips.lockAll(business_id, tripIds))
      // Another request may have linked or deleted a trip since its id was read.
      .filter(({ customer_id }) => customer_id === null)
      .map((before) => ({
        tripId: before.trip_id,
        entries: timelineEntriesOf(
          before,
          withTimestamps(before, { ...before, customer_id: customerId }, now),
          timezone
        )
      }))
    const linked = changes.map(({ tripId }) => tripId)
    yield* trips.setCustomer(business_id, linked, customerId, now)
    yield* timeline.append(business_id, changes, now)
  })

  const linkTripsByEmail = traced("TripUnitOfWork.linkTripsByEmail")(function* (
    acting: ActingBusiness,
    customerId: CustomerId,
    email: string
  ) {
    const tripIds = yield* trips.tripsWithoutCustomer(acting.business_id, email)
    for (let from = 0; from < tripIds.length; from += maxLinkedPerBatch)
      yield* linkBatch(acting, customerId, tripIds.slice(from, from + maxLinkedPerBatch))
  })

  const eraseReports = (businessId: BusinessId, assignmentIds: ReadonlyArray<AssignmentId>) =>
    assignments.erasePlaces(businessId, assignmentIds)

  const erasePerson = traced("TripUnitOfWork.erasePerson")(function* (
    acting: Pick<ActingBusiness, "business_id" | "timezone">,
    erased: ReadonlyArray<ErasedTrip>
  ) {
    const now = yield* DateTime.now
    const { business_id, timezone } = acting
    const changed = erased.map(({ after }): Trip => ({ ...after, updated_at: now }))
    yield* trips.updateAll(business_id, changed)
    const entries = erased.map((one) => ({
      tripId: one.after.trip_id,
      entries: [erasureEntryOf(one, timezone)]
    }))
    const ids = entries.map(({ tripId }) => tripId)
    yield* timeline.erase(business_id, ids, personalNames)
    yield* marks.forget(business_id, ids)
    yield* timeline.append(business_id, entries, now)
    yield* eraseReports(business_id, erased.flatMap(erasedReportsOf))
    const reasons = erased.flatMap(({ after, before }) => assignmentChangesOf(before, after).withOtherAnswer)
    if (reasons.length > 0) yield* assignments.setAnswers(business_id, reasons)
    const shown = changed.filter(({ deleted_at }) => deleted_at === undefined)
    yield* events.recordAll(yield* Effect.forEach(shown, (trip) => eventOf(acting, "trip.updated", trip)))
  })

  return {
    /**
     * Stores a new trip with the first entry of its timeline, and sends `trip.created`. `None`, and nothing is stored,
     * if its reference is taken. It needs no transaction, because it is one statement.
     */
    create,

    /**
     * Stores new trips with their timelines, and sends `trip.created` and the events of their ends, each as `create` and `commit` do,
     * but marks none of them for notices. The number of writes does not grow with the number of trips. The result has the id of each
     * trip, in order; null for a trip whose reference is taken, which is not stored.
     */
    createAll,

    /** The acting business's trip, locked until the transaction ends; `NotFound` if it is absent or another business's. */
    lock,

    /**
     * Stores how `by` wants a locked trip to be, and returns it as stored. Assignments of `before` that `wanted` lacks
     * are cancelled, and its new drivers and milestones are added. A deleted trip
     * leaves its invoice, which sends `invoice.updated`.
     */
    commit,

    /**
     * Stores changes of several trips, as `commit` does it for one after the other. The number of writes does not grow
     * with the number of trips, except for new assignments, milestones and final prices.
     */
    commitAll,

    /**
     * Assigns that customer to the business's trips that have that email and no customer, each with an entry in its
     * timeline and without an event. Call `CustomerRepository.lockEmails` first. It works in batches, each of which
     * takes the same number of statements.
     */
    linkTripsByEmail,

    /**
     * Puts locked trips on an invoice, or on none, with a payment status, each with an entry in its timeline and without
     * an event. Trips that have both already do not change.
     */
    setInvoice,

    /**
     * Stores trips without a person, removes the personal fields from their timelines, and adds an entry about that to
     * each. Trips that are not deleted send an event. If the person was the customer, it also erases the drivers'
     * reports, as `eraseReports` does.
     */
    erasePerson,

    /**
     * Removes the places of milestones and the ended tokens from assignments, whose trips are locked. It changes neither
     * the timelines nor the events of these trips: an erasure redacts such copies separately.
     */
    eraseReports
  }
})
