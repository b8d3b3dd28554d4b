/** The sales, the members and the absences of a business of {@link grow}, with the payments and credit notes of one invoice. */
import { ask } from "../../webhooks/Cluster.ts"
import { type Caller, load } from "./Population.ts"

const idOf = (rows: ReadonlyArray<Record<string, unknown>>) => Number(rows[0]?.["id"])

/** How many quotes and bookings have the rare status of their kind, independent of the size. */
const rare = 100

const every = (rows: number) => Math.max(1, Math.floor(rows / rare))

const quoteItems = '[{"description": "Transfer", "trip": null, "amount_minor": 12900, "fare": null}]'

/**
 * Tariffs, products, quotes and bookings; one customer has all quotes and bookings, and the first product all bookings. A
 * hundred quotes are drafts and a hundred bookings are pending. Gives the product's id.
 */
export const addSales = async (url: string, { businessId }: Caller, customerId: number, rows: number) => {
  await load(
    url,
    `insert into tariffs (business_id, version, name, currency, created_at, updated_at)
     select ${businessId}, 1, 'Tariff ' || n, 'CHF', now(), now() from generate_series(1, ${rows}) n order by n`,
    `insert into products (business_id, name, kind, price_minor, currency, duration_minutes, active, created_at, updated_at)
     select ${businessId}, 'Tour ' || lpad(n::text, 7, '0'), 'tour', 12900, 'CHF', 90, n % ${every(rows)} <> 0, now(), now()
     from generate_series(1, ${rows}) n order by n`,
    `insert into quotes (business_id, reference, status, version, customer_id, customer_name, currency, items, created_at,
       updated_at)
     select ${businessId}, 'Q-' || n, case when n % ${every(rows)} = 0 then 'draft' else 'rejected' end, 1, ${customerId},
       'Person 1', 'CHF', '${quoteItems}', now(), now()
     from generate_series(1, ${rows}) n order by n`
  )
  const productId = idOf(
    await ask(url, `select min(product_id) as id from products where business_id = ${businessId}`)
  )
  await load(
    url,
    `insert into bookings (business_id, reference, status, product_id, starts_at, ends_at, participants_count, customer_id,
       customer_name, total_minor, currency, created_at, updated_at)
     select ${businessId}, 'B-' || n, case when n % ${every(rows)} = 0 then 'pending' else 'completed' end, ${productId},
       now() - n * interval '5 minutes', now() - n * interval '5 minutes' + interval '90 minutes', 2, ${customerId},
       'Person 1', 25800, 'CHF', now(), now()
     from generate_series(1, ${rows}) n order by n`,
    `insert into booking_payments (business_id, booking_id, payment_status, status, starts_at, product_id, customer_id)
     select business_id, booking_id, 'unpaid', status, starts_at, product_id, customer_id from bookings where business_id = ${businessId}`
  )
  return productId
}

/** Payments and credit notes of one invoice. Gives its id. */
export const addPapers = async (url: string, { businessId }: Caller, rows: number) => {
  const invoiceId = idOf(
    await ask(url, `select min(invoice_id) as id from invoices where business_id = ${businessId}`)
  )
  await load(
    url,
    `insert into payments (business_id, invoice_id, kind, amount_minor, currency, method, received_at, created_at)
     select ${businessId}, ${invoiceId}, 'payment', 1, 'CHF', 'cash', now(), now() from generate_series(1, ${rows}) n`,
    `insert into credit_notes (business_id, invoice_id, number, reason, currency, lines, taxes, subtotal_minor, tax_minor,
       total_minor, refund_minor, created_at)
     select ${businessId}, ${invoiceId}, 'CN-' || n, 'other', 'CHF',
       '[{"description": "Transfer", "quantity": -1, "unit_price_minor": 1, "tax_rate": 0, "net_minor": -1, "trip_id": null}]',
       '[]', -1, 0, -1, 0, now()
     from generate_series(1, ${rows}) n`
  )
  return invoiceId
}

/** Members, open invitations, and the absences of one driver, one on each day. */
export const addPeople = (url: string, { businessId }: Caller, driverId: number, rows: number) =>
  load(
    url,
    `with made as (
       insert into users (email, name, account_type, password_hash, created_at, updated_at)
       select 'member' || n || '.${businessId}@example.com', 'Member ' || n, 'A', 'none', now(), now()
       from generate_series(1, ${rows}) n returning user_id
     )
     insert into business_members (business_id, user_id, role, created_at)
     select ${businessId}, user_id, 'viewer', now() from made`,
    `insert into member_invitations (business_id, code_hash, email, role, expires_at, created_at)
     select ${businessId}, md5('${businessId} ' || n), 'invited' || n || '@example.com', 'viewer', now() + interval '7 days',
       now()
     from generate_series(1, ${rows}) n`,
    `insert into driver_absences (business_id, driver_id, kind, starts_at, ends_at, created_at)
     select ${businessId}, ${driverId}, 'off_shift', timestamptz '2000-01-01' + n * interval '1 hour',
       timestamptz '2000-01-01' + n * interval '1 hour' + interval '30 minutes', now()
     from generate_series(1, ${rows}) n`
  )
