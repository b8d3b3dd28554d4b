/** Records for contracts, made through the ports. */
import {
  type AssignmentId,
  AssignmentRepository,
  type AssignmentStatus,
  type BusinessId,
  type CarId,
  BusinessRepository,
  CarInput,
  CarRepository,
  Currency,
  CustomerInput,
  CustomerRepository,
  type DomainEvent,
  type DriverId,
  type DriverProfile,
  DriverRepository,
  type NewTrip,
  noDetails,
  type StateMachine,
  storedTrip,
  type Trip,
  type TripId,
  TripIds,
  TripRepository,
  UserRepository,
  windowOf
} from "@livery/domain"
import { type DateTime, Effect, Option, Schema } from "effect"
import { at, unique } from "./Contract.ts"

/** The time at which the records are made. */
export const now = at("09:30:00")

/** The first page of a list, with room for all of its items. */
export const wholeList = { page: 1, perPage: 100 }

/** A new user. */
export const newUser = Effect.gen(function* () {
  const users = yield* UserRepository
  return yield* users.insert({
    email: `${unique("user")}@example.com`,
    name: "Ada",
    mobilePhone: null,
    accountType: "A",
    passwordHash: "hash",
    verifiedAt: null
  })
})

/** A new business on the free plan. */
export const newBusiness = Effect.gen(function* () {
  const businesses = yield* BusinessRepository
  const business = { name: "Cars", email: "cars@example.com", planId: 1, websiteUrl: null }
  return Option.getOrThrow(yield* businesses.insert({ ...business, slug: unique("cars") }))
})

/** The input of a car. */
export const carInput = (change: Partial<typeof CarInput.Encoded> = {}) =>
  Schema.decodeSync(CarInput)({ name: "Black", ...change })

/** A new car of a business. */
export const newCar = Effect.fnUntraced(function* (
  businessId: BusinessId,
  change: Parameters<typeof carInput>[0] = {}
) {
  const cars = yield* CarRepository
  return (yield* cars.insert(businessId, carInput(change), now)).car_id
})

/** The profile of a driver. */
export const driverProfile = (change: Partial<DriverProfile> = {}): DriverProfile => ({
  external_ref: null,
  name: "Dan",
  email: null,
  phone: null,
  license_number: null,
  license_expires_on: null,
  home_address: null,
  home_lat: null,
  home_lng: null,
  default_car_id: null,
  photo_url: null,
  active: true,
  ...change
})

/** A new driver of a business. */
export const newDriver = Effect.fnUntraced(function* (
  businessId: BusinessId,
  change: Partial<DriverProfile> = {}
) {
  const drivers = yield* DriverRepository
  return (yield* drivers.insert(businessId, driverProfile(change), now)).driver_id
})

/** The input of a customer. */
export const customerInput = (change: Partial<typeof CustomerInput.Encoded> = {}) =>
  Schema.decodeSync(CustomerInput)({ name: "Ada", ...change })

/** A new customer of a business. */
export const newCustomer = Effect.fnUntraced(function* (
  businessId: BusinessId,
  change: Parameters<typeof customerInput>[0] = {}
) {
  const customers = yield* CustomerRepository
  return (yield* customers.insert(businessId, customerInput(change), now)).customer_id
})

/** A confirmed trip that is not stored yet. */
export const tripOf = (business_id: BusinessId, change: Partial<NewTrip> = {}): NewTrip => ({
  business_id,
  reference: unique("TR"),
  status: "confirmed",
  payment_status: "unpaid",
  trip_type: "transfer",
  trip_date: at("18:00:00"),
  duration_minutes: null,
  pickup_address: "Here",
  pickup_postal_code: null,
  pickup_lat: null,
  pickup_lng: null,
  dropoff_address: "There",
  dropoff_postal_code: null,
  dropoff_lat: null,
  dropoff_lng: null,
  customer_id: null,
  customer_name: "Ada",
  customer_email: null,
  customer_phone: null,
  car_id: null,
  total_minor: null,
  currency: Currency.make("USD"),
  flight_number: null,
  terminal: null,
  participants_count: null,
  notes: null,
  special_requirements: null,
  ...noDetails,
  ...change
})

/** Stores a trip under a new id, with the event that `eventOf` makes of it. */
export const insertTrip = Effect.fnUntraced(function* (trip: NewTrip, eventOf?: (trip: Trip) => DomainEvent) {
  const trips = yield* TripRepository
  const { next } = yield* TripIds
  const created = storedTrip(trip, yield* next, now)
  return yield* trips.insert({ trip: created, ...(eventOf && { event: eventOf(created) }) })
})

/** A new trip of a business. */
export const newTrip = Effect.fnUntraced(function* (business: BusinessId, change: Partial<NewTrip> = {}) {
  return Option.getOrThrow(yield* insertTrip(tripOf(business, change))).trip
})

/** Changes fields of a stored trip. */
export const changeTrip = Effect.fnUntraced(function* (
  businessId: BusinessId,
  tripId: TripId,
  change: object
) {
  const trips = yield* TripRepository
  const trip = Option.getOrThrow(yield* trips.find(businessId, tripId))
  yield* trips.update({ ...trip, ...change }, trip)
})

/** Assigns a driver to a trip, with a car and a token whose hash it returns; then gives the assignment the status. */
export const assign = Effect.fnUntraced(function* (
  trip: Pick<NewTrip, "business_id" | "trip_date" | "duration_minutes"> & { readonly trip_id: TripId },
  driver_id: DriverId,
  status: AssignmentStatus = "assigned",
  car_id: CarId | null = null
) {
  const assignments = yield* AssignmentRepository
  const tokenHash = unique("token")
  const [assignment] = yield* assignments.insert(
    trip.business_id,
    trip.trip_id,
    windowOf(trip),
    [{ driver_id, car_id, has_default_car: false, tokenHash }],
    now
  )
  if (assignment === undefined) return yield* Effect.die(new Error("No assignment was inserted"))
  const { assignment_id } = assignment
  if (status !== "assigned") yield* setStatus(trip.business_id, assignment_id, status)
  return { assignment_id, tokenHash }
})

/** Gives an assignment a status, as its driver unless `by` is another mover. */
export const setStatus = Effect.fnUntraced(function* (
  businessId: BusinessId,
  assignmentId: AssignmentId,
  status: AssignmentStatus,
  at: DateTime.Utc = now,
  by: StateMachine.Mover = "driver"
) {
  const assignments = yield* AssignmentRepository
  yield* assignments.setStatus(businessId, [assignmentId], { status, by, now: at })
})
