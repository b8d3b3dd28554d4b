/** The contract of `InvoiceTimelineRepository`. */
import { CurrentActor, invoiceEntry, InvoiceRepository, InvoiceTimelineRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, contract } from "./Contract.ts"
import { newBusiness, newUser, now, wholeList } from "./Given.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"

export const invoiceTimelineRepository = contract("the timeline of an invoice", (it) => {
  it.effect("has the entries of its invoice with their author, the oldest first", () =>
    Effect.gen(function* () {
      const timelines = yield* InvoiceTimelineRepository
      const invoices = yield* InvoiceRepository
      const business = yield* newBusiness
      const [invoice, other] = [
        yield* invoices.insert(invoiceDraft(business), now),
        yield* invoices.insert(invoiceDraft(business), now)
      ]
      const updated = {
        ...invoiceEntry("updated", { due_date: "2026-12-01" }, { due_date: null }),
        fields: ["due_date"]
      }
      yield* timelines
        .append(business, invoice.invoice_id, [invoiceEntry("created"), updated], at("10:00:00"))
        .pipe(Effect.provideService(CurrentActor, "user:5"))
      yield* timelines.append(business, invoice.invoice_id, [invoiceEntry("issued")], at("11:00:00"))
      yield* timelines.append(business, other.invoice_id, [invoiceEntry("created")], now)
      yield* timelines.append(business, other.invoice_id, [], now)
      const { items, total } = Option.getOrThrow(
        yield* timelines.list(business, invoice.invoice_id, wholeList)
      )
      assert.deepStrictEqual(
        items.map(({ actor, change }) => [change, actor]),
        [
          ["created", "user:5"],
          ["updated", "user:5"],
          ["issued", "system"]
        ]
      )
      assert.deepInclude(items[1], { ...updated, at: at("10:00:00") })
      assert.strictEqual(total, 3)
      const page = Option.getOrThrow(
        yield* timelines.list(business, invoice.invoice_id, { page: 2, perPage: 2 })
      )
      assert.deepStrictEqual([page.items.length, page.total, page.hasMore], [1, 3, false])
    })
  )

  it.effect("names the author by the present name of the user", () =>
    Effect.gen(function* () {
      const timelines = yield* InvoiceTimelineRepository
      const business = yield* newBusiness
      const { invoice_id } = yield* (yield* InvoiceRepository).insert(invoiceDraft(business), now)
      const user = yield* newUser
      for (const actor of [`user:${user}`, "customer", "imported:user:5"])
        yield* timelines
          .append(business, invoice_id, [invoiceEntry("created")], now)
          .pipe(Effect.provideService(CurrentActor, actor))
      const { items } = Option.getOrThrow(yield* timelines.list(business, invoice_id, wholeList))
      assert.deepStrictEqual(
        items.map(({ actor_name }) => actor_name),
        ["Ada", null, null]
      )
    })
  )

  it.effect("is found in the invoice's own business only, and is empty without entries", () =>
    Effect.gen(function* () {
      const timelines = yield* InvoiceTimelineRepository
      const business = yield* newBusiness
      const { invoice_id } = yield* (yield* InvoiceRepository).insert(invoiceDraft(business), now)
      assert.deepStrictEqual(yield* timelines.list(yield* newBusiness, invoice_id, wholeList), Option.none())
      const page = Option.getOrThrow(yield* timelines.list(business, invoice_id, wholeList))
      assert.deepStrictEqual([page.items, page.total], [[], 0])
    })
  )
})
