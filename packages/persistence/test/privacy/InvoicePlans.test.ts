import { assert, layer } from "@effect/vitest"
import { BusinessId, CustomerId, type Person, PersonalData, TripId } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newBusiness, TestPersistence } from "../support/TestPersistence.ts"
import { readsOf } from "../support/ReadsOf.ts"

const now = DateTime.makeUnsafe("2026-11-20T09:30:00Z")

/** A business with that many sealed invoices, each of a trip with a number above 5,000,000 and an email of its own. */
const populate = Effect.fnUntraced(function* (invoices: number) {
  const sql = yield* SqlClient.SqlClient
  const business = BusinessId.make(yield* newBusiness())
  yield* sql`
    INSERT INTO invoices (business_id, number, currency, payment_hash, created_at, updated_at)
    SELECT ${business}, 'INV-' || n, 'CHF', 'hash ' || n, now(), now() FROM generate_series(1, ${invoices}::int) n`
  yield* sql`
    INSERT INTO invoice_snapshots (business_id, invoice_id, snapshot)
    SELECT business_id, invoice_id, jsonb_build_object('buyer', null, 'trips', jsonb_build_array(jsonb_build_object(
      'trip_id', 5000000 + n::int, 'customer_email', 'Rider' || n || '@example.com')))
    FROM invoices, substr(number, 5) AS n WHERE business_id = ${business}`
  yield* sql.unsafe("VACUUM ANALYZE invoices, invoice_snapshots").unprepared
  return business
})

layer(TestPersistence)("the erasure of a person in a business with many invoices", (it) => {
  it.effect("reads no snapshot but those of the person", () =>
    Effect.gen(function* () {
      const business = yield* populate(20_000)
      const personal = yield* PersonalData
      const person = (...emails: ReadonlyArray<string>): Person => ({
        business_id: business,
        customer_ids: [CustomerId.make(7_000_001)],
        driver_ids: [],
        user_ids: [],
        names: [],
        emails,
        phones: []
      })
      const readsOfSnapshots = (work: Effect.Effect<unknown>) =>
        Effect.map(readsOf(["invoice_snapshots", "invoices"], work), ({ reads }) => reads)
      const eraseInvoices = (...emails: ReadonlyArray<string>) =>
        readsOfSnapshots(personal.eraseInvoices(person(...emails), 0, 100))
      const eraseTrips = (...ids: ReadonlyArray<number>) =>
        readsOfSnapshots(
          personal.eraseBesideTrips(
            business,
            ids.map((id) => TripId.make(id)),
            now
          )
        )
      assert.deepStrictEqual(
        [yield* eraseInvoices(), yield* eraseInvoices("nobody@example.com"), yield* eraseTrips(1, 2, 3)],
        [0, 0, 0]
      )
      assert.isAtMost(yield* eraseInvoices("rider7@example.com"), 10)
      assert.isAtMost(yield* eraseTrips(5_000_008, 5_000_009), 20)
    })
  )
})
