/** The port to the queue of deliveries. */
import { Context, type Effect } from "effect"
import type { ClaimBounds } from "./ClaimBounds.ts"
import type { AttemptResult, Backlog, ClaimedDelivery, Claims, DeliveryVerdict } from "./Delivery.ts"

/**
 * The port to the durable queue of deliveries, for dispatchers. Times are the database's own, so that dispatchers on
 * several machines agree on which deliveries are due.
 *
 * - `claim`: claims due deliveries within the bounds, fairly over endpoints. Counts their attempt, and gives them a
 *   claim id and a time after which their claim expires. The limits hold across all dispatchers. Exception: if another
 *   dispatcher's claim takes longer than half a second, this one does not wait for it and may exceed the limits. Expired
 *   claims are removed, and their deliveries are due again. Deliveries of disabled or deleted endpoints, and those whose
 *   sixth attempt was never reported, become `failed`. Returns the unreported attempts that it found, each once.
 * - `record`: writes the results whose claim still holds. A result after the end of its lease still counts, unless
 *   another dispatcher has claimed the delivery. If the endpoint was disabled during the attempt, the attempt is kept
 *   and the delivery stays `failed`. Returns the verdicts, in the order of the results. Never waits for a delivery that
 *   another transaction has locked: its result must be recorded again.
 * - `release`: releases claims that were never sent, and does not count their attempt. Returns those that it could not
 *   release because another transaction has locked them.
 * - `backlog`: the deliveries that are due, including deliveries whose claim has expired.
 */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    readonly claim: (bounds: ClaimBounds) => Effect.Effect<Claims>
    readonly record: (results: ReadonlyArray<AttemptResult>) => Effect.Effect<ReadonlyArray<DeliveryVerdict>>
    readonly release: (
      claims: ReadonlyArray<ClaimedDelivery>
    ) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>
    readonly backlog: Effect.Effect<Backlog>
  }
>()("@livery/domain/DeliveryQueue") {}
