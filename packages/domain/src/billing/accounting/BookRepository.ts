/** The port that reads the books of a business in the order of days. */
import { Context, type Effect } from "effect"
import type { BusinessId, CustomerId } from "../../kernel/Ids.ts"
import type { Accounting } from "./AccountPlan.ts"
import type { BookEntry, BookEntryType, BookPosition } from "../ledger/BookEntry.ts"

/** The days of an export, both included, on the clock of `timezone`. */
export interface BookDays {
  readonly from: string
  readonly to: string
  readonly timezone: string
}

/**
 * - `settingsOf`: the accounts of a business for exports, and its country.
 * - `page`: at most `size` entries of one type on these days, after a position; with `customerId`, those of invoices of the customer.
 *   An entry of the ledger that only changes the meaning of an
 *   amount (`credit`) is left out. The customer is the one of the sealed invoice, and otherwise of the invoice's record; without
 *   a customer, the name is the one on the first trip.
 */
export class BookRepository extends Context.Service<
  BookRepository,
  {
    readonly settingsOf: (
      businessId: BusinessId
    ) => Effect.Effect<{ readonly accounting: Accounting; readonly country: string | null }>
    readonly page: (
      businessId: BusinessId,
      type: BookEntryType,
      days: BookDays,
      after: BookPosition | null,
      size: number,
      customerId?: CustomerId
    ) => Effect.Effect<ReadonlyArray<BookEntry>>
  }
>()("@livery/domain/BookRepository") {}
