import { layer } from "@effect/vitest"
import {
  AdminBusinessRepository,
  AdminUserRepository,
  AuditHistory,
  BusinessId,
  SaasInvoiceRepository
} from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assertBounded } from "../sql/ListPlans.ts"
import { newBusiness, TestPersistence } from "../support/TestPersistence.ts"

/** How many records a rare value finds. They are the last ones. */
const rare = 10

/** So many businesses, users with a driver's record, invoices of the platform and entries of the log. */
const populate = Effect.fnUntraced(function* (rows: number) {
  const sql = yield* SqlClient.SqlClient
  const business = BusinessId.make(yield* newBusiness())
  const isRare = sql.literal(`n > ${rows - rare}`)
  yield* sql`
    INSERT INTO businesses (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
    SELECT 'Cars ' || n, CASE WHEN ${isRare} THEN 'An Unusual' ELSE 'cars' END || n || '@example.com', 'slug-' || n, 1, now(), now()
    FROM generate_series(1, ${rows}::int) n`
  yield* sql`
    INSERT INTO users (email, name, account_type, password_hash, created_at, updated_at)
    SELECT 'user' || n || '@example.com', CASE WHEN ${isRare} THEN 'Very Unusual ' ELSE 'User ' END || n,
      CASE WHEN ${isRare} THEN 'S' ELSE 'A' END, 'none', now(), now()
    FROM generate_series(1, ${rows}::int) n`
  yield* sql`
    INSERT INTO drivers (business_id, name, user_id, created_at, updated_at)
    SELECT ${business}, name, user_id, now(), now() FROM users`
  yield* sql`
    INSERT INTO saas_invoices (number, business_id, status, currency, discount_minor, tax_minor, issued_on, lines, payments,
      created_at)
    SELECT 'S-' || n, ${business}, CASE WHEN n <= ${rare} THEN 'void' ELSE 'unpaid' END, 'USD', 0, 0, '2026-11-01', '[]', '[]', now()
    FROM generate_series(1, ${rows}::int) n`
  yield* sql`
    INSERT INTO audit_log (at, actor, action, business_id, subject)
    SELECT now(), CASE WHEN n <= ${rare} THEN 'user:2' ELSE 'user:1' END,
      CASE WHEN n <= ${rare} THEN 'business.suspended' ELSE 'business.updated' END,
      CASE WHEN n <= ${rare} THEN ${business}::bigint END, CASE WHEN n <= ${rare} THEN 'business:2' ELSE 'business:1' END
    FROM generate_series(1, ${rows}::int) n`
  for (const table of ["businesses", "users", "drivers", "saas_invoices", "audit_log"])
    yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
  return business
})

layer(TestPersistence)("the lists of a large platform", (it) => {
  it.effect(
    "read the records that a rare filter or search finds, or no more than the page of a common one, by plans that sessions keep",
    () =>
      Effect.gen(function* () {
        const business = yield* populate(20_000)
        const page = { page: 1, perPage: 20 }
        const { list: users } = yield* AdminUserRepository
        const { list: businesses } = yield* AdminBusinessRepository
        const { list: invoices } = yield* SaasInvoiceRepository
        const { list: entries } = yield* AuditHistory
        // A page and its total read each match once. A search also tests a sample of fifty rows, and then either the first 501
        // rows or none; if it is not counted, those that fill the page.
        yield* assertBounded([
          ["users of a rare type", users({ accountType: "S", search: null }, page), rare, 100],
          ["users of a common type", users({ accountType: "A", search: null }, page), 20, 4500],
          ["users by a rare word", users({ accountType: undefined, search: "unusual" }, page), rare, 2500],
          [
            "users by a rare word and a type",
            users({ accountType: "S", search: "unusual" }, page),
            rare,
            2500
          ],
          ["users by a common word", users({ accountType: undefined, search: "example" }, page), 20, 4500],
          [
            "users of a common type by such a word",
            users({ accountType: "A", search: "user" }, page),
            20,
            4500
          ],
          ["businesses by a rare word", businesses("unusual", page), rare, 2500],
          ["businesses by a common word", businesses("cars", page), 20, 4500],
          ["invoices of a rare status", invoices({ status: "void" }, page), rare, 100],
          ["invoices of a common status", invoices({ status: "unpaid" }, page), 20, 4500],
          ["entries by a rare actor", entries({ actor: "user:2" }, page), rare, 100],
          ["entries by a common actor", entries({ actor: "user:1" }, page), 20, 4500],
          ["entries by a subject", entries({ subject: "business:2" }, page), rare, 100],
          ["entries of a business", entries({ businessId: business }, page), rare, 100],
          ["invoices of a business", invoices({ business_id: business }, page), 20, 4500],
          ["entries of a rare action", entries({ action: "business.suspended" }, page), rare, 100],
          ["entries of a common action", entries({ action: "business.updated" }, page), 20, 4500]
        ])
      })
  )
})
