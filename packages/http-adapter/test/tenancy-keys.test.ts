/** No row of a business can refer to a row of another one: the database refuses it, in every key between tables of businesses. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Ports } from "./support/TestPorts.ts"
import { tenant } from "./support/Tenant.ts"
import { openServer } from "./support/TestServer.ts"

/**
 * Columns that end like an id and are bound to no row of the business: an account may belong to several businesses, a
 * group of trips is a text, a lock names a driver or a car, and the timeline and the notices name drivers without a key, with which every
 * report would lock the driver after the trip. The provider of payments has identifiers of its own, and coupons belong to the
 * platform. One statement writes a trip and its row in `trip_search`, and one an event and its deliveries. A
 * booking's product and customer are copied to `booking_payments`. A correction writes both of its invoices, which are never removed. What
 * erasures leave names records of several kinds. The report of a monthly run outlives its customers, and a line of an import its record, which may be of any kind. A customer's tariff is looked
 * up among the tariffs of the business.
 */
const unbound = [
  "audit_log.request_id",
  "booking_payments.customer_id",
  "booking_payments.product_id",
  "business_arrivals.move_id",
  "business_members.user_id",
  "business_moves.move_id",
  "business_moves.target_business_id",
  "driver_accounts.user_id",
  "drivers.former_user_id",
  "drivers.user_id",
  "erased_records.record_id",
  "events.event_id",
  "invoices.corrected_by_invoice_id",
  "invoices.fee_of_invoice_id",
  "invoices.corrects_invoice_id",
  "payments.provider_id",
  "retained_parties.record_id",
  "import_lines.record_id",
  "calendar_links.owner_id",
  "monthly_run_items.customer_id",
  "notices.driver_id",
  "saas_invoices.coupon_id",
  "schedule_locks.resource_id",
  "card_intents.intent_id",
  "customers.tariff_id",
  "payment_notices.event_id",
  "trip_changes.driver_id",
  "trip_search.trip_id",
  "trips.group_id",
  "webhook_deliveries.claim_id",
  "webhook_deliveries.event_id"
]

/** The name of the violated constraint. */
const constraintOf = (error: SqlError.SqlError): unknown => {
  let cause: unknown = error.cause
  while (typeof cause === "object" && cause !== null) {
    if ("constraint" in cause) return cause.constraint
    cause = "cause" in cause ? cause.cause : undefined
  }
  return undefined
}

layer(Ports, { timeout: 60_000 })("another business's id", (it) => {
  it.effect("is refused by the database itself, in every key between the tables of businesses", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* openServer()
      const [own, other] = [yield* tenant(server), yield* tenant(server)]
      const keys = yield* sql<{
        readonly name: string
        readonly child: string
        readonly parent: string
        readonly columns: ReadonlyArray<string>
        readonly targets: ReadonlyArray<string>
      }>`
        SELECT c.conname AS name, c.conrelid::regclass::text AS child, c.confrelid::regclass::text AS parent,
               array_agg(a.attname::text ORDER BY pair.place) AS columns,
               array_agg(b.attname::text ORDER BY pair.place) AS targets
        FROM pg_constraint c,
             unnest(c.conkey, c.confkey) WITH ORDINALITY AS pair (of_child, of_parent, place)
             JOIN LATERAL (SELECT attname FROM pg_attribute WHERE attrelid = c.conrelid AND attnum = of_child) a ON true
             JOIN LATERAL (SELECT attname FROM pg_attribute WHERE attrelid = c.confrelid AND attnum = of_parent) b ON true
        WHERE c.contype = 'f' AND c.confrelid <> 'businesses'::regclass
          -- For payments, a check refuses the update below before the foreign key between payments does.
          AND (c.conrelid <> c.confrelid OR c.conrelid = 'trips'::regclass)
          AND (SELECT count(DISTINCT relation) FROM unnest(ARRAY[c.conrelid, c.confrelid]) AS relation)
            = (SELECT count(*) FROM pg_attribute
               WHERE attrelid IN (c.conrelid, c.confrelid) AND attname = 'business_id' AND NOT attisdropped)
        GROUP BY c.oid ORDER BY 2, 1`
      assert.isAbove(keys.length, 15)
      const columns = yield* sql<{ name: string }>`
        SELECT c.table_name || '.' || c.column_name AS name
        FROM information_schema.columns c JOIN information_schema.columns b USING (table_schema, table_name)
        WHERE c.table_schema = 'public' AND b.column_name = 'business_id' AND c.table_name <> 'businesses'
          AND c.column_name LIKE '%\\_id' AND c.column_name <> 'business_id' AND c.is_identity = 'NO'
          AND coalesce(c.column_default, '') NOT LIKE 'nextval%'
          AND to_regclass(c.table_name) NOT IN (SELECT oid FROM pg_class WHERE relkind = 'p')`
      const kept = new Set(
        keys.flatMap(({ child, columns }) => columns.map((column) => `${child}.${column}`))
      )
      assert.sameMembers(
        columns.map(({ name }) => name).filter((name) => !kept.has(name)),
        unbound
      )
      for (const { child, columns, name, parent, targets } of keys) {
        const place = columns.indexOf("business_id")
        assert.isAtLeast(place, 0, name)
        assert.strictEqual(targets[place], "business_id", name)
        const column = columns.find((it) => it !== "business_id") ?? ""
        const target = targets[columns.indexOf(column)] ?? ""
        const [foreign] = yield* sql`
          SELECT ${sql(target)} AS id FROM ${sql(parent)} WHERE business_id = ${other.businessId} LIMIT 1`
        assert.isDefined(foreign, `a row of ${parent} to point at`)
        const [row] = yield* sql`SELECT FROM ${sql(child)} WHERE business_id = ${own.businessId} LIMIT 1`
        assert.isDefined(row, `a row of ${child} that could point there`)
        // Disables the trigger that forbids all changes of the ledger.
        const moved = Effect.andThen(
          sql`ALTER TABLE ${sql(child)} DISABLE TRIGGER USER`,
          sql`
            UPDATE ${sql(child)} SET ${sql(column)} = ${foreign?.["id"]}
            WHERE ctid = (SELECT ctid FROM ${sql(child)} WHERE business_id = ${own.businessId} LIMIT 1)`
        )
        const refused = yield* Effect.flip(sql.withTransaction(moved))
        assert.strictEqual(constraintOf(refused), name)
      }
    })
  )
})
