import {
  type ItemPlace,
  type ItemWork,
  MonthlyRunId,
  type MonthlyRunItem,
  MonthlyRunRepository
} from "@livery/domain"
import { type DateTime, Option } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

const keyOf = ({ business_id, currency, customer_id, run_id }: ItemPlace) =>
  JSON.stringify([business_id, run_id, customer_id, currency])

const placeOf = ({ business_id, currency, customer_id, run_id }: ItemPlace) => [
  business_id,
  run_id,
  customer_id,
  currency
]

const waits = (work: ItemWork, { outcome, sending }: MonthlyRunItem) =>
  (work === "raise" ? outcome : sending) === "pending"

export const layer = inMemory(MonthlyRunRepository, ({ monthlyRunItems, monthlyRuns, step }) => {
  const finish = (runId: MonthlyRunId, now: DateTime.Utc) => {
    const run = monthlyRuns.get(runId)
    const isWaiting = monthlyRunItems.where(
      (item) => item.run_id === runId && (waits("raise", item) || waits("send", item))
    )
    if (run !== undefined && isWaiting.length === 0) monthlyRuns.set(runId, { ...run, finished_at: now })
  }
  return {
    start: (run, customers, now) =>
      step(() => {
        const [unfinished] = monthlyRuns.where(
          ({ business_id, finished_at, month }) =>
            business_id === run.business_id && month === run.month && finished_at === null
        )
        if (unfinished !== undefined) return unfinished
        const run_id = MonthlyRunId.make(monthlyRuns.next())
        const made = monthlyRuns.set(run_id, { ...run, run_id, created_at: now, finished_at: null })
        for (const { currency, customerId } of customers) {
          if (customerId === null) continue
          const item: MonthlyRunItem = {
            business_id: run.business_id,
            run_id,
            customer_id: customerId,
            currency,
            outcome: "pending",
            invoice_id: null,
            left_out: [],
            sending: null,
            reason: null
          }
          monthlyRunItems.set(keyOf(item), item)
        }
        finish(run_id, now)
        return monthlyRuns.get(run_id) ?? made
      }),
    find: (businessId, runId) =>
      step(() =>
        Option.filter(
          Option.fromUndefinedOr(monthlyRuns.get(runId)),
          ({ business_id }) => business_id === businessId
        )
      ),
    items: (businessId, runId) =>
      step(() =>
        monthlyRunItems
          .where(({ business_id, run_id }) => business_id === businessId && run_id === runId)
          .toSorted(ascending(placeOf))
      ),
    waiting: (work, after, most) =>
      step(() =>
        monthlyRunItems
          .where((item) => waits(work, item))
          .toSorted(ascending(placeOf))
          .filter((item) => after === null || ascending(placeOf)(item, { ...item, ...after }) > 0)
          .slice(0, most)
          .map(({ business_id, currency, customer_id, run_id }) => ({
            business_id,
            currency,
            customer_id,
            run_id
          }))
      ),
    lock: (work, place) =>
      step(() =>
        Option.filter(Option.fromUndefinedOr(monthlyRunItems.get(keyOf(place))), (item) => waits(work, item))
      ),
    update: (item, now) =>
      step(() => {
        monthlyRunItems.set(keyOf(item), item)
        finish(item.run_id, now)
      })
  }
})
