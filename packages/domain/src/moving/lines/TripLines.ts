/** Storing lines of trips. */
import { DateTime, Effect, identity, Result } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { Cars } from "../../fleet/cars/Cars.ts"
import { type Conflict, InvalidInput } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import type { BusinessId } from "../../kernel/Ids.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import { IsTold } from "../../trips/changes/IsTold.ts"
import { type Trip, tripRecord, type TripRecord } from "../../trips/trip/Trip.ts"
import { TripChanges, TripInput } from "../../trips/trip/TripInput.ts"
import { isOpenTrip, type TripEnd } from "../../trips/trip/TripStatus.ts"
import { makeMoveTrips } from "../../trips/TripMoves.ts"
import { Trips } from "../../trips/Trips.ts"
import type { Values } from "../Cells.ts"
import { MatchRepository, type TripKey } from "../MatchRepository.ts"
import type { LineOutcome } from "../Import.ts"
import { allOf, plateKey } from "./FleetLines.ts"
import { customerIn, findNamed, namedCustomers } from "./InvoiceLines.ts"
import {
  decoderOf,
  differences,
  firstOfEach,
  type Line,
  nameIn,
  refusedLine,
  storedLine,
  without
} from "./Line.ts"

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

const endOf = (status: unknown): TripEnd | undefined =>
  status === "completed" || status === "cancelled" ? status : undefined

/** A line whose values are right. */
interface ReadLine {
  readonly line: number
  readonly values: Values
  readonly input: TripInput
  /** How the trip ended, as the line says. */
  readonly end: TripEnd | undefined
  readonly hasStatus: boolean
  readonly isPast: boolean
  /** What the trip is found by, if the line has no `external_ref`. */
  readonly key: TripKey | undefined
}

const textOfKey = ({ customer_name, pickup_address, trip_date }: TripKey) =>
  JSON.stringify([trip_date.epochMilliseconds, pickup_address.toLowerCase(), customer_name.toLowerCase()])

/** The changes that a line makes of the trip that it is about. */
const changesOf = (
  { end, input, values }: ReadLine,
  before: TripRecord,
  timezone: string
): Readonly<Record<string, unknown>> => {
  const wanted = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => name in values && value !== null)
  )
  const { trip_date, ...rest } = differences(before, wanted)
  const isMoved =
    typeof trip_date === "string" &&
    instantOf(trip_date, timezone).epochMilliseconds !==
      instantOf(before.trip_date, timezone).epochMilliseconds
  return {
    ...rest,
    ...(isMoved ? { trip_date } : {}),
    ...(end === undefined || !isOpenTrip(before.status) ? {} : { status: end })
  }
}

/** The names of fields of a trip by the columns that name other records. */
const columnOf = (issue: FieldIssue): FieldIssue =>
  issue.field === "car_id" ? { ...issue, field: "car" } : issue

const inColumns = (error: InvalidInput | Conflict) =>
  error instanceof InvalidInput ? new InvalidInput({ issues: error.issues.map(columnOf) }) : error

/**
 * Builds the function that stores lines of trips. A line is found by its `external_ref`, or else by the time and the place of the
 * pickup and the customer's name. A trip ends as its line says; without a status, a new trip in the past is completed. The new trips
 * of a batch are stored together, and nobody is told of them; changes are told as those of the office, except of trips in the past.
 */
