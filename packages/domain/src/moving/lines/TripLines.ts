/** Storing lines of trips. */
import { DateTime, Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { Cars } from "../../fleet/cars/Cars.ts"
import { countryOfZone } from "../../kernel/fields/PhoneNumber.ts"
import { TripId } from "../../kernel/Ids.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import { TripChanges, TripInput } from "../../trips/trip/TripInput.ts"
import { isOpenTrip } from "../../trips/trip/TripStatus.ts"
import { Trips } from "../../trips/Trips.ts"
import type { Values } from "../Cells.ts"
import { MatchRepository, type TripKey } from "../MatchRepository.ts"
import { makeFind } from "./CustomerLines.ts"
import { allOf, plateKey } from "./FleetLines.ts"
import { customerIn, namedCustomers } from "./InvoiceLines.ts"
import { decoderOf, differences, eachLine, type Line, nameIn, without } from "./Line.ts"

const decodeInput = decoderOf(TripInput)
const decodeChanges = decoderOf(TripChanges)

const parts = [
  "pickup_date",
  "pickup_time",
  "customer_ref",
  "first_name",
  "last_name",
  "ordered_class",
  "car"
]

/** The fields of a trip that a line gives, beside its customer, its car and its status. */
const sentOf = (values: Values): Values => {
  const { ordered_class, passenger_name, pickup_date: day, pickup_time: time, trip_date } = values
  const name = nameIn(values, "customer_name") ?? passenger_name
  const clock = typeof time === "string" ? time : "00:00"
  const moment = trip_date ?? (typeof day === "string" ? `${day}T${clock}` : undefined)
  return {
    ...without(values, [...parts, "status", "passenger_name"]),
    ...(name === undefined ? {} : { customer_name: name }),
    ...(moment === undefined ? {} : { trip_date: moment }),
    ...(ordered_class === undefined ? {} : { vehicle_class: ordered_class }),
    ...(passenger_name === undefined || passenger_name === name
      ? {}
      : { passengers: [{ name: passenger_name }] })
  }
}

const endOf = (status: unknown): "completed" | "cancelled" | undefined =>
  status === "completed" || status === "cancelled" ? status : undefined

/**
 * Builds the function that stores lines of trips. A line is found by its `external_ref`, or else by the time and the place of the
 * pickup and the customer's name. A trip ends as its line says; without a status, a trip in the past is completed.
 */
export const makeTripLines = Effect.gen(function* () {
  const transaction = yield* Transaction
  const trips = yield* Trips
  const cars = yield* Cars
  const matches = yield* MatchRepository

  return Effect.fnUntraced(function* (acting: ActingBusiness, lines: ReadonlyArray<Line>) {
    const { business_id, timezone } = acting
    const now = yield* DateTime.now
    const find = makeFind(
      yield* matches.customers(business_id, namedCustomers(lines)),
      countryOfZone(timezone)
    )
    const fleet = lines.some(({ values }) => values["car"] !== undefined)
      ? yield* allOf((page) => cars.list(acting, {}, page))
      : []
    const carOf = (text: unknown) =>
      typeof text === "string"
        ? fleet.find(
            ({ name, plate_number }) =>
              name === text || (plate_number !== null && plateKey(plate_number) === plateKey(text))
          )
        : undefined

    /** What a line gives, with the customer and the car that it names. */
    const wantedOf = (values: Values) => {
      const named = customerIn(values)
      const customer = find(named) ?? find({ ...named, external_ref: null, email: null })
      const car = carOf(values["car"])
      return {
        ...sentOf(values),
        ...(customer === undefined ? {} : { customer_id: customer.customer_id }),
        ...(car === undefined ? {} : { car_id: car.car_id })
      }
    }
    const read = lines.map(({ line, values }) => {
      const wanted = wantedOf(values)
      return {
        line,
        values: wanted,
        status: values["status"],
        input: decodeInput({ ...wanted, force: true })
      }
    })
    const refs = read.flatMap(({ input }) =>
      input._tag === "Success" ? (input.success.external_ref ?? []) : []
    )
    const known = new Map(refs.length === 0 ? [] : yield* matches.trips(business_id, refs))
    const keys = new Map(
      read.flatMap(({ input, line }): ReadonlyArray<readonly [number, TripKey]> => {
        if (input._tag === "Failure" || input.success.external_ref !== null) return []
        const { customer_name, pickup_address, trip_date } = input.success
        return customer_name === null
          ? []
          : [[line, { trip_date: instantOf(trip_date, timezone), pickup_address, customer_name }]]
      })
    )
    const same = keys.size === 0 ? [] : yield* matches.sameTrips(business_id, [...keys.values()])
    const textOfKey = ({ customer_name, pickup_address, trip_date }: TripKey) =>
      JSON.stringify([trip_date.epochMilliseconds, pickup_address.toLowerCase(), customer_name.toLowerCase()])
    const byKey = new Map<string, TripId>()
    for (const [at, key] of [...keys.values()].entries()) {
      const found = same[at]
      if (found !== null && found !== undefined) byKey.set(textOfKey(key), found)
    }
    const byLine = new Map(read.map((one) => [one.line, one]))

    return yield* eachLine(
      transaction,
      lines.map(({ line }) => ({ line, values: { line } })),
      ({ line }) =>
        Effect.gen(function* () {
          const {
            input: decoded,
            status,
            values
          } = yield* Effect.orDie(Effect.fromNullishOr(byLine.get(Number(line))))
          const input = yield* Effect.fromResult(decoded)
          const key = keys.get(Number(line))
          const earlier =
            input.external_ref === null ? key && byKey.get(textOfKey(key)) : known.get(input.external_ref)
          if (earlier === undefined) {
            const { trip_id } = yield* trips.create(acting, input)
            const tripId = TripId.make(trip_id)
            if (input.external_ref !== null) known.set(input.external_ref, tripId)
            if (key !== undefined) byKey.set(textOfKey(key), tripId)
            const isPast = instantOf(input.trip_date, timezone).epochMilliseconds < now.epochMilliseconds
            const end = endOf(status) ?? (isPast && status === undefined ? "completed" : undefined)
            if (end !== undefined)
              yield* trips.update(
                acting,
                tripId,
                yield* Effect.fromResult(decodeChanges({ status: end, force: true }))
              )
            return { status: "made" as const, record_id: trip_id }
          }
          const before = yield* trips.get(acting, earlier)
          const wanted = Object.fromEntries(
            Object.entries(input).filter(([name, value]) => name in values && value !== null)
          )
          const end = isOpenTrip(before.status) ? endOf(status) : undefined
          const { trip_date, ...rest } = differences(before, wanted)
          const isMoved =
            typeof trip_date === "string" &&
            instantOf(trip_date, timezone).epochMilliseconds !==
              instantOf(before.trip_date, timezone).epochMilliseconds
          const changes = {
            ...rest,
            ...(isMoved ? { trip_date } : {}),
            ...(end === undefined ? {} : { status: end })
          }
          if (Object.keys(changes).length === 0) return { status: "matched" as const, record_id: earlier }
          yield* trips.update(
            acting,
            earlier,
            yield* Effect.fromResult(decodeChanges({ ...changes, force: true }))
          )
          return { status: "changed" as const, record_id: earlier }
        })
    )
  })
})
