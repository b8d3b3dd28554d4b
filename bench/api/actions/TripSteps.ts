/** Trips: their bookings, changes, drivers and ends, alone and in groups of two and of twenty. */
import { busyTime, day, type Known, quietTime, ride, type Step, step, stepBy, times } from "./Step.ts"

const anyone = stepBy("nobody")
const person = stepBy("person")

/** The records of the round that the following steps use: a customer, a car and a driver without trips. */
export const newRecords: ReadonlyArray<Step> = [
  step("POST /customers", {
    body: ({ unique, phone }) => ({ name: "Ann Guest", email: `guest-${String(unique)}@example.com`, phone }),
    keep: { guest: "customer_id" }
  }),
  step("GET /customers/{guest}"),
  step("PATCH /customers/{guest}", { body: () => ({ notes: "Changed" }) }),
  step("POST /customers/bulk, of 100", {
    body: ({ unique }) =>
      times(100, (at) => ({ name: "Ann Guest", email: `of-many-${String(unique)}-${at}@example.com` }))
  }),
  step("POST /cars", {
    body: () => ({ name: "Black", vehicle_class: "sedan", seats: 4 }),
    keep: { newCar: "car_id" }
  }),
  step("GET /cars/{newCar}"),
  step("PATCH /cars/{newCar}", { body: () => ({ color: "black" }) }),
  step("POST /drivers", {
    body: ({ newCar, unique }) => ({
      name: "Joan",
      email: `driver-${String(unique)}@example.com`,
      default_car_id: newCar
    }),
    keep: { spare: "driver_id" }
  }),
  step("GET /drivers/{spare}"),
  step("PATCH /drivers/{spare}", { body: () => ({ phone: "+41 79 668 18 00" }) })
]

const ofGuest = ({ guest }: Known) => ({ ...ride, customer_id: guest })

const single: ReadonlyArray<Step> = [
  step("POST /trips", { body: ofGuest, keep: { trip: "trip_id" } }),
  step("POST /trips/bulk, of 100", { body: () => times(100, () => ride) }),
  step("POST /trips, of the customer with all trips", {
    body: ({ customer, car }) => ({ ...ride, customer_id: customer, car_id: car }),
    keep: { busyTrip: "trip_id" }
  }),
  step("POST /trips, with an external_ref and an email", {
    body: ({ unique }) => ({
      ...ride,
      trip_date: quietTime(0),
      external_ref: `order-${String(unique)}`,
      customer_email: `guest-${String(unique)}@example.com`
    })
  }),
  ...["first", "repeated"].map((which) =>
    step(`POST /trips, with an Idempotency-Key, ${which}`, {
      body: ofGuest,
      headers: ({ unique }) => ({ "idempotency-key": `trip-${String(unique)}` })
    })
  ),
  step("GET /trips/{trip}"),
  step("GET /trips/{oldTrip}, with a long timeline"),
  step("PATCH /trips/{trip}, notes", { body: () => ({ notes: "Changed" }) }),
  step("PATCH /trips/{trip}, the time", { body: () => ({ trip_date: `${day(20)}T10:10:00Z` }) }),
  step("PATCH /trips/{trip}, the car", { body: ({ newCar }) => ({ car_id: newCar }) }),
  step("POST /trips/{trip}/drivers", {
    body: ({ spare }) => ({ driver_ids: [spare] }),
    keep: { driverToken: "drivers.0.driver_token" }
  }),
  step("POST /trips/{busyTrip}/drivers, the driver with all trips", {
    body: ({ driver }) => ({ driver_ids: [driver], force: true })
  }),
  step("PATCH /trips/{busyTrip}, the time", {
    body: () => ({ trip_date: `${day(20)}T10:20:00Z`, force: true })
  }),
  step("POST /trips/{trip}/duplicate", { keep: { copy: "trip_id" } }),
  step("POST /trips/{trip}/repeat, to 4 days", {
    body: () => ({ rrule: "FREQ=DAILY;COUNT=5", until: day(300), force: true })
  }),
  step("POST /dispatch/copy-day", { body: () => ({ from: day(20), to: day(290), force: true }) }),
  step("POST /trip-templates", {
    body: ({ trip }) => ({ name: "Airport", trip_id: trip }),
    keep: { template: "template_id" }
  }),
  step("GET /trip-templates"),
  step("GET /trip-templates/{template}"),
  step("PATCH /trip-templates/{template}", { body: () => ({ name: "Airport, early" }) }),
  step("POST /trip-templates/{template}/trips", {
    body: () => ({ trip_date: `${day(21)}T05:00:00Z`, force: true })
  }),
  step("DELETE /trip-templates/{template}"),
  step("PATCH /trips/{copy}, cancelled", { body: () => ({ status: "cancelled" }) }),
  step("POST /trips/{copy}/reopen", { body: () => ({ reason: "By mistake" }) }),
  step("DELETE /trips/{copy}", { body: () => ({ force: true }) })
]

