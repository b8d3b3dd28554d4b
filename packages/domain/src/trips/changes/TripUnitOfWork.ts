/**
 * The only path that creates or changes a trip. A use case locks the trip, computes how it should be, and commits that:
 *
 *     lock ──▶ before ──▶ (use case) ──▶ wanted ──▶ commit ──▶ after
 *
 * `commit` derives the trip's status from its assignments and charges a trip that ends (`TripCharges`). Then it writes
 * the assignments, their milestones, the row, the timeline and the events from the difference between before and after.
 * Each change therefore has its timeline entry and its event, and a commit without a difference writes nothing.
 */
import { Context, Layer } from "effect"
import { makeTripWrites } from "./TripWrites.ts"

/** All of its functions but `create` run inside of the caller's transaction. */
export class TripUnitOfWork extends Context.Service<TripUnitOfWork>()("@livery/domain/TripUnitOfWork", {
  make: makeTripWrites
}) {
  static readonly layer = Layer.effect(TripUnitOfWork, TripUnitOfWork.make)
}
