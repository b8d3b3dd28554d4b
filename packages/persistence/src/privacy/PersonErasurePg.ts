/** The end of an erasure on PostgreSQL: the records themselves and all credentials. */
import { erasedCustomer, erasedDriver, erasedUser, type Person } from "@livery/domain"
import { type DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { instant, rowsAs } from "../sql/rows/Rows.ts"

const countsOf = rowsAs(Schema.Struct({ count: Schema.Int }))

const { email: _email, ...userWithoutEmail } = erasedUser

/** The method `finish` of `PersonalData`. */
export const makePersonErasure = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const finish = Effect.fnUntraced(function* (person: Person, now: DateTime.Utc) {
    const { business_id, customer_ids, driver_ids, emails, user_ids } = person
    const at = instant(now)
    let retained = 0
    if (business_id !== null) {
      const ofCustomers = sql`business_id = ${business_id} AND customer_id = ANY (${customer_ids}::bigint[])`
      const ofDrivers = sql`business_id = ${business_id} AND driver_id = ANY (${driver_ids}::bigint[])`
      yield* sql`
        INSERT INTO retained_parties (business_id, kind, record_id, party, retained_at)
        SELECT c.business_id, 'customer', c.customer_id, jsonb_build_object('name', c.name,
          'company', c.company, 'address', c.address, 'country', c.country, 'vat_number', c.vat_number), ${at}
        FROM customers c
        WHERE c.business_id = ${business_id} AND c.customer_id = ANY (${customer_ids}::bigint[]) AND EXISTS (
          SELECT FROM invoices i WHERE i.business_id = ${business_id} AND i.customer_id = c.customer_id)
        ON CONFLICT DO NOTHING`
      const [count] = yield* countsOf(sql`SELECT count(*)::int8 AS count FROM invoices WHERE ${ofCustomers}`)
      retained = count?.count ?? 0
      yield* sql`
        UPDATE customers SET ${sql.update({ ...erasedCustomer, search: "", updated_at: at })}
        WHERE ${ofCustomers}`
      yield* sql`
        UPDATE drivers SET ${sql.update({ ...erasedDriver, former_user_id: null, updated_at: at })}
        WHERE ${ofDrivers}`
      yield* sql`DELETE FROM driver_absences WHERE ${ofDrivers}`
      yield* sql`DELETE FROM driver_invitations WHERE ${ofDrivers}`
      yield* sql`DELETE FROM member_invitations WHERE business_id = ${business_id} AND email = ANY (${emails}::text[])`
      for (const [kind, ids] of [
        ["customer", customer_ids],
        ["driver", driver_ids]
      ] as const)
        yield* sql`
          INSERT INTO erased_records (business_id, kind, record_id, erased_at)
          SELECT ${business_id}, ${kind}, id, ${at} FROM unnest(${ids}::bigint[]) AS id ON CONFLICT DO NOTHING`
    }
    if (user_ids.length === 0) return retained
    const ofUser = sql`user_id = ANY (${user_ids}::bigint[])`
    yield* sql`DELETE FROM session_families WHERE ${ofUser}`
    yield* sql`DELETE FROM devices WHERE ${ofUser}`
    yield* sql`DELETE FROM saved_views WHERE ${ofUser}`
    yield* sql`DELETE FROM user_preferences WHERE ${ofUser}`
    yield* sql`DELETE FROM linked_identities WHERE ${ofUser}`
    yield* sql`DELETE FROM verification_codes WHERE ${ofUser}`
    yield* sql`DELETE FROM business_members WHERE ${ofUser}`
    yield* sql`DELETE FROM driver_accounts WHERE ${ofUser}`
    yield* sql`DELETE FROM member_invitations WHERE email = ANY (${emails}::text[])`
    yield* sql`UPDATE drivers SET user_id = NULL WHERE ${ofUser} AND deleted_at IS NULL`
    yield* sql`
      UPDATE users SET ${sql.update({ ...userWithoutEmail, password_hash: "!", email_verified_at: null, updated_at: at })},
        email = 'erased-' || user_id || '@erased.invalid'
      WHERE ${ofUser}`
    return retained
  }, Effect.orDie)

  return { finish }
})
