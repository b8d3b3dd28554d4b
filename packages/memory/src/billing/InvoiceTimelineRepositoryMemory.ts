import { CurrentActor, InvoiceTimelineEntry, InvoiceTimelineRepository } from "@livery/domain"
import { Effect, Option } from "effect"
import { actorNames } from "../store/ActorNames.ts"
import { only } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(InvoiceTimelineRepository, (store) => {
  const { invoiceChanges, invoices, step } = store
  const nameOf = actorNames(store)
  return {
    append: (business_id, invoice_id, entries, at) =>
      Effect.flatMap(CurrentActor, (actor) =>
        step(() => {
          for (const entry of entries) {
            const change_id = invoiceChanges.next()
            invoiceChanges.set(change_id, { ...entry, change_id, business_id, invoice_id, at, actor })
          }
        })
      ),
    list: (businessId, invoiceId, page) =>
      step(() => {
        if (invoices.get(invoiceId)?.business_id !== businessId) return Option.none()
        const entries = invoiceChanges
          .where(({ invoice_id }) => invoice_id === invoiceId)
          .toSorted(ascending(({ change_id }) => [change_id]))
          .map((row): InvoiceTimelineEntry => ({
            ...only(InvoiceTimelineEntry, row),
            actor_name: nameOf(row)
          }))
        return Option.some(pageOf(entries, page))
      })
  }
})
