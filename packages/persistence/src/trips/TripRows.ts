/** Rows of `trips`, as every statement that gives whole trips reads them. */
import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import {
  AssignmentId,
  AssignmentStatus,
  BusinessId,
  CancelReason,
  CarId,
  Currency,
  CustomerId,
  DriverId,
  DriverStatus,
  InvoiceId,
  Milestone,
  PaymentStatus,
  type Trip,
  TripId,
  TripStatus,
  TripType
} from "@livery/domain"
import { Instant } from "../sql/Rows.ts"

const text = Schema.NullOr(Schema.String)
const degrees = Schema.NullOr(Schema.Finite)
const moment = Schema.NullOr(Instant)
const minor = Schema.NullOr(Schema.Int)

/** A milestone inside of the `drivers` of a trip, or of an assignment's own row. */
export const MilestoneRow = Schema.Struct({
  milestone: Milestone,
  at: Schema.DateTimeUtcFromString,
  lat: degrees,
  lng: degrees
})

export const AssignmentRow = Schema.Struct({
  assignment_id: AssignmentId,
  driver_id: DriverId,
  name: Schema.String,
  status: AssignmentStatus,
  milestones: Schema.Array(MilestoneRow)
})

/** What {@link tripColumns} gives. */
export const TripRow = Schema.Struct({
  trip_id: TripId,
  business_id: BusinessId,
  reference: Schema.String,
  status: TripStatus,
  driver_status: DriverStatus,
  payment_status: PaymentStatus,
  trip_type: TripType,
  trip_date: Instant,
  duration_minutes: Schema.NullOr(Schema.Int),
  pickup_address: Schema.String,
  pickup_postal_code: text,
  pickup_lat: degrees,
  pickup_lng: degrees,
  dropoff_address: Schema.String,
  dropoff_postal_code: text,
  dropoff_lat: degrees,
  dropoff_lng: degrees,
  customer_id: Schema.NullOr(CustomerId),
  customer_name: Schema.String,
  customer_email: text,
  customer_phone: text,
  car_id: Schema.NullOr(CarId),
  invoice_id: Schema.NullOr(InvoiceId),
  total_minor: minor,
  currency: Currency,
  flight_number: text,
  terminal: text,
  participants_count: Schema.NullOr(Schema.Int),
  notes: text,
  special_requirements: text,
  cancel_reason: Schema.NullOr(CancelReason),
  cancelled_by: text,
  cancellation_fee_minor: minor,
  cancelled_at: moment,
  completed_at: moment,
  drivers: Schema.Array(AssignmentRow),
  created_at: Instant,
  updated_at: Instant
})

/** The milestones of an assignment called `a`, in order of time, as JSON. */
export const milestonesOfAssignment = `
  coalesce((
    SELECT json_agg(json_build_object('milestone', m.milestone, 'at', m.at, 'lat', m.lat, 'lng', m.lng)
                    ORDER BY m.at, m.milestone)
    FROM assignment_milestones m
    WHERE m.business_id = a.business_id AND m.assignment_id = a.assignment_id), '[]'::json)`

/** All of a trip called `t`, its standing assignments as JSON beside its own columns. */
export const tripColumns = (sql: SqlClient.SqlClient) =>
  sql.literal(`t.*, coalesce((
    SELECT json_agg(json_build_object('assignment_id', a.assignment_id, 'driver_id', a.driver_id, 'name', d.name,
                                      'status', a.status, 'milestones', ${milestonesOfAssignment})
                    ORDER BY a.assignment_id)
    FROM assignments a JOIN drivers d ON d.business_id = a.business_id AND d.driver_id = a.driver_id
    WHERE a.business_id = t.business_id AND a.trip_id = t.trip_id AND a.status <> 'cancelled'), '[]'::json) AS drivers`)

/** The trip that a row holds. */
export const tripOf = (row: typeof TripRow.Type): Trip => row
