/**
 * Recomputes the sums of every invoice from its lines and its ledger, and reports each difference, and each trip that a line
 * charges on an invoice that the trip is not on.
 */
import { Context, Effect, Layer } from "effect"
import type { OnProgress } from "../../kernel/Progress.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import { differencesOf, type MoneyDifference } from "./AccountDifferences.ts"
import { type AccountPosition, AccountRepository, type InvoiceAccount } from "./AccountRepository.ts"

const pageSize = 500

export class MoneyCheck extends Context.Service<MoneyCheck>()("@livery/domain/MoneyCheck", {
  make: Effect.gen(function* () {
    const accounts = yield* AccountRepository
    return {
      /**
       * The differences of all invoices, the businesses whose numbers have gaps, the remittances whose amount is not the
       * sum of their entries, and the trips that have a payment
       * status without an invoice. It changes nothing. The progress is in invoices.
       */
      run: traced("MoneyCheck.run")(function* (onProgress?: OnProgress) {
        const differences: Array<MoneyDifference> = []
        const total = onProgress === undefined ? 0 : yield* accounts.count
        let done = 0
        let after: AccountPosition | null = null
        for (;;) {
          const page: ReadonlyArray<InvoiceAccount> = yield* accounts.page(after, pageSize)
          differences.push(...page.flatMap(differencesOf))
          onProgress?.((done += page.length), total)
          const last = page.at(-1)
          if (last === undefined) break
          after = [last.invoice.business_id, last.invoice.invoice_id]
        }
        for (const business_id of yield* accounts.gaps)
          differences.push({
            business_id,
            invoice_id: null,
            what: "numbers",
            stored: "gaps",
            computed: "none"
          })
        for (const remittance of yield* accounts.unequalRemittances)
          differences.push({
            business_id: remittance.business_id,
            invoice_id: null,
            what: `amount of remittance ${remittance.remittance_id}`,
            stored: remittance.amount_minor,
            computed: remittance.entered_minor
          })
        for (const { business_id, payment_status, trip_id } of yield* accounts.paidWithoutInvoice)
          differences.push({
            business_id,
            invoice_id: null,
            what: `payment status of trip ${trip_id}, which is on no invoice`,
            stored: payment_status,
            computed: "unpaid"
          })
        return differences
      })
    }
  })
}) {
  static readonly layer = Layer.effect(MoneyCheck, MoneyCheck.make)
}
