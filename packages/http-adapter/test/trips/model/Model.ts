/**
 * The model of a business: its trips, its drivers and its cars. It is written from the decisions on the specification
 * (State machines) alone, and is immutable, so that concurrent commands can be tried in every order. Records are
 * named by their index in the order of creation: trip 0, driver 2, car 1.
 */

export type TripStatus = "pending" | "confirmed" | "in_progress" | "completed" | "cancelled"
export type AssignmentStatus = "assigned" | "en_route" | "completed" | "cancelled"
export type DriverStatus = "unassigned" | "assigned" | "en_route" | "completed"
export type Milestone = "arrived_at_pickup" | "passenger_on_board" | "no_show"
export type ClashPolicy = "off" | "warn" | "enforce"

/** One driver's part in a trip. */
export interface Part {
  readonly driver: number
  readonly status: AssignmentStatus
  readonly milestones: ReadonlyArray<Milestone>
}

export interface Trip {
  readonly status: TripStatus
  readonly deleted: boolean
  /** The start, in half hours after that of slot 0. */
  readonly slot: number
  /** Null counts as an hour. */
  readonly minutes: number | null
  readonly car: number | null
  readonly customer: string
  readonly notes: string | null
  readonly amount: number | null
  readonly reason: string | null
  readonly fee: number | null
  /** All assignments, in the order of their creation. */
  readonly parts: ReadonlyArray<Part>
}

/** A driver or a car. */
export interface Resource {
  readonly active: boolean
  readonly gone: boolean
}

export interface Model {
  readonly policy: ClashPolicy
  readonly trips: ReadonlyArray<Trip>
  readonly drivers: ReadonlyArray<Resource>
  readonly cars: ReadonlyArray<Resource>
}

/** The limits of the business's plan. Drivers beyond the limit take a paid seat each. */
export const allowance = { cars: 2, drivers: 3, seatMinor: 1500 } as const

export const emptyModel: Model = { policy: "warn", trips: [], drivers: [], cars: [] }

export const isTerminal = (status: TripStatus) => status === "completed" || status === "cancelled"
export const isOpen = (status: TripStatus) => status === "confirmed" || status === "in_progress"
export const isLive = ({ status }: Pick<Part, "status">) => status === "assigned" || status === "en_route"
const isCompleted = ({ status }: Part) => status === "completed"
const isEnRoute = ({ status }: Part) => status === "en_route"

/** The status of an open trip with these assignments, by the three rules in their order. */
export const derivedStatus = (parts: ReadonlyArray<Part>): TripStatus => {
  if (parts.some(isCompleted) && !parts.some(isLive)) return "completed"
  if (parts.some(isEnRoute) || (parts.some(isCompleted) && parts.some(isLive))) return "in_progress"
  return "confirmed"
}

/** The `driver_status` of a trip with these assignments. */
export const driverStatus = (parts: ReadonlyArray<Part>): DriverStatus => {
  if (parts.some(isEnRoute)) return "en_route"
  if (parts.some(isLive)) return "assigned"
  return parts.some(isCompleted) ? "completed" : "unassigned"
}

/** The drivers of a trip whose assignment is not cancelled. */
export const crewOf = ({ parts }: Pick<Trip, "parts">): ReadonlyArray<number> =>
  parts.filter(({ status }) => status !== "cancelled").map(({ driver }) => driver)

/** Whether two trips take place at the same time. */
const overlap = (one: Trip, other: Trip) => {
  const begins = (trip: Trip) => trip.slot * 30
  const ends = (trip: Trip) => begins(trip) + (trip.minutes ?? 60)
  return begins(one) < ends(other) && begins(other) < ends(one)
}

/** The other trips of these drivers at the trip's time, as `driver:trip`. */
export const clashes = (
  { trips }: Model,
  at: number,
  trip: Trip,
  drivers: ReadonlyArray<number>
): ReadonlyArray<string> =>
  trips.flatMap((other, index) =>
    index === at || other.deleted || !overlap(trip, other)
      ? []
      : other.parts
          .filter((part) => isLive(part) && drivers.includes(part.driver))
          .map(({ driver }) => `${driver}:${index}`)
  )

/** The other open trips of the trip's car at its time, as `c` followed by `car:trip`. */
export const carClashes = ({ trips }: Model, at: number, trip: Trip): ReadonlyArray<string> =>
  trip.car === null || isTerminal(trip.status)
    ? []
    : trips.flatMap((other, index) =>
        index === at ||
        other.deleted ||
        other.car !== trip.car ||
        isTerminal(other.status) ||
        !overlap(trip, other)
          ? []
          : [`c${trip.car}:${index}`]
      )

/** Whether a driver or a car exists and is active. */
export const isActive = (resource: Resource | undefined): boolean =>
  resource !== undefined && resource.active && !resource.gone

/** Sorted indexes as one text. */
export const inOrder = (places: ReadonlyArray<number>): string =>
  places.toSorted((one, other) => one - other).join()

/** The number of resources that count against the plan's limit. */
export const activeOf = (resources: ReadonlyArray<Resource>): number => resources.filter(isActive).length

/** A list with another element at an index. */
export const replaced = <A>(list: ReadonlyArray<A>, at: number, item: A): ReadonlyArray<A> =>
  list.map((old, index) => (index === at ? item : old))
