/** The state in which an invoice was sealed, for its documents. */
import { Effect, Option } from "effect"
import type { Invoice } from "../invoice/Invoice.ts"
import type { SealedInvoice } from "../invoice/InvoiceSnapshot.ts"
import { InvoiceSnapshotRepository } from "../invoice/InvoiceSnapshotRepository.ts"

/**
 * Makes the function that returns what is stored of a sealed invoice, and none for another one. A sealed invoice without a
 * snapshot is a fault: its documents are never drawn from present data.
 */
export const makeSealedOf = Effect.map(InvoiceSnapshotRepository, (snapshots) =>
  Effect.fnUntraced(function* ({ business_id, invoice_id, number, sealed_at }: Invoice) {
    if (sealed_at === null) return Option.none<SealedInvoice>()
    const sealed = yield* snapshots.find(business_id, invoice_id)
    return Option.isSome(sealed) ? sealed : yield* Effect.die(new Error(`${number} has no snapshot`))
  })
)
