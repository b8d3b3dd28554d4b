import { Array, Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import {
  ActingBusiness,
  assignmentMachine,
  bookingMachine,
  type BusinessId,
  CalendarEntry,
  CalendarKind,
  type CalendarOwner,
  type CalendarPeriod,
  CalendarRepository,
  defaultDurationMinutes,
  tripMachine
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { firstOf, instant, rowsAs } from "../sql/rows/Rows.ts"
import { stateLiterals } from "../sql/rows/States.ts"
import { business, forBusiness } from "../sql/statements/ForBusiness.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"
import * as Conditions from "../trips/TripConditions.ts"

const [ofTrip, ofAssignment, ofBooking] = [
  stateLiterals(tripMachine),
  stateLiterals(assignmentMachine),
  stateLiterals(bookingMachine)
]

const LinkRow = Schema.Struct({ kind: CalendarKind, owner_id: Schema.Int, ...ActingBusiness.fields })

const linksOf = rowsAs(LinkRow)
const owners = rowsAs(Schema.Struct({ owner_id: Schema.Int }))
const entriesOf = rowsAs(CalendarEntry)

const stateOf = (isCancelled: string) =>
  `CASE WHEN ${isCancelled} THEN 'cancelled' WHEN t.status = ${ofTrip.pending} THEN 'tentative' ELSE 'confirmed' END`

const endOfTrip = `t.trip_date + make_interval(mins => coalesce(t.duration_minutes, ${defaultDurationMinutes}))`

const columnsOfTrip = columnsOf(CalendarEntry, "t", {
  state: stateOf(`t.status = ${ofTrip.cancelled}`),
  title: "NULL",
  drivers: "'[]'::json",
  starts_at: "t.trip_date",
  ends_at: endOfTrip,
  changed_at: "t.updated_at"
})

const columnsForOffice = columnsOf(CalendarEntry, "t", {
  state: stateOf(`t.status = ${ofTrip.cancelled}`),
  title: "NULL",
  drivers: `
    array_to_json(ARRAY(
      SELECT d.name FROM assignments a JOIN drivers d ON d.business_id = ${business} AND d.driver_id = a.driver_id
      WHERE a.business_id = ${business} AND a.trip_id = t.trip_id AND a.status ${Conditions.isOnTrip}
      ORDER BY a.assignment_id))`,
  starts_at: "t.trip_date",
  ends_at: endOfTrip,
  changed_at: "t.updated_at"
})

/** Of a driver's job: an assignment that ended is cancelled in the driver's calendar, even if the trip is not. */
const columnsOfJob = columnsOf(CalendarEntry, "t", {
  state: stateOf(`a.status = ${ofAssignment.cancelled} OR t.status = ${ofTrip.cancelled}`),
  title: "NULL",
  drivers: "'[]'::json",
  starts_at: "t.trip_date",
  ends_at: endOfTrip,
  changed_at: "greatest(t.updated_at, a.created_at, a.cancelled_at)"
})

const columnsOfBooking = columnsOf(CalendarEntry, "b", {
  flight_number: "NULL",
  terminal: "NULL",
  special_requirements: "NULL",
  notes: "NULL",
  state: `CASE b.status WHEN ${ofBooking.cancelled} THEN 'cancelled' WHEN ${ofBooking.pending} THEN 'tentative' ELSE 'confirmed' END`,
  title: `(SELECT p.name FROM products p WHERE p.business_id = ${business} AND p.product_id = b.product_id)`,
  pickup_address: `coalesce(b.pickup_address, (
    SELECT p.pickup_address FROM products p WHERE p.business_id = ${business} AND p.product_id = b.product_id))`,
  drivers: "'[]'::json",
  changed_at: "b.updated_at"
})

export const layer = onPostgres(CalendarRepository, (sql) => {
  const acting = sql.literal(columnsOf(ActingBusiness, "b"))
  const forOffice = forBusiness(sql, columnsForOffice)
  const ofCustomer = forBusiness(sql, columnsOfTrip)
  const ofJob = forBusiness(sql, columnsOfJob)
  const bookings = forBusiness(sql, columnsOfBooking)

  /** The owner of a link, if the business has it. */
  const ownerRow = (businessId: BusinessId, { id, kind }: CalendarOwner) =>
    ({
      office: sql`SELECT user_id AS owner_id FROM business_members WHERE business_id = ${businessId} AND user_id = ${id}`,
      driver: sql`
        SELECT driver_id AS owner_id FROM drivers
        WHERE business_id = ${businessId} AND driver_id = ${id} AND deleted_at IS NULL`,
      customer: sql`
        SELECT customer_id AS owner_id FROM customers
        WHERE business_id = ${businessId} AND customer_id = ${id} AND deleted_at IS NULL`
    })[kind]

  /**
   * The events that start in the period: the first ones from now on, and the last ones before. `rows` gives the rows of a
   * part, by its bounds.
   */
  const inPeriod = (
    { from, maxPast, maxUpcoming, now, until }: CalendarPeriod,
    rows: (
      starts: (column: string) => Statement.Fragment,
      order: "ASC" | "DESC",
      most: number
    ) => Statement.Fragment
  ) => {
    const within = (since: CalendarPeriod["now"], to: CalendarPeriod["now"]) => (column: string) =>
      sql`${sql.literal(column)} >= ${instant(since)} AND ${sql.literal(column)} < ${instant(to)}`
    return sql`(${rows(within(now, until), "ASC", maxUpcoming)}) UNION ALL (${rows(within(from, now), "DESC", maxPast)})`
  }

  const bySorted = (rows: Statement.Fragment) =>
    entriesOf(sql`SELECT e.* FROM (${rows}) e ORDER BY e.starts_at, e.reference`)

  const isShown = ({ cancelledSince }: CalendarPeriod) =>
    sql`(t.status <> ${sql.literal(ofTrip.cancelled)} OR t.cancelled_at >= ${instant(cancelledSince)})`

  const officeEntries = (businessId: BusinessId, period: CalendarPeriod) =>
    bySorted(
      inPeriod(
        period,
        (starts, order, most) => sql`
          SELECT ${forOffice(businessId)} FROM trips t
          WHERE t.business_id = ${businessId} AND t.deleted_at IS NULL AND ${starts("t.trip_date")} AND ${isShown(period)}
          ORDER BY t.trip_date ${sql.literal(order)}, t.trip_id ${sql.literal(order)} LIMIT ${most}`
      )
    )

  const driverEntries = (businessId: BusinessId, driverId: number, period: CalendarPeriod) =>
    bySorted(
      inPeriod(
        period,
        (starts, order, most) => sql`
          SELECT ${ofJob(businessId)}
          FROM (
            SELECT a.* FROM assignments a
            WHERE a.business_id = ${businessId} AND a.driver_id = ${driverId} AND ${starts("a.trip_date")}
              AND (${sql.literal(`a.status ${Conditions.isOnTrip}`)} OR a.cancelled_at >= ${instant(period.cancelledSince)})
              AND NOT EXISTS (
                SELECT FROM assignments later
                WHERE later.business_id = ${businessId} AND later.trip_id = a.trip_id
                  AND later.driver_id = a.driver_id AND later.assignment_id > a.assignment_id)
            ORDER BY a.trip_date ${sql.literal(order)}, a.trip_id ${sql.literal(order)} LIMIT ${most}
          ) a
          JOIN trips t ON t.business_id = ${businessId} AND t.trip_id = a.trip_id
          WHERE t.deleted_at IS NULL AND ${isShown(period)}`
      )
    )

  const customerEntries = (businessId: BusinessId, customerId: number, period: CalendarPeriod) =>
    bySorted(sql`
      ${inPeriod(
        period,
        (starts, order, most) => sql`
          SELECT ${ofCustomer(businessId)} FROM trips t
          WHERE t.business_id = ${businessId} AND t.customer_id = ${customerId} AND t.deleted_at IS NULL
            AND ${starts("t.trip_date")} AND ${isShown(period)}
            AND NOT EXISTS (
              SELECT FROM bookings own
              WHERE own.business_id = ${businessId} AND own.trip_id = t.trip_id
                AND own.customer_id = ${customerId} AND own.deleted_at IS NULL)
          ORDER BY t.trip_date ${sql.literal(order)}, t.trip_id ${sql.literal(order)} LIMIT ${most}`
      )}
      UNION ALL
      ${inPeriod(
        period,
        (starts, order, most) => sql`
          SELECT ${bookings(businessId)} FROM bookings b
          WHERE b.business_id = ${businessId} AND b.customer_id = ${customerId} AND b.deleted_at IS NULL
            AND ${starts("b.starts_at")} AND b.status <> ${sql.literal(ofBooking.expired)}
            AND (b.status <> ${sql.literal(ofBooking.cancelled)} OR b.cancelled_at >= ${instant(period.cancelledSince)})
          ORDER BY b.starts_at ${sql.literal(order)}, b.booking_id ${sql.literal(order)} LIMIT ${most}`
      )}`)

  return {
    hasOwner: (businessId, owner) =>
      Effect.map(owners(ownerRow(businessId, owner)), Array.isReadonlyArrayNonEmpty),
    setLink: (businessId, owner, tokenHash, now) =>
      Effect.map(
        owners(sql`
          INSERT INTO calendar_links (business_id, kind, owner_id, token_hash, created_at)
          SELECT ${businessId}, ${owner.kind}, o.owner_id, ${tokenHash}, ${instant(now)}
          FROM (${ownerRow(businessId, owner)}) o
          ON CONFLICT (business_id, kind, owner_id) DO UPDATE
          SET token_hash = excluded.token_hash, created_at = excluded.created_at
          RETURNING owner_id`),
        Array.isReadonlyArrayNonEmpty
      ),
    removeLink: (businessId, { id, kind }) =>
      Effect.map(
        owners(sql`
          DELETE FROM calendar_links WHERE business_id = ${businessId} AND kind = ${kind} AND owner_id = ${id}
          RETURNING owner_id`),
        Array.isReadonlyArrayNonEmpty
      ),
    findLink: (businessId, tokenHash) =>
      firstOf(
        Effect.map(
          linksOf(sql`
            SELECT l.kind, l.owner_id, ${acting}
            FROM calendar_links l JOIN businesses b ON b.business_id = ${businessId}
            WHERE l.business_id = ${businessId} AND l.token_hash = ${tokenHash} AND CASE l.kind
              WHEN 'driver' THEN EXISTS (
                SELECT FROM drivers d
                WHERE d.business_id = ${businessId} AND d.driver_id = l.owner_id AND d.deleted_at IS NULL)
              WHEN 'customer' THEN EXISTS (
                SELECT FROM customers c
                WHERE c.business_id = ${businessId} AND c.customer_id = l.owner_id AND c.deleted_at IS NULL)
              ELSE EXISTS (
                SELECT FROM business_members m
                WHERE m.business_id = ${businessId} AND m.user_id = l.owner_id) END`),
          Array.map(({ kind, owner_id, ...found }) => ({ owner: { kind, id: owner_id }, business: found }))
        )
      ),
    entries: (businessId, { id, kind }, period) =>
      ({
        office: () => officeEntries(businessId, period),
        driver: () => driverEntries(businessId, id, period),
        customer: () => customerEntries(businessId, id, period)
      })[kind]()
  }
})
