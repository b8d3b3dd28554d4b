/** The kinds of records that a table can bring, and the columns of each (docs/api/moving.md). */
import { Schema } from "effect"

export const ImportKind = Schema.Literals(["customers", "drivers", "cars", "trips", "invoices", "tariffs"])
export type ImportKind = typeof ImportKind.Type

/** How the text of a cell is read. A `moment` is a day with a time, `clock` a time alone. */
export type CellType = "text" | "number" | "yes" | "day" | "moment" | "clock" | "word"

/** The fields that a column of each kind can have. */
export const fieldsOf: Readonly<Record<ImportKind, Readonly<Record<string, CellType>>>> = {
  customers: {
    external_ref: "text",
    name: "text",
    first_name: "text",
    last_name: "text",
    email: "text",
    phone: "text",
    company: "text",
    address: "text",
    street: "text",
    postal_code: "text",
    city: "text",
    country: "text",
    vat_number: "text",
    account_number: "text",
    payment_terms_days: "number",
    language: "text",
    notes: "text"
  },
  drivers: {
    external_ref: "text",
    name: "text",
    first_name: "text",
    last_name: "text",
    email: "text",
    phone: "text",
    license_number: "text",
    license_expires_on: "day",
    active: "yes"
  },
  cars: {
    external_ref: "text",
    name: "text",
    plate_number: "text",
    make: "text",
    model: "text",
    year: "number",
    color: "text",
    vehicle_class: "word",
    seats: "number",
    luggage: "number",
    active: "yes"
  },
  trips: {
    external_ref: "text",
    status: "word",
    trip_type: "word",
    trip_date: "moment",
    pickup_date: "day",
    pickup_time: "clock",
    duration_minutes: "number",
    pickup_address: "text",
    dropoff_address: "text",
    customer_ref: "text",
    customer_name: "text",
    first_name: "text",
    last_name: "text",
    customer_email: "text",
    customer_phone: "text",
    passenger_name: "text",
    participants_count: "number",
    ordered_class: "word",
    car: "text",
    total_amount: "number",
    currency: "text",
    flight_number: "text",
    po_number: "text",
    cost_center: "text",
    notes: "text"
  },
  invoices: {
    number: "text",
    customer_ref: "text",
    customer_name: "text",
    customer_email: "text",
    issued_on: "day",
    due_date: "day",
    total_amount: "number",
    amount_due: "number",
    currency: "text",
    description: "text",
    notes: "text"
  },
  tariffs: {
    name: "text",
    currency: "text",
    vehicle_class: "word",
    base: "number",
    per_km: "number",
    per_minute: "number",
    per_hour: "number",
    minimum: "number"
  }
}

/** The fields that each kind needs: one of each group. */
export const neededFields: Readonly<Record<ImportKind, ReadonlyArray<ReadonlyArray<string>>>> = {
  customers: [["name", "last_name", "first_name", "company"]],
  drivers: [["name", "last_name", "first_name"]],
  cars: [["name", "plate_number"]],
  trips: [["trip_date", "pickup_date"], ["pickup_address"], ["dropoff_address"]],
  invoices: [["number"], ["total_amount", "amount_due"]],
  tariffs: [["name"], ["vehicle_class"]]
}
