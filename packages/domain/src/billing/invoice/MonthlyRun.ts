/** A run that invoices a month for all customers (docs/api/invoices.md). */
import { Schema } from "effect"
import { yesOrNo } from "../../kernel/fields/Optional.ts"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BusinessId, CustomerId, InvoiceId, MonthlyRunId, TripId } from "../../kernel/Ids.ts"
import { LeftOutReason, MonthlyInvoiceInput } from "./MonthlyInvoiceInput.ts"

/** The body of `POST /invoices/monthly`: the terms of each invoice, and whether it is emailed to its customer. */
export const MonthlyRunInput = Schema.Struct({
  month: MonthlyInvoiceInput.fields.month,
  group_by: MonthlyInvoiceInput.fields.group_by,
  tax_rate: MonthlyInvoiceInput.fields.tax_rate,
  notes: MonthlyInvoiceInput.fields.notes,
  send: yesOrNo(false)
})
export type MonthlyRunInput = typeof MonthlyRunInput.Type

/**
 * What became of a customer's month in one currency: `pending`; `made`, an invoice; `nothing` to bill, where all trips are left out;
 * `refused`, for the reason that is given.
 */
const Outcome = Schema.Literals(["pending", "made", "nothing", "refused"])

/** Whether the invoice was emailed: null if no invoice was made, or none is to be sent. */
const Sending = Schema.NullOr(Schema.Literals(["pending", "sent", "refused"]))

const leftOut = Schema.Array(Schema.Struct({ trip_id: TripId, reason: LeftOutReason }))

const wireOfLeftOut = Schema.Array(Schema.Struct({ trip_id: Value.id(TripId).wire, reason: LeftOutReason }))

/** The fields of a customer's month in one currency. `reason` says why there is no invoice, or why it was not emailed. */
const itemFields = Field.ofNobody({
  business_id: Field.internal(Value.id(BusinessId)),
  run_id: Field.internal(Value.id(MonthlyRunId)),
  customer_id: Field.assigned(Value.id(CustomerId)),
  currency: Field.assigned(Value.currency),
  outcome: Field.assigned(Value.unchanged(Outcome)),
  invoice_id: Field.assignedOrNull(Value.id(InvoiceId)),
  left_out: { stored: leftOut, wire: wireOfLeftOut },
  sending: Field.assigned(Value.unchanged(Sending)),
  reason: Field.assignedOrNull(Value.unboundedText)
})

/** A customer's month in one currency, as stored. */
export const MonthlyRunItem = Field.storedOf(itemFields)
export type MonthlyRunItem = typeof MonthlyRunItem.Type

const itemRecord = Field.encoderOf<typeof itemFields, undefined>(itemFields, {})

/** The fields of a run. `trips_without_customer` are uninvoiced trips of the month that no customer can be billed for. */
const runFields = Field.ofNobody({
  run_id: Field.assigned(Value.id(MonthlyRunId)),
  business_id: Field.internal(Value.id(BusinessId)),
  month: Field.assigned(Value.unboundedText),
  terms: Field.internal({ stored: MonthlyRunInput }),
  status: Field.computed(Schema.Literals(["running", "finished"])),
  trips_without_customer: Field.assigned(Value.wholeNumber(0, Number.MAX_SAFE_INTEGER)),
  customers: Field.computed(Schema.Array(Field.recordOf(itemFields))),
  created_at: Field.assigned(Value.instant),
  finished_at: Field.assignedOrNull(Value.instant)
})

/** A run as stored. */
export const MonthlyRun = Field.storedOf(runFields)
export type MonthlyRun = typeof MonthlyRun.Type

/** A run in a response, with its report. */
export const MonthlyRunRecord = Field.recordOf(runFields)
export type MonthlyRunRecord = typeof MonthlyRunRecord.Type

/** The record of a run with its items. */
export const monthlyRunRecord = Field.encoderOf<typeof runFields, ReadonlyArray<MonthlyRunItem>>(runFields, {
  status: ({ finished_at }) => (finished_at === null ? "running" : "finished"),
  customers: (_run, items) => items.map((item) => itemRecord(item, undefined))
})
