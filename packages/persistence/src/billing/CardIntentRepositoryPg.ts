import { Effect, Option, Schema } from "effect"
import { BusinessId, CardIntentRepository, InvoiceId } from "@livery/domain"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const intents = rowsAs(
  Schema.Struct({
    business_id: BusinessId,
    invoice_id: InvoiceId,
    intent_id: Schema.String,
    amount_minor: Schema.Int
  })
)
const counts = rowsAs(Schema.Struct({ ended: Schema.Int }))
const references = rowsAs(Schema.Struct({ reference: Schema.NullOr(Schema.String) }))
const spentCounts = rowsAs(Schema.Struct({ spent: Schema.NullOr(Schema.Int) }))

export const layer = onPostgres(CardIntentRepository, (sql) => ({
  open: (businessId, invoiceId) =>
    intents(sql`
        SELECT business_id, invoice_id, intent_id, amount_minor FROM card_intents
        WHERE business_id = ${businessId} AND invoice_id = ${invoiceId} AND ended_at IS NULL
        ORDER BY created_at, intent_id`),
  find: (businessId, intentId) =>
    Effect.map(
      intents(sql`
          SELECT business_id, invoice_id, intent_id, amount_minor FROM card_intents
          WHERE business_id = ${businessId} AND intent_id = ${intentId}`),
      ([row]) => Option.fromUndefinedOr(row)
    ),
  openOfAll: (since, after, limit) => {
    const [business, intent] = after ?? [0, ""]
    return intents(sql`
        SELECT business_id, invoice_id, intent_id, amount_minor FROM card_intents
        WHERE ended_at IS NULL AND created_at >= ${instant(since)}
          AND (business_id, intent_id) > (${business}, ${intent})
        ORDER BY business_id, intent_id LIMIT ${limit}`)
  },
  ended: (businessId, invoiceId, amountMinor) =>
    Effect.map(
      counts(sql`
          SELECT count(*) AS ended FROM card_intents
          WHERE business_id = ${businessId} AND invoice_id = ${invoiceId} AND amount_minor = ${amountMinor}
            AND ended_at IS NOT NULL`),
      ([row]) => row?.ended ?? 0
    ),
  spentAttempts: (businessId, invoiceId, change) =>
    Effect.map(
      spentCounts(sql`
          SELECT (spent_attempts ->> ${change}::text)::int AS spent FROM invoices
          WHERE business_id = ${businessId} AND invoice_id = ${invoiceId}`),
      ([row]) => row?.spent ?? 0
    ),
  spendAttempt: (businessId, invoiceId, change, spent) =>
    execute(sql`
          UPDATE invoices SET spent_attempts = spent_attempts || jsonb_build_object(${change}::text, ${spent + 1}::int)
          WHERE business_id = ${businessId} AND invoice_id = ${invoiceId}
            AND coalesce((spent_attempts ->> ${change}::text)::int, 0) <= ${spent}::int`),
  keepReference: (businessId, invoiceId, refund, reference) =>
    execute(sql`
          UPDATE invoices
          SET refund_references = refund_references || jsonb_build_object(${refund}::text, ${reference}::text)
          WHERE business_id = ${businessId} AND invoice_id = ${invoiceId}`),
  referenceOf: (businessId, invoiceId, refund) =>
    Effect.map(
      references(sql`
          SELECT refund_references ->> ${refund}::text AS reference FROM invoices
          WHERE business_id = ${businessId} AND invoice_id = ${invoiceId}`),
      ([row]) => row?.reference ?? null
    ),
  add: ({ amount_minor, business_id, intent_id, invoice_id }, now) =>
    execute(sql`
          INSERT INTO card_intents (business_id, intent_id, invoice_id, amount_minor, created_at)
          VALUES (${business_id}, ${intent_id}, ${invoice_id}, ${amount_minor}, ${instant(now)})
          ON CONFLICT (business_id, intent_id) DO NOTHING`),
  end: (businessId, intentId, now) =>
    execute(sql`
          UPDATE card_intents SET ended_at = ${instant(now)}
          WHERE business_id = ${businessId} AND intent_id = ${intentId} AND ended_at IS NULL`),
  recordNotice: (businessId, eventId, now) =>
    Effect.map(
      Effect.orDie(sql`
          INSERT INTO payment_notices (business_id, event_id, received_at)
          VALUES (${businessId}, ${eventId}, ${instant(now)})
          ON CONFLICT (business_id, event_id) DO NOTHING RETURNING event_id`),
      (rows) => rows.length > 0
    )
}))
