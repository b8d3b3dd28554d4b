/** The port to the queue of deliveries. */
import { Context, type Effect } from "effect"
import type { AttemptResult, Backlog, ClaimedDelivery, Claims, DeliveryVerdict } from "./Delivery.ts"

/**
 * The port to the durable queue of deliveries, for dispatchers. Times are the database's own, so that dispatchers on
 * several machines agree on what is due.
 *
 * - `claim`: claims due deliveries, fairly over endpoints: at most `perEndpoint` in flight for each, `perBusiness` for
 *   all endpoints of one business, and `limit` in all. Counts their attempt, and gives them a claim id and a time after
 *   which another dispatcher may claim them. Deliveries of disabled or deleted endpoints, and those whose sixth attempt
 *   was never reported, become `failed` instead. Also returns the unreported attempts that it found, each once. Claims
 *   made at the same instant by several dispatchers do not see each other, so that each of them may fill the bounds.
 * - `record`: writes the results whose claim still holds. A result that comes after its lease counts until another
 *   dispatcher has claimed the delivery; after that it changes nothing. Where the endpoint was disabled during the
 *   attempt, the attempt is kept and the delivery stays `failed`. Returns the verdicts, in the order of the results. Never
 *   waits for a delivery that another transaction has locked: its result is to be recorded again.
 * - `release`: gives back claims that were never sent, and does not count their attempt. Returns those that it could not
 *   give back because another transaction has locked them.
 * - `backlog`: what is due now, including deliveries whose claim has lapsed.
 */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    readonly claim: (options: {
      readonly limit: number
      readonly perEndpoint: number
      /** Unbounded by default. */
      readonly perBusiness?: number | undefined
    }) => Effect.Effect<Claims>
    readonly record: (results: ReadonlyArray<AttemptResult>) => Effect.Effect<ReadonlyArray<DeliveryVerdict>>
    readonly release: (
      claims: ReadonlyArray<ClaimedDelivery>
    ) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>
    readonly backlog: Effect.Effect<Backlog>
  }
>()("@livery/domain/DeliveryQueue") {}
