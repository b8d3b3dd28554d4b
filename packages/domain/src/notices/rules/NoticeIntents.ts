/**
 * The rule of all notices: it compares a trip before a burst of changes with the trip after it, and returns what that tells to whom.
 * What was undone in between makes no difference, so that it is told to nobody.
 */
import { DateTime } from "effect"
import type { DriverId } from "../../kernel/Ids.ts"
import { isLive } from "../../trips/trip/Assignment.ts"
import {
  changesForDrivers,
  changesForPassengers,
  newlyDeclined,
  type ToldTrip
} from "../../trips/changes/ToldTrip.ts"
import { isOpenTrip } from "../../trips/trip/TripStatus.ts"
import type { NoticeKind } from "./NoticeKind.ts"

/**
 * What is told to passengers and bookers, or to one driver, or to the office about a driver (`driver_declined`). Of the kinds, the
 * first that is switched on is told.
 */
export interface NoticeIntent {
  readonly driverId: DriverId | null
  readonly kinds: ReadonlyArray<NoticeKind>
}

/** How long after its pickup a plan still matters. */
const pastMinutes = 60

const isBooked = ({ is_deleted, status }: ToldTrip) =>
  !is_deleted && status !== "pending" && isOpenTrip(status)
const isOff = ({ is_deleted, status }: ToldTrip) => is_deleted || status === "cancelled"

/** A trip that does not exist yet. */
const nothing = (after: ToldTrip): ToldTrip => ({ ...after, status: "pending", drivers: [] })

type ToldDriver = ToldTrip["drivers"][number]

const someNew = (before: ToldTrip, after: ToldTrip, condition: (driver: ToldDriver) => boolean) =>
  after.drivers.some(
    (driver) =>
      condition(driver) &&
      !before.drivers.some((one) => one.assignment_id === driver.assignment_id && condition(one))
  )

const driving = ({ drivers }: ToldTrip) =>
  drivers
    .filter(isLive)
    .map(({ car_id, driver_id }) => `${driver_id} ${car_id}`)
    .toSorted()

const kindsForCustomers = (before: ToldTrip, after: ToldTrip, isPast: boolean): ReadonlyArray<NoticeKind> => {
  if (isOff(after)) return !isPast && isBooked(before) ? ["cancelled"] : []
  if (after.status === "completed") return isBooked(before) ? ["done"] : []
  if (!isBooked(after)) return []
  const cars = driving(after)
  const hasOtherDrivers = cars.length > 0 && cars.join() !== driving(before).join()
  return [
    ...(someNew(before, after, ({ has_arrived, status }) => status === "en_route" && has_arrived)
      ? (["arrived"] as const)
      : []),
    ...(someNew(before, after, ({ status }) => status === "en_route") ? (["on_the_way"] as const) : []),
    ...(isPast || isBooked(before) ? [] : (["booked"] as const)),
    ...(!isPast && isBooked(before) && changesForPassengers(before, after).length > 0
      ? (["changed"] as const)
      : []),
    ...(!isPast && hasOtherDrivers ? (["driver_assigned"] as const) : [])
  ]
}

const liveDriver = ({ drivers }: ToldTrip, driverId: DriverId) =>
  drivers.find((driver) => driver.driver_id === driverId && isLive(driver))

const kindsForDriver = (before: ToldTrip, after: ToldTrip, driverId: DriverId): ReadonlyArray<NoticeKind> => {
  const [was, is] = [liveDriver(before, driverId), liveDriver(after, driverId)]
  const isGone = isOff(after) || is === undefined
  if (was === undefined) return isGone || after.status === "pending" ? [] : ["driver_new"]
  if (after.status === "completed") return []
  if (isGone) {
    const hasEnded = after.drivers.some((one) => one.driver_id === driverId && one.status === "completed")
    return hasEnded ? [] : ["driver_cancelled"]
  }
  const isChanged = was.car_id !== is.car_id || changesForDrivers(before, after).length > 0
  return isChanged ? ["driver_changed"] : []
}

/**
 * What the difference tells: at most one notice to the customers and one to each driver, with the last state, and one to the
 * office for each driver who declined. `before` is null
 * if the trip was booked in the burst. A plan for the past is told to nobody.
 */
export const noticeIntents = (
  before: ToldTrip | null,
  after: ToldTrip,
  now: DateTime.Utc
): ReadonlyArray<NoticeIntent> => {
  const earlier = before ?? nothing(after)
  const pickup = DateTime.toEpochMillis(DateTime.makeUnsafe(after.trip_date))
  const isPast = pickup < DateTime.toEpochMillis(now) - pastMinutes * 60_000
  const drivers = new Set([...earlier.drivers, ...after.drivers].map(({ driver_id }) => driver_id))
  const intents = [
    { driverId: null, kinds: kindsForCustomers(earlier, after, isPast) },
    ...[...drivers].map((driverId) => ({
      driverId,
      kinds: isPast ? [] : kindsForDriver(earlier, after, driverId)
    })),
    ...newlyDeclined(earlier, after).map(({ driver_id }) => ({
      driverId: driver_id,
      kinds: ["driver_declined" as const]
    }))
  ]
  return intents.filter(({ kinds }) => kinds.length > 0)
}