export const makeTripLines = Effect.gen(function* () {
  const transaction = yield* Transaction
  const trips = yield* Trips
  const cars = yield* Cars
  const matches = yield* MatchRepository
  const move = yield* makeMoveTrips

  /** The lines as inputs, and the outcomes of those that are wrong. A record that a line names by its number must exist. */
  const read = Effect.fnUntraced(function* (acting: ActingBusiness, lines: ReadonlyArray<Line>) {
    const { business_id, timezone } = acting
    const now = yield* DateTime.now
    const find = findNamed(yield* matches.customers(business_id, namedCustomers(lines)), timezone)
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

    const outcomes: Array<LineOutcome> = []
    const right = lines.flatMap(({ line, values: given }): ReadonlyArray<ReadLine> => {
      const named = customerIn(given)
      const customer = find(named)
      const car = carOf(given["car"])
      const unknown: ReadonlyArray<FieldIssue> = [
        ...(named.external_ref !== null && customer === undefined
          ? [{ field: "customer_ref", issue: "not_found" as const }]
          : []),
        ...(given["car"] !== undefined && car === undefined
          ? [{ field: "car", issue: "not_found" as const }]
          : [])
      ]
      const values = {
        ...sentOf(given),
        ...(customer === undefined ? {} : { customer_id: customer.customer_id }),
        ...(car === undefined ? {} : { car_id: car.car_id })
      }
      const decoded = decodeInput({ ...values, force: true })
      if (Result.isFailure(decoded) || unknown.length > 0) {
        const issues = [...(Result.isFailure(decoded) ? decoded.failure.issues : []), ...unknown]
        outcomes.push(refusedLine(line, new InvalidInput({ issues })))
        return []
      }
      const { success: input } = decoded
      const trip_date = instantOf(input.trip_date, timezone)
      const isPast = trip_date.epochMilliseconds < now.epochMilliseconds
      const { customer_name, external_ref, pickup_address } = input
      const key =
        external_ref !== null || customer_name === null
          ? undefined
          : { trip_date, pickup_address, customer_name }
      const { status } = given
      return [{ line, values, input, isPast, key, end: endOf(status), hasStatus: status !== undefined }]
    })
    return { outcomes, right }
  })

  /** The trips of lines that the business has already, by line. */
  const foundBy = Effect.fnUntraced(function* (
    businessId: BusinessId,
    lines: ReadonlyArray<ReadLine>
  ): Effect.fn.Return<ReadonlyMap<number, Trip>> {
    const refs = lines.flatMap(({ input }) => input.external_ref ?? [])
    const byRef = refs.length === 0 ? undefined : yield* matches.trips(businessId, refs)
    const keyed = lines.flatMap(({ key, line }) => (key === undefined ? [] : [{ key, line }]))
    const same =
      keyed.length === 0
        ? []
        : yield* matches.sameTrips(
            businessId,
            keyed.map(({ key }) => key)
          )
    const byLine = new Map(keyed.map(({ line }, at) => [line, same[at]]))
    return new Map(
      lines.flatMap(({ input, line }) => {
        const { external_ref } = input
        const trip = external_ref === null ? byLine.get(line) : byRef?.get(external_ref)
        return trip === undefined || trip === null ? [] : [[line, trip]]
      })
    )
  })

  const change = Effect.fnUntraced(function* (acting: ActingBusiness, line: ReadLine, before: Trip) {
    const { trip_id: record_id } = before
    const changes = changesOf(line, tripRecord(before, acting.timezone), acting.timezone)
    if (Object.keys(changes).length === 0) return storedLine(line.line, { status: "matched", record_id })
    const decoded = decodeChanges({ ...changes, force: true })
    if (Result.isFailure(decoded)) return refusedLine(line.line, decoded.failure)
    return yield* transaction.run(trips.update(acting, record_id, decoded.success)).pipe(
      line.isPast ? Effect.provideService(IsTold, false) : identity,
      Effect.match({
        onSuccess: () => storedLine(line.line, { status: "changed", record_id }),
        onFailure: (error) => refusedLine(line.line, error)
      })
    )
  })

  return Effect.fnUntraced(function* (acting: ActingBusiness, lines: ReadonlyArray<Line>) {
    const { outcomes, right } = yield* read(acting, lines)
    let waiting = right
    while (waiting.length > 0) {
      // A line of the same trip as an earlier line waits for that line.
      const { later, now } = firstOfEach(waiting, ({ input, key }) => {
        const text = input.external_ref ?? (key && textOfKey(key))
        return text === undefined ? [] : [text]
      })
      const found = yield* foundBy(acting.business_id, now)
      for (const line of now) {
        const before = found.get(line.line)
        if (before !== undefined) outcomes.push(yield* change(acting, line, before))
      }
      const created = now.filter(({ line }) => !found.has(line))
      const moved = created.map(({ end, hasStatus, input, isPast }) => ({
        input,
        end: end ?? (isPast && !hasStatus ? ("completed" as const) : null)
      }))
      const results = created.length === 0 ? [] : yield* move(acting, moved)
      for (const [at, result] of results.entries()) {
        const line = created[at]?.line ?? 0
        outcomes.push(
          Result.match(result, {
            onSuccess: (record_id) => storedLine(line, { status: "made", record_id }),
            onFailure: (error) => refusedLine(line, inColumns(error))
          })
        )
      }
      waiting = later
    }
    return outcomes
  })
})
