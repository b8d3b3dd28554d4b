/** `livery invoices …`: the platform's invoices to businesses. */
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  AdminSaasInvoices,
  BusinessId,
  BilledStatus,
  PaymentMethod,
  SaasInvoiceInput,
  SaasPaymentInput
} from "@livery/domain"
import {
  adminFlags,
  reasonFlag,
  decoded,
  listFlags,
  printList,
  printRecord,
  printRecordFrom,
  recordArgument,
  runOnDatabase
} from "./AdminCommand.ts"
import { confirm, yes } from "../../usage/Confirmation.ts"
import { descriptions } from "../../usage/Descriptions.ts"
import { CommandRefused } from "../../usage/Refusal.ts"
import { standardInput } from "../../terminal/StandardInput.ts"

const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", BilledStatus.literals).pipe(
      Flag.optional,
      Flag.withDescription("Only invoices with this status")
    ),
    business: Flag.Int("business").pipe(
      Flag.withSchema(BusinessId),
      Flag.optional,
      Flag.withDescription("Only invoices to this business")
    ),
    ...listFlags
  },
  (flags) => {
    const filters = {
      status: Option.getOrUndefined(flags.status),
      business_id: Option.getOrUndefined(flags.business)
    }
    return printList(flags, {
      name: "invoices",
      path: "/saas-invoices",
      filters,
      direct: (page) => AdminSaasInvoices.use((invoices) => invoices.list(filters, page)),
      columns: [
        ["saas_invoice_id", "ID"],
        ["number", "NUMBER"],
        ["business_name", "BUSINESS"],
        ["status", "STATUS"],
        ["total_amount", "TOTAL"],
        ["amount_due", "DUE"],
        ["currency", "CURRENCY"],
        ["issued_on", "ISSUED"]
      ]
    })
  }
).pipe(
  Command.withDescription("The platform's invoices to businesses, newest first"),
  Command.withExamples([
    { command: "livery invoices list --business 7 --status unpaid", description: "What business 7 owes" }
  ])
)

const id = recordArgument("invoice-id").pipe(
  Argument.withDescription("The id of the invoice, as in livery invoices list")
)

const show = Command.make("show", { id, ...adminFlags }, (flags) =>
  printRecordFrom(
    flags,
    AdminSaasInvoices.use((invoices) => invoices.get(flags.id)),
    { path: `/saas-invoices/${flags.id}` }
  )
).pipe(
  Command.withDescription("One invoice, with its lines and payments"),
  Command.withExamples([{ command: "livery invoices show 3 --json", description: "Invoice 3" }])
)

const Json = Schema.fromJsonString(Schema.Unknown)

const record = Command.make(
  "record",
  { reason: reasonFlag, json: adminFlags.json },
  Effect.fn(function* (flags) {
    const text = yield* standardInput
    const given = yield* Effect.mapError(
      Schema.decodeEffect(Json)(text),
      () => new CommandRefused({ type: "invalid_request", reason: "Standard input is not JSON" })
    )
    const direct = Effect.flatMap(decoded(SaasInvoiceInput, given), (input) =>
      AdminSaasInvoices.use((invoices) => invoices.record(input))
    )
    yield* printRecord(flags, yield* runOnDatabase(direct, flags))
  })
).pipe(
  Command.withDescription(
    "Record an invoice that was issued elsewhere, from JSON on standard input, directly on the database"
  ),
  Command.withExamples([
    {
      command:
        `echo '{"number":"P-1","business_id":7,"currency":"USD","issued_on":"2026-11-20",` +
        `"lines":[{"description":"Pro","unit_price":40}]}' | livery invoices record`,
      description: "An unpaid invoice; `payments` is a list of { amount, method, paid_on }"
    }
  ])
)

const pay = Command.make(
  "pay",
  {
    id,
    amount: Flag.Finite("amount").pipe(Flag.withDescription("The amount, in the currency of the invoice")),
    method: Flag.Literals("method", PaymentMethod.literals).pipe(
      Flag.withDefault("bank_transfer"),
      Flag.withDescription("How the business paid")
    ),
    paidOn: Flag.String("paid-on").pipe(Flag.withDescription("The day of the payment, YYYY-MM-DD")),
    reference: Flag.String("reference").pipe(
      Flag.optional,
      Flag.withDescription("A note, up to 200 characters")
    ),
    reason: reasonFlag,
    json: adminFlags.json
  },
  Effect.fn(function* (flags) {
    const input = decoded(SaasPaymentInput, {
      amount: flags.amount,
      method: flags.method,
      paid_on: flags.paidOn,
      reference: Option.getOrNull(flags.reference)
    })
    const direct = Effect.flatMap(input, (payment) =>
      AdminSaasInvoices.use((invoices) => invoices.pay(flags.id, payment))
    )
    yield* printRecord(flags, yield* runOnDatabase(direct, flags))
  })
).pipe(
  Command.withDescription("Record a payment for an invoice, directly on the database"),
  Command.withExamples([
    {
      command: "livery invoices pay 3 --amount 40 --paid-on 2026-11-21",
      description: "A transfer of 40 for invoice 3"
    }
  ])
)

const void_ = Command.make(
  "void",
  { id, yes, reason: reasonFlag, json: adminFlags.json },
  Effect.fn(function* (flags) {
    yield* confirm(`Void invoice ${flags.id}? It cannot be undone.`, flags.yes)
    const voided = runOnDatabase(
      AdminSaasInvoices.use((invoices) => invoices.void(flags.id)),
      flags
    )
    yield* printRecord(flags, yield* voided)
  })
).pipe(
  Command.withDescription("Void an invoice without payments, directly on the database"),
  Command.withExamples([{ command: "livery invoices void 3", description: "Invoice 3 need not be paid" }])
)

export const invoices = Command.make("invoices").pipe(
  Command.withDescription(descriptions.invoices),
  Command.withSubcommands([list, show, record, pay, void_])
)
