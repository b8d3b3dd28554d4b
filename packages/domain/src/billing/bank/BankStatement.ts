/** A bank statement and its entries (docs/api/payments.md#bank-statements). */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BankEntryId, BankStatementId, BusinessId, InvoiceId, RemittanceId } from "../../kernel/Ids.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { Allocations } from "../ledger/Remittance.ts"

/** The formats of statements. */
export const StatementFormat = Schema.Literals(["camt.053", "csv"])
export type StatementFormat = typeof StatementFormat.Type

/** What became of an entry: it waits for a decision, paid invoices, or is none of the business's invoices. */
export const BankEntryStatus = Schema.Literals(["open", "confirmed", "ignored"])
export type BankEntryStatus = typeof BankEntryStatus.Type

/** Whether an entry is money that came in, a credit, or that went out. */
export const EntryDirection = Schema.Literals(["credit", "debit"])

const count = Value.wholeNumber(0, 1_000_000)

/**
 * The fields of a statement. `read_count` is how many entries the file had, `entry_count` how many of them were new, and
 * `open_count` how many of these wait for a decision. `digest` identifies the file.
 */
export const bankStatementFields = Field.ofNobody({
  statement_id: Field.assigned(Value.id(BankStatementId)),
  business_id: Field.internal(Value.id(BusinessId)),
  format: Field.assigned(Value.oneOf(StatementFormat)),
  account: Field.assignedOrNull(Value.text(50)),
  digest: Field.internal(Value.unboundedText),
  read_count: Field.assigned(count),
  entry_count: Field.assigned(count),
  open_count: Field.assigned(count),
  created_at: Field.assigned(Value.instant)
})

/** A statement as stored. */
export const BankStatement = Field.storedOf(bankStatementFields)
export type BankStatement = typeof BankStatement.Type

/** A statement that is not stored yet. */
export type NewBankStatement = Omit<
  BankStatement,
  "statement_id" | "entry_count" | "open_count" | "created_at"
>

/** A statement in a response. */
export const BankStatementRecord = Field.recordOf(bankStatementFields)
export type BankStatementRecord = typeof BankStatementRecord.Type

/** The record of a statement. */
export const bankStatementRecord = Field.encoderOf(bankStatementFields)

/** Why an invoice is proposed for an entry, the surest reason first. */
export const ProposalReason = Schema.Literals(["reference", "amount", "name"])
export type ProposalReason = typeof ProposalReason.Type

/** An invoice that an entry may pay. */
export const Proposal = Schema.Struct({
  invoice_id: Value.id(InvoiceId).wire,
  number: Schema.String,
  customer_name: Schema.NullOr(Schema.String),
  amount_due: Schema.Finite,
  reasons: Schema.Array(ProposalReason)
})
export type Proposal = typeof Proposal.Type

/** The fields of an entry. `fingerprint` identifies it among all entries of the business. */
export const bankEntryFields = Field.ofNobody({
  entry_id: Field.assigned(Value.id(BankEntryId)),
  statement_id: Field.assigned(Value.id(BankStatementId)),
  business_id: Field.internal(Value.id(BusinessId)),
  status: Field.assigned(Value.oneOf(BankEntryStatus)),
  direction: Field.assigned(Value.oneOf(EntryDirection)),
  booked_on: Field.assigned(Value.day),
  amount: Field.computed(Value.amount.wire),
  amount_minor: Field.internal(Value.minorAmount),
  currency: Field.assigned(Value.currency),
  payer_name: Field.says({ person: "customer" }, Field.assignedOrNull(Value.text(200))),
  text: Field.says({ person: "customer" }, Field.assignedOrNull(Value.text(1000))),
  structured_reference: Field.says({ person: "customer" }, Field.assignedOrNull(Value.text(200))),
  bank_reference: Field.assignedOrNull(Value.text(200)),
  fingerprint: Field.internal(Value.unboundedText),
  remittance_id: Field.assignedOrNull(Value.id(RemittanceId)),
  proposals: Field.computed(Schema.Array(Proposal)),
  created_at: Field.assigned(Value.instant)
})

/** An entry as stored. */
export const BankEntry = Field.storedOf(bankEntryFields)
export type BankEntry = typeof BankEntry.Type

/** An entry that is not stored yet. */
export type NewBankEntry = Omit<
  BankEntry,
  "entry_id" | "statement_id" | "business_id" | "remittance_id" | "created_at"
>

/** An entry as a file has it. */
export type ReadEntry = Omit<NewBankEntry, "status" | "fingerprint">

/** An entry in a response. */
export const BankEntryRecord = Field.recordOf(bankEntryFields)
export type BankEntryRecord = typeof BankEntryRecord.Type

/** The record of an entry with the invoices that it may pay. */
export const bankEntryRecord = Field.encoderOf<typeof bankEntryFields, ReadonlyArray<Proposal>>(
  bankEntryFields,
  {
    amount: ({ amount_minor, currency }) => toMajor({ minor: amount_minor, currency }),
    proposals: (_, proposals) => proposals
  }
)

/** The filter of the entries of a statement. */
export const BankEntryFilter = Schema.Struct({ status: Schema.optionalKey(BankEntryStatus) })
export type BankEntryFilter = typeof BankEntryFilter.Type

/** The body that confirms which invoices an entry pays. */
export const BankEntryConfirmation = Schema.Struct({ allocations: Allocations })
export type BankEntryConfirmation = typeof BankEntryConfirmation.Type

const header = orNull(Value.text(100).optional)

/** The names of the columns of a CSV statement, as its header line writes them. A `camt.053` needs none. */
export const StatementColumns = Schema.Struct({
  day: header,
  amount: header,
  currency: header,
  name: header,
  reference: header
})
export type StatementColumns = typeof StatementColumns.Type