const fiftyPositions = () => ({
  locations: times(50, (index) => ({
    lat: 47.4,
    lng: 8.5,
    recorded_at: new Date(Date.now() - index * 100).toISOString()
  }))
})

const underWay: ReadonlyArray<Step> = [
  anyone("GET /driver/trip?token={driverToken}"),
  step("POST /trips/{trip}/tracking-link", { keep: { trackingToken: "token" } }),
  anyone("POST /driver/status?token={driverToken}, en_route", { body: () => ({ status: "en_route" }) }),
  anyone("GET /driver/office?token={driverToken}"),
  anyone("POST /driver/location?token={driverToken}", { body: () => ({ lat: 47.4, lng: 8.5 }) }),
  anyone("POST /driver/locations?token={driverToken}, of 50", { body: fiftyPositions }),
  step("PATCH /trips/{trip}/driver-status, a milestone", {
    body: () => ({ milestone: "arrived_at_pickup" })
  }),
  step("GET /trips/{trip}/location"),
  anyone("GET /public/tracking/{trackingToken}"),
  step("DELETE /trips/{trip}/tracking-link"),
  step("POST /drivers/{driver}/calendar-link"),
  step("DELETE /drivers/{driver}/calendar-link"),
  step("POST /customers/{customer}/calendar-link"),
  step("DELETE /customers/{customer}/calendar-link"),
  person("POST /calendar-link"),
  person("DELETE /calendar-link"),
  anyone("POST /driver/status?token={driverToken}, completed", { body: () => ({ status: "completed" }) }),
  person("GET /me/driver"),
  person("GET /me/driver/office"),
  person("GET /me/driver/trips/{busyTrip}"),
  person("PATCH /me/driver/trips/{busyTrip}, en_route", { body: () => ({ status: "en_route" }) }),
  person("POST /me/driver/location", { body: () => ({ lat: 47.4, lng: 8.5 }) }),
  person("POST /me/driver/locations, of 50", { body: fiftyPositions }),
  step("PATCH /trips/{busyTrip}, completed", { body: () => ({ status: "completed" }) })
]

