/** The records of a person on PostgreSQL: finding them and deleting them. */
import {
  bookingMachine,
  type BusinessId,
  type Contact,
  type CustomerId,
  CustomerId as CustomerIdSchema,
  type DriverId,
  erasedText,
  InvoiceId,
  invoiceMachine,
  isOpenInvoice,
  type Person,
  quoteMachine,
  SavedViewId,
  type StateMachine,
  TripId,
  UserId
} from "@livery/domain"
import { type DateTime, Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { everyKey } from "../sql/statements/IdempotencyKeys.ts"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { inStates } from "../sql/rows/States.ts"
import { lockCustomerEmails } from "../trips/ReferenceLocks.ts"
import { isOpenTrip } from "../trips/TripConditions.ts"
import { conditionsOf, phoneExpressionsOf } from "./PersonConditions.ts"

const personsOf = rowsAs(
  Schema.Struct({
    id: Schema.Int,
    name: Schema.String,
    email: Schema.NullOr(Schema.String),
    user_id: Schema.NullOr(UserId),
    user_name: Schema.NullOr(Schema.String),
    user_email: Schema.NullOr(Schema.String)
  })
)
const tripIdsOf = rowsAs(Schema.Struct({ id: TripId }))
const invoiceIdsOf = rowsAs(Schema.Struct({ id: InvoiceId }))
const idsOf = rowsAs(Schema.Struct({ id: Schema.Int }))
const countsOf = rowsAs(Schema.Struct({ count: Schema.Int }))
const viewsOf = rowsAs(Schema.Struct({ view_id: SavedViewId, name: Schema.String, query: Schema.String }))
const namesOf = rowsAs(Schema.Struct({ name: Schema.String }))

const texts = (values: ReadonlyArray<string | null>) =>
  [...new Set(values.filter((value) => value !== null && value !== erasedText))] as ReadonlyArray<string>

/** The methods of `PersonalData` for the records themselves. */
export const makePersonRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const customersWhere = (businessId: BusinessId, condition: Statement.Fragment) =>
    personsOf(sql`
      SELECT customer_id AS id, name, email, NULL::bigint AS user_id, NULL AS user_name, NULL AS user_email
      FROM customers WHERE business_id = ${businessId} AND ${condition} ORDER BY customer_id`)

  const ofCustomer = Effect.fnUntraced(function* (businessId: BusinessId, customerId: CustomerId) {
    const rows = yield* customersWhere(businessId, sql`customer_id = ${customerId}`)
    return Option.map(Option.fromUndefinedOr(rows[0]), ({ email, name }): Person => ({
      business_id: businessId,
      customer_ids: [customerId],
      driver_ids: [],
      user_ids: [],
      names: texts([name]),
      emails: texts([email]),
      phones: []
    }))
  })

  /** With the present or former account of the driver, if it is of type `D` and serves nothing else. */
  const ofDriver = Effect.fnUntraced(function* (businessId: BusinessId, driverId: DriverId) {
    const [row] = yield* personsOf(sql`
      SELECT d.driver_id AS id, d.name, d.email, u.user_id, u.name AS user_name, u.email AS user_email
      FROM drivers d
      LEFT JOIN users u ON u.user_id = coalesce(d.user_id, d.former_user_id) AND u.account_type = 'D'
      WHERE d.business_id = ${businessId} AND d.driver_id = ${driverId}`)
    if (row === undefined) return Option.none()
    const others =
      row.user_id === null
        ? []
        : yield* idsOf(sql`
            SELECT business_id AS id FROM business_members WHERE user_id = ${row.user_id}
            UNION ALL SELECT business_id FROM drivers
            WHERE user_id = ${row.user_id} AND (business_id, driver_id) <> (${businessId}, ${driverId})
              AND deleted_at IS NULL`)
    const isOwn = row.user_id !== null && others.length === 0
    const person: Person = {
      business_id: businessId,
      customer_ids: [],
      driver_ids: [driverId],
      user_ids: isOwn ? [row.user_id] : [],
      names: texts([row.name, ...(isOwn ? [row.user_name] : [])]),
      emails: texts([row.email, ...(isOwn ? [row.user_email] : [])]),
      phones: []
    }
    return Option.some(person)
  })

  const ofUser = Effect.fnUntraced(function* (userId: UserId) {
    const rows = yield* personsOf(sql`
      SELECT user_id AS id, name, email, user_id, name AS user_name, email AS user_email
      FROM users WHERE user_id = ${userId}`)
    return Option.map(Option.fromUndefinedOr(rows[0]), ({ email, name }): Person => ({
      business_id: null,
      customer_ids: [],
      driver_ids: [],
      user_ids: [userId],
      names: texts([name]),
      emails: name === erasedText ? [] : texts([email]),
      phones: []
    }))
  })

  const ofContact = Effect.fnUntraced(function* (
    businessId: BusinessId,
    { country = null, email, phone }: Contact
  ) {
    const phones = phone === null ? [] : [phone]
    const rows = yield* customersWhere(
      businessId,
      sql`(email = ${email} OR phone ~ ANY (${phoneExpressionsOf({ phones, country })}::text[]))`
    )
    return {
      business_id: businessId,
      customer_ids: rows.map(({ id }) => CustomerIdSchema.make(id)),
      driver_ids: [],
      user_ids: [],
      names: texts(rows.map(({ name }) => name)),
      emails: texts([email, ...rows.map((row) => row.email)]),
      phones,
      country
    }
  })

  const retire = Effect.fnUntraced(function* (person: Person, now: DateTime.Utc) {
    const { business_id, customer_ids, driver_ids, user_ids } = person
    if (business_id !== null) {
      const drivers = sql`business_id = ${business_id} AND driver_id = ANY (${driver_ids}::bigint[])`
      const customers = sql`business_id = ${business_id} AND customer_id = ANY (${customer_ids}::bigint[])`
      yield* sql`SELECT FROM drivers WHERE ${drivers} ORDER BY driver_id FOR UPDATE`
      yield* sql`SELECT FROM customers WHERE ${customers} ORDER BY customer_id FOR UPDATE`
      if (driver_ids.length === 0) yield* lockCustomerEmails(sql, business_id, "FOR UPDATE")
      yield* sql`
        UPDATE drivers SET deleted_at = coalesce(deleted_at, ${instant(now)}), active = false, user_id = NULL,
          former_user_id = coalesce(user_id, former_user_id)
        WHERE ${drivers}`
      yield* sql`UPDATE customers SET deleted_at = coalesce(deleted_at, ${instant(now)}) WHERE ${customers}`
      yield* sql`
        DELETE FROM import_lines WHERE business_id = ${business_id} AND import_id IN (
          SELECT import_id FROM imports WHERE business_id = ${business_id} AND finished_at IS NOT NULL)`
    }
    if (user_ids.length > 0)
      yield* sql`DELETE FROM session_families WHERE user_id = ANY (${user_ids}::bigint[])`
  }, Effect.orDie)

  const openWork = Effect.fnUntraced(function* (person: Person, most: number) {
    const { business_id, customer_ids, driver_ids } = person
    const none = { trip_ids: [], quote_ids: [], booking_ids: [], invoice_ids: [] }
    const notEnded = <State extends string>(machine: StateMachine.StateMachine<State>) =>
      sql.literal(inStates(machine, (state) => !machine.isTerminal(state)))
    const isOpen = sql.literal(inStates(invoiceMachine, isOpenInvoice))
    if (business_id === null || driver_ids.length > 0) return none
    const { isBooking, isQuote, isTrip } = conditionsOf(sql, person)
    const ofBusiness = sql`r.business_id = ${business_id} AND r.deleted_at IS NULL`
    const trips = yield* tripIdsOf(sql`
      SELECT r.trip_id AS id FROM trips r
      WHERE ${ofBusiness} AND r.status ${sql.literal(isOpenTrip)} AND ${isTrip} ORDER BY 1 LIMIT ${most}`)
    const quotes = yield* idsOf(sql`
      SELECT r.quote_id AS id FROM quotes r
      WHERE ${ofBusiness} AND r.status ${notEnded(quoteMachine)} AND ${isQuote} ORDER BY 1 LIMIT ${most}`)
    const bookings = yield* idsOf(sql`
      SELECT r.booking_id AS id FROM bookings r
      WHERE ${ofBusiness} AND r.status ${notEnded(bookingMachine)} AND ${isBooking} ORDER BY 1 LIMIT ${most}`)
    const invoices = yield* invoiceIdsOf(sql`
      SELECT i.invoice_id AS id FROM invoices i
      WHERE i.business_id = ${business_id} AND i.deleted_at IS NULL AND i.status ${isOpen}
        AND (i.customer_id = ANY (${customer_ids}::bigint[]) OR i.invoice_id IN (
          SELECT r.invoice_id FROM trips r WHERE ${ofBusiness} AND r.invoice_id IS NOT NULL AND ${isTrip}
          UNION ALL SELECT r.invoice_id FROM bookings r
          WHERE r.business_id = ${business_id} AND r.invoice_id IS NOT NULL AND ${isBooking}))
      ORDER BY 1 LIMIT ${most}`)
    const ids = (rows: ReadonlyArray<{ readonly id: number }>) => rows.map(({ id }) => id)
    return {
      trip_ids: trips.map(({ id }) => id),
      quote_ids: ids(quotes),
      booking_ids: ids(bookings),
      invoice_ids: invoices.map(({ id }) => id)
    }
  })

  // A distributed database has the audit log and the keys on its coordinator, which would copy all keys for one statement with both.
  const size = Effect.fnUntraced(function* (person: Person, most: number) {
    const { business_id } = person
    const total = (...parts: ReadonlyArray<Statement.Fragment>) => {
      const counts = parts.map((rows) => sql`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${most}) r)`)
      return Effect.map(
        countsOf(sql`SELECT (${sql.join(" + ", false)(counts)})::int8 AS count`),
        ([row]) => row?.count ?? 0
      )
    }
    const { isAudited, mayBeStored } = conditionsOf(sql, person)
    const ofBusiness = ["trips", "event_history", "trip_changes"].map(
      (table) => sql`${sql.literal(table)} WHERE business_id = ${business_id}`
    )
    const inBusiness = business_id === null ? 0 : yield* total(...ofBusiness)
    return (
      inBusiness +
      (yield* total(
        sql`audit_history r WHERE ${isAudited}`,
        sql`${sql.literal(everyKey)} r WHERE ${mayBeStored}`
      ))
    )
  })

  /** The names of files in a text, as rows `match`. */
  const fileNamesIn = (text: string) =>
    sql`regexp_matches(${sql.literal(text)}, '[0-9a-f]{40}_[0-9a-z]{1,16}', 'g') AS match`

  const fileNames = Effect.fnUntraced(function* (person: Person) {
    const { business_id, customer_ids } = person
    if (business_id === null) return []
    const { isBooking, isDriver, isQuote, isTrip } = conditionsOf(sql, person)
    const ofBusiness = sql`r.business_id = ${business_id}`
    const isCustomer = sql`coalesce(r.customer_id = ANY (${customer_ids}::bigint[]), false)`
    const found = yield* namesOf(sql`
      SELECT DISTINCT match[1] AS name FROM (
        SELECT to_jsonb(r)::text AS text FROM trips r WHERE ${ofBusiness} AND ${isTrip}
        UNION ALL SELECT to_jsonb(r)::text FROM quotes r WHERE ${ofBusiness} AND ${isQuote}
        UNION ALL SELECT to_jsonb(r)::text FROM bookings r WHERE ${ofBusiness} AND ${isBooking}
        UNION ALL SELECT to_jsonb(r)::text FROM drivers r WHERE ${ofBusiness} AND ${isDriver}
        UNION ALL SELECT to_jsonb(r)::text FROM customers r WHERE ${ofBusiness} AND ${isCustomer}
      ) found, ${fileNamesIn("found.text")}
      WHERE EXISTS (SELECT FROM uploads u WHERE u.business_id = ${business_id} AND u.file_name = match[1])
      ORDER BY 1`)
    if (found.length === 0) return []
    // A condition is null for a row without a customer that no text makes the person's.
    const others = yield* namesOf(sql`
      SELECT DISTINCT match[1] AS name FROM (
        SELECT to_jsonb(r)::text AS text FROM trips r WHERE ${ofBusiness} AND ${isTrip} IS NOT TRUE
        UNION ALL SELECT to_jsonb(r)::text FROM quotes r WHERE ${ofBusiness} AND ${isQuote} IS NOT TRUE
        UNION ALL SELECT to_jsonb(r)::text FROM bookings r WHERE ${ofBusiness} AND ${isBooking} IS NOT TRUE
        UNION ALL SELECT to_jsonb(r)::text FROM drivers r WHERE ${ofBusiness} AND NOT ${isDriver}
        UNION ALL SELECT to_jsonb(r)::text FROM customers r WHERE ${ofBusiness} AND NOT ${isCustomer}
        UNION ALL SELECT concat_ws(' ', r.notes, r.lines) FROM invoices r
          WHERE ${ofBusiness} AND r.customer_id IS NOT NULL AND NOT ${isCustomer}
        UNION ALL SELECT r.description FROM products r WHERE ${ofBusiness}
        UNION ALL SELECT r.photo_url FROM cars r WHERE ${ofBusiness}
        UNION ALL SELECT r.logo_url FROM businesses r WHERE ${ofBusiness}
      ) named, ${fileNamesIn("named.text")}`)
    const named = new Set(others.map(({ name }) => name))
    return found.flatMap(({ name }) => (named.has(name) ? [] : [name]))
  })

  const views = (businessId: BusinessId) =>
    viewsOf(sql`
      SELECT view_id, name, query FROM saved_views
      WHERE user_id IN (SELECT user_id FROM business_members WHERE business_id = ${businessId})
      ORDER BY view_id`)

  return {
    views,
    removeViews: (ids: ReadonlyArray<SavedViewId>) =>
      execute(sql`DELETE FROM saved_views WHERE view_id = ANY (${ids}::bigint[])`),
    ofCustomer,
    ofDriver,
    ofUser,
    ofContact,
    retire,
    openWork,
    size,
    fileNames,
    forgetUploads: (businessId: BusinessId, names: ReadonlyArray<string>) =>
      execute(
        sql`DELETE FROM uploads WHERE business_id = ${businessId} AND file_name = ANY (${names}::text[])`
      )
  }
})
