/** The port that stores the runs that invoice a month. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, MonthlyRunId } from "../../kernel/Ids.ts"
import type { MonthlyRun, MonthlyRunItem } from "./MonthlyRun.ts"
import type { UninvoicedTrips } from "./BillableTripRepository.ts"

/** The place of an item among those that wait: the business, the run, the customer, the currency. */
export type ItemPlace = Pick<MonthlyRunItem, "business_id" | "run_id" | "customer_id" | "currency">

/** The work of one item: `raise` its invoice, or `send` it. */
export type ItemWork = "raise" | "send"

/**
 * - `start`: stores a run at `now` with a pending item for each customer and currency. If the business has an unfinished run of the
 *   month, it changes nothing and returns that one.
 * - `find`: the business's run with that id. `items`: its items, in the order of customers and currencies.
 * - `waiting`: the first items after a place that wait for work, at most `most`, of all businesses.
 * - `lock`: the item, locked until the transaction ends; `None` if it does not wait for the work any more, or another process works on it.
 * - `update`: replaces a locked item, and finishes the run at `now` if no item of it waits any more.
 */
export class MonthlyRunRepository extends Context.Service<
  MonthlyRunRepository,
  {
    readonly start: (
      run: Omit<MonthlyRun, "run_id" | "created_at" | "finished_at">,
      customers: ReadonlyArray<UninvoicedTrips>,
      now: DateTime.Utc
    ) => Effect.Effect<MonthlyRun>
    readonly find: (businessId: BusinessId, runId: MonthlyRunId) => Effect.Effect<Option.Option<MonthlyRun>>
    readonly items: (
      businessId: BusinessId,
      runId: MonthlyRunId
    ) => Effect.Effect<ReadonlyArray<MonthlyRunItem>>
    readonly waiting: (
      work: ItemWork,
      after: ItemPlace | null,
      most: number
    ) => Effect.Effect<ReadonlyArray<ItemPlace>>
    readonly lock: (work: ItemWork, place: ItemPlace) => Effect.Effect<Option.Option<MonthlyRunItem>>
    readonly update: (item: MonthlyRunItem, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@livery/domain/MonthlyRunRepository") {}
