// The ports in memory keep the contracts of the domain's ports.
import { InvoiceId } from "@livery/domain"
import { Effect, Layer } from "effect"
import { Records } from "../../../test/contract/Contract.ts"
import { contracts } from "../../../test/contract/index.ts"
import { Memory, Store } from "../src/index.ts"

const RecordsMemory = Layer.effect(
  Records,
  Effect.map(Store, ({ audit, invoices, step }) =>
    Records.of({
      addInvoice: (invoice) =>
        step(() => {
          const invoice_id = InvoiceId.make(invoices.next())
          invoices.set(invoice_id, { ...invoice, invoice_id })
          return invoice_id
        }),
      audit: (subject) => step(() => audit.where((entry) => entry.subject === subject))
    })
  )
)

for (const contract of contracts) contract(RecordsMemory.pipe(Layer.provideMerge(Memory.layer)))
