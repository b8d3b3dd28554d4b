/**
 * A business on paper: its trips, its drivers and its cars, and what became of them. Written from the decisions on the
 * specification (State machines) alone, and immutable, so that what several did at once can be tried in every order.
 *
 * Everything is named by its place in the order in which it was made: trip 0, driver 2, car 1.
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
  /** When it begins, in half hours since the first one could. */
  readonly slot: number
  /** Null takes an hour. */
  readonly minutes: number | null
  readonly car: number | null
  readonly customer: string
  readonly notes: string | null
  readonly amount: number | null
  readonly reason: string | null
  readonly fee: number | null
  /** Every assignment that there ever was, in order. */
  readonly parts: ReadonlyArray<Part>
}

/** A driver or a car. */
export interface Resource {
  readonly active: boolean
  readonly gone: boolean
}

export interface World {
  readonly policy: ClashPolicy
  readonly trips: ReadonlyArray<Trip>
  readonly drivers: ReadonlyArray<Resource>
  readonly cars: ReadonlyArray<Resource>
}

/** What the business's plan allows: so many of each, and seats beyond that for drivers. */
export const allowance = { cars: 2, drivers: 3, seatMinor: 1500 } as const

export const emptyWorld: World = { policy: "warn", trips: [], drivers: [], cars: [] }

export const isTerminal = (status: TripStatus) => status === "completed" || status === "cancelled"
export const isOpen = (status: TripStatus) => status === "confirmed" || status === "in_progress"
export const isLive = ({ status }: Pick<Part, "status">) => status === "assigned" || status === "en_route"
const isCompleted = ({ status }: Part) => status === "completed"
const isEnRoute = ({ status }: Part) => status === "en_route"

/** What the assignments of an open trip make of its status, by the three rules in their order. */
export const derivedStatus = (parts: ReadonlyArray<Part>): TripStatus => {
  if (parts.some(isCompleted) && !parts.some(isLive)) return "completed"
  if (parts.some(isEnRoute) || (parts.some(isCompleted) && parts.some(isLive))) return "in_progress"
  return "confirmed"
}

/** Where a trip stands with its drivers. */
export const driverStatus = (parts: ReadonlyArray<Part>): DriverStatus => {
  if (parts.some(isEnRoute)) return "en_route"
  if (parts.some(isLive)) return "assigned"
  return parts.some(isCompleted) ? "completed" : "unassigned"
}

/** The drivers who have a trip to do or have done it. */
export const crewOf = ({ parts }: Pick<Trip, "parts">): ReadonlyArray<number> =>
  parts.filter(({ status }) => status !== "cancelled").map(({ driver }) => driver)

/** Whether two trips take place at the same time. */
const overlap = (one: Trip, other: Trip) => {
  const begins = (trip: Trip) => trip.slot * 30
  const ends = (trip: Trip) => begins(trip) + (trip.minutes ?? 60)
  return begins(one) < ends(other) && begins(other) < ends(one)
}

/** Who of the drivers is needed by another trip at that trip's time, as `driver:trip`. */
export const clashes = (
  { trips }: World,
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

/** The open trips that need the car of a trip at that trip's time, as `c` with `car:trip`. */
export const carClashes = ({ trips }: World, at: number, trip: Trip): ReadonlyArray<string> =>
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

/** Whether something is there, and can be given work. */
export const isAtHand = (resource: Resource | undefined): boolean =>
  resource !== undefined && resource.active && !resource.gone

/** Places in order, as one text. */
export const inOrder = (places: ReadonlyArray<number>): string =>
  places.toSorted((one, other) => one - other).join()

/** How many of them count against the plan. */
export const activeOf = (resources: ReadonlyArray<Resource>): number => resources.filter(isAtHand).length

/** Puts something else in a place of a list. */
export const replaced = <A>(list: ReadonlyArray<A>, at: number, item: A): ReadonlyArray<A> =>
  list.map((old, index) => (index === at ? item : old))
