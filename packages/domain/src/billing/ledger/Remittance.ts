/** A remittance: money that was received at once and pays one or several invoices (docs/api/payments.md). */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { omittable, orNull } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BusinessId, CustomerId, InvoiceId, PaymentId, RemittanceId } from "../../kernel/Ids.ts"
import { PositiveAmount, toMajor } from "../../kernel/money/Money.ts"
import { CalendarDay } from "../../kernel/time/WallClock.ts"
import { type Payment, PaymentKind, PaymentMethod } from "./Payment.ts"

/** The most invoices that one remittance pays. */
export const maxAllocations = 100

/** A part of a remittance as a request names it. */
export const AllocationInput = Schema.Struct({ invoice_id: InvoiceId, amount: PositiveAmount })
export type AllocationInput = typeof AllocationInput.Type

/** The parts of a remittance as a request names them. */
export const Allocations = listOf(AllocationInput, { least: 1, most: maxAllocations })

/** An entry of the ledger that a remittance made: `excess` is the part that pays no invoice yet. */
const Allocation = Schema.Struct({
  invoice_id: Value.id(InvoiceId).wire,
  payment_id: Value.id(PaymentId).wire,
  kind: PaymentKind,
  amount: Value.amount.wire
})

/** The fields of a remittance. `unallocated_amount` is the part that was allocated to no invoice when it was recorded. */
export const remittanceFields = Field.ofNobody({
  remittance_id: Field.assigned(Value.id(RemittanceId)),
  business_id: Field.internal(Value.id(BusinessId)),
  customer_id: { input: orNull(Value.id(CustomerId).optional) },
  amount: { input: PositiveAmount, wire: Value.amount.wire },
  amount_minor: Field.internal(Value.minorAmount),
  currency: { input: omittable(Value.currency.required), ...Field.assigned(Value.currency) },
  method: Field.withDefault(Value.oneOf(PaymentMethod), "bank_transfer"),
  received_on: { input: orNull(CalendarDay) },
  received_at: Field.assigned(Value.instant),
  reference: Field.says({ person: "customer" }, Field.optional(Value.text(200))),
  allocations: { input: Allocations, wire: Schema.Array(Allocation) },
  unallocated_amount: Field.computed(Value.amount.wire),
  created_at: Field.assigned(Value.instant)
})

/** The body of `POST /payments`. */
export const RemittanceInput = Field.inputOf(remittanceFields)
export type RemittanceInput = typeof RemittanceInput.Type

/** A remittance as stored. */
export const Remittance = Field.storedOf(remittanceFields)
export type Remittance = typeof Remittance.Type

/** A remittance that is not stored yet. */
export type NewRemittance = Omit<Remittance, "remittance_id" | "created_at">

/** A remittance in a response. */
export const RemittanceRecord = Field.recordOf(remittanceFields)
export type RemittanceRecord = typeof RemittanceRecord.Type

/** The record of a remittance with the entries that it made. */
export const remittanceRecord = Field.encoderOf<typeof remittanceFields, ReadonlyArray<Payment>>(
  remittanceFields,
  {
    amount: ({ amount_minor, currency }) => toMajor({ minor: amount_minor, currency }),
    allocations: ({ currency }, entries) =>
      entries.map(({ amount_minor, invoice_id, kind, payment_id }) => ({
        invoice_id,
        payment_id,
        kind,
        amount: toMajor({ minor: amount_minor, currency })
      })),
    unallocated_amount: ({ currency }, entries) => {
      const excess = entries.filter(({ kind }) => kind === "excess")
      return toMajor({ minor: excess.reduce((sum, { amount_minor }) => sum + amount_minor, 0), currency })
    }
  }
)
