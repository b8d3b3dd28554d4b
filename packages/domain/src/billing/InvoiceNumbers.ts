/** Reading and changing how a business numbers its invoices and credit notes. */
import { Context, DateTime, Effect, Layer } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import type { ActingBusiness } from "../business/Business.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { refuseIssues } from "../kernel/Errors.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { localDay } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import {
  beginAlike,
  type InvoiceNumbering,
  type InvoiceNumberingChanges,
  type InvoiceNumberingRecord,
  lastCountOf,
  nextNumberOf,
  type NumberedDocument,
  numberPrefixOf
} from "./invoice/InvoiceNumbering.ts"
import { InvoiceNumberingRepository } from "./invoice/InvoiceNumberingRepository.ts"

const otherOf: Readonly<Record<NumberedDocument, NumberedDocument>> = {
  invoice: "credit_note",
  credit_note: "invoice"
}

const actionOf = {
  invoice: "business.invoice_numbers_changed",
  credit_note: "business.credit_note_numbers_changed"
} as const

const recordOf = (numbering: InvoiceNumbering, today: string): InvoiceNumberingRecord => {
  const { format, restarts_each_year } = numbering
  const { count, number } = nextNumberOf(numbering, today)
  return { format, restarts_each_year, next_number: count, next: number }
}

export class InvoiceNumbers extends Context.Service<InvoiceNumbers>()("@livery/domain/InvoiceNumbers", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const numberings = yield* InvoiceNumberingRepository
    const writeAudit = yield* makeAuditTrail

    const todayOf = ({ timezone }: ActingBusiness) =>
      Effect.map(DateTime.now, (now) => localDay(now, timezone))

    return {
      /** How the acting business numbers its invoices or its credit notes. */
      read: traced("InvoiceNumbers.read")(function* (acting: ActingBusiness, document: NumberedDocument) {
        return recordOf(yield* numberings.read(acting.business_id, document), yield* todayOf(acting))
      }),

      /**
       * Changes the numbers of later invoices or credit notes, and writes the change to the audit log. `InvalidInput` for a count
       * that was passed already, for a count that restarts each year in numbers without the year, and for a format whose
       * text before the count is the text of the other kind of document.
       */
      update: traced("InvoiceNumbers.update")(function* (
        acting: ActingBusiness,
        document: NumberedDocument,
        { next_number, ...changes }: InvoiceNumberingChanges,
        precondition: Precondition<InvoiceNumberingRecord> = unconditional
      ) {
        const { business_id } = acting
        return yield* atomically(transaction, function* () {
          const today = yield* todayOf(acting)
          const current = yield* numberings.lock(business_id, document)
          const other = yield* numberings.read(business_id, otherOf[document])
          const before = recordOf(current, today)
          yield* precondition(before)
          const changed = { ...current, ...changes }
          const prefix = numberPrefixOf(changed.format, today)
          const least = lastCountOf(changed, prefix) + 1
          yield* refuseIssues([
            ...(beginAlike(changed.format, other.format)
              ? [
                  {
                    field: "format",
                    issue: "invalid" as const,
                    accepted: `another text before the count than ${other.format}`
                  }
                ]
              : []),
            ...(changed.restarts_each_year && !changed.format.includes("{YYYY}")
              ? [
                  {
                    field: "restarts_each_year",
                    issue: "invalid" as const,
                    accepted: "false, or a format with {YYYY}"
                  }
                ]
              : []),
            ...(next_number !== undefined && next_number < least
              ? [{ field: "next_number", issue: "out_of_range" as const, accepted: `at least ${least}` }]
              : [])
          ])
          const counts =
            next_number === undefined || next_number === least
              ? changed.counts
              : { ...changed.counts, [prefix]: next_number - 1 }
          const after = recordOf({ ...changed, counts }, today)
          yield* numberings.save(business_id, document, { ...changed, counts })
          yield* writeAudit({
            actor: yield* CurrentActor,
            action: actionOf[document],
            subject: `business:${business_id}`,
            businessId: business_id,
            before,
            after
          })
          return after
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(InvoiceNumbers, InvoiceNumbers.make)
}
