/** The port that stores bank statements. */
import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import { type BankEntryId, type BankStatementId, type BusinessId, InvoiceId } from "../../kernel/Ids.ts"
import { Currency } from "../../kernel/money/Currency.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type {
  BankEntry,
  BankEntryStatus,
  BankStatement,
  NewBankEntry,
  NewBankStatement
} from "./BankStatement.ts"

/** An invoice on which something is due, with the names of its customer. */
export const OpenInvoice = Schema.Struct({
  invoice_id: InvoiceId,
  number: Schema.String,
  currency: Currency,
  due_minor: Schema.Int,
  name: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String)
})
export type OpenInvoice = typeof OpenInvoice.Type

/**
 * - `insert`: stores a statement at `now` with its entries, without those whose fingerprint the business has. If the business has a
 *   statement with that digest, it changes nothing and returns that one.
 * - `find`: the business's statement with that id. `list`: a page of them, the newest first.
 * - `entries`: a page of the entries of a statement, in the order of the file; with a status, those in it.
 * - `lockEntry`: an entry of a statement, locked until the transaction ends.
 * - `decide`: stores the status and the remittance of a locked entry.
 * - `openInvoices`: the invoices on which something is due, the newest first, at most `most`.
 */
export class BankStatementRepository extends Context.Service<
  BankStatementRepository,
  {
    readonly insert: (
      statement: NewBankStatement,
      entries: ReadonlyArray<NewBankEntry>,
      now: DateTime.Utc
    ) => Effect.Effect<BankStatement>
    readonly find: (
      businessId: BusinessId,
      statementId: BankStatementId
    ) => Effect.Effect<Option.Option<BankStatement>>
    readonly list: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<BankStatement>>
    readonly entries: (
      businessId: BusinessId,
      statementId: BankStatementId,
      status: BankEntryStatus | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<BankEntry>>
    readonly lockEntry: (
      businessId: BusinessId,
      statementId: BankStatementId,
      entryId: BankEntryId
    ) => Effect.Effect<Option.Option<BankEntry>>
    readonly decide: (entry: BankEntry) => Effect.Effect<void>
    readonly openInvoices: (businessId: BusinessId, most: number) => Effect.Effect<ReadonlyArray<OpenInvoice>>
  }
>()("@livery/domain/BankStatementRepository") {}
