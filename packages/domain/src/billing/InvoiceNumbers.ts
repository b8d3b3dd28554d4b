/** Reading and changing how a business numbers its invoices. */
import { Context, DateTime, Effect, Layer } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import type { ActingBusiness } from "../business/Business.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { refuseIssues } from "../kernel/Errors.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { localDay } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import {
  type InvoiceNumbering,
  type InvoiceNumberingChanges,
  type InvoiceNumberingRecord,
  lastCountOf,
  nextNumberOf,
  numberPrefixOf
} from "./invoice/InvoiceNumbering.ts"
import { InvoiceNumberingRepository } from "./invoice/InvoiceNumberingRepository.ts"

const recordOf = (numbering: InvoiceNumbering, today: string): InvoiceNumberingRecord => {
  const { format, restarts_each_year } = numbering
  const { count, number } = nextNumberOf(numbering, today)
  return { format, restarts_each_year, next_number: count, next: number }
}

export class InvoiceNumbers extends Context.Service<InvoiceNumbers>()("@livery/domain/InvoiceNumbers", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const plans = yield* PlanRepository
    const numberings = yield* InvoiceNumberingRepository
    const writeAudit = yield* makeAuditTrail

    const todayOf = ({ timezone }: ActingBusiness) =>
      Effect.map(DateTime.now, (now) => localDay(now, timezone))

    return {
      /** How the acting business numbers its invoices. */
      read: traced("InvoiceNumbers.read")(function* (acting: ActingBusiness) {
        return recordOf(yield* numberings.read(acting.business_id), yield* todayOf(acting))
      }),

      /**
       * Changes the numbers of later invoices, and writes the change to the audit log. `InvalidInput` for a count that was
       * passed already, and for a count that restarts each year in numbers without the year.
       */
      update: traced("InvoiceNumbers.update")(function* (
        acting: ActingBusiness,
        { next_number, ...changes }: InvoiceNumberingChanges,
        precondition: Precondition<InvoiceNumberingRecord> = unconditional
      ) {
        const { business_id } = acting
        return yield* atomically(transaction, function* () {
          yield* plans.lock(business_id)
          const today = yield* todayOf(acting)
          const current = yield* numberings.read(business_id)
          const before = recordOf(current, today)
          yield* precondition(before)
          const changed = { ...current, ...changes }
          const prefix = numberPrefixOf(changed.format, today)
          const least = lastCountOf(changed, prefix) + 1
          yield* refuseIssues([
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
          yield* numberings.save(business_id, { ...changed, counts })
          yield* writeAudit({
            actor: yield* CurrentActor,
            action: "business.invoice_numbers_changed",
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