/** The same for two trips and for twenty, which tells whether a statement is sent for each. */
const group = (count: number): ReadonlyArray<Step> => [
  step(`POST /quotes, ${count} trips`, {
    body: ({ guest, unique }) => ({
      customer_id: guest,
      currency: "CHF",
      items: times(count, (index) => ({
        description: "Ride",
        amount: 129,
        trip: { ...ride, trip_date: quietTime(index), group_id: `${String(unique)}-${count}` }
      }))
    }),
    keep: { [`quote${count}`]: "quote_id" }
  }),
  step(`POST /quotes/{quote${count}}/price, ${count} trips, by a tariff`, {
    body: () => ({ vehicle_class: "sedan" })
  }),
  step(`POST /quotes/{quote${count}}/price, ${count} trips`, {
    body: () => ({ amounts: times(count, () => 129) })
  }),
  step(`POST /quotes/{quote${count}}/send, ${count} trips`, { body: () => ({ email: false }) }),
  step(`POST /quotes/{quote${count}}/convert, ${count} trips`, { keep: { [`trips${count}`]: "trip_ids" } }),
  step(`POST /dispatch/assignments, ${count} trips`, {
    body: (known) =>
      (known[`trips${count}`] as ReadonlyArray<number>).map((trip_id) => ({
        trip_id,
        driver_ids: [known["spare"]],
        car_id: known["newCar"],
        force: true
      }))
  }),
  step(`POST /dispatch/plan, of a day with ${count} trips`, {
    body: () => ({ date: "2031-05-01", reassign: true, budget_ms: 100 })
  }),
  step(`POST /dispatch/groups, ${count} trips are moved`, {
    body: ({ unique }) => ({ group_id: `${String(unique)}-${count}`, move_minutes: 10, force: true })
  }),
  step(`POST /invoices, of ${count} trips`, {
    body: (known) => ({ currency: "CHF", trip_ids: known[`trips${count}`] }),
    keep: { [`invoice${count}`]: "invoice_id" }
  }),
  step(`POST /invoices/{invoice${count}}/payments, ${count} trips`, {
    body: () => ({ amount: 129 * count, method: "cash" })
  }),
  step(`POST /dispatch/groups, ${count} trips are cancelled`, {
    body: ({ unique }) => ({ group_id: `${String(unique)}-${count}`, status: "cancelled" })
  })
]

/** The steps with trips, in order. */
export const tripSteps: ReadonlyArray<Step> = [...single, ...underWay, ...group(2), ...group(20)]

/** A driver and their pay, absences and availability; then the records of the round are deleted. */
export const fleetSteps: ReadonlyArray<Step> = [
  step(`GET /drivers/{driver}/availability?date_from=${day(20)}&date_to=${day(20)}`),
  step(`GET /drivers/{driver}/availability?date_from=${day(20)}&date_to=${day(50)}`),
  step("POST /drivers/{spare}/absences, a day", {
    body: () => ({ starts_at: quietTime(40), ends_at: quietTime(41) }),
    keep: { absence: "absences.0.absence_id" }
  }),
  step("POST /drivers/{spare}/absences, on 50 days", {
    body: () => ({
      starts_at: quietTime(50),
      ends_at: `${day(950)}T12:00:00Z`,
      repeat: {
        weekdays: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
        until: day(1000)
      }
    })
  }),
  step("POST /drivers/{driver}/absences, of the driver with all trips", {
    body: () => ({ starts_at: busyTime, ends_at: `${day(20)}T11:00:00Z`, force: true }),
    keep: { busyAbsence: "absences.0.absence_id" }
  }),
  step("DELETE /drivers/{driver}/absences", { body: ({ busyAbsence }) => ({ absence_ids: [busyAbsence] }) }),
  step("DELETE /drivers/{spare}/absences", { body: ({ absence }) => ({ absence_ids: [absence] }) }),
  step("PATCH /drivers/{driver}/pay", {
    body: () => ({ schemes: [{ valid_from: "2020-01-01", name: "Usual", currency: "CHF", flat: 20 }] })
  }),
  step("GET /drivers/{driver}/pay"),
  step(`GET /drivers/{driver}/statement?from=${day(-20)}&to=${day(-20)}`),
  step(`GET /drivers/{driver}/statement?from=${day(-50)}&to=${day(-20)}`),
  step("POST /drivers/{spare}/invite"),
  step("PATCH /drivers/{driver}, inactive, refused", { body: () => ({ active: false }), status: 409 }),
  step("DELETE /drivers/{driver}, with all trips, refused", { status: 409 }),
  step("DELETE /cars/{car}, with trips, refused", { status: 409 }),
  step("DELETE /customers/{customer}, with all trips, refused", { status: 409 }),
  step("DELETE /drivers/{spare}", { body: () => ({ force: true }) }),
  step("DELETE /cars/{newCar}", { body: () => ({ force: true }) }),
  step("DELETE /customers/{guest}", { body: () => ({ force: true }) })
]
