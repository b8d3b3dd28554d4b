import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { dispatch } from "./Dispatch.ts"

/** Trip 1, with the drivers 11 and 12 on it, as the assignments 1 and 2. */
export const assignedTrip = Effect.gen(function* () {
  yield* TestClock.setTime(Date.parse("2026-11-20T08:00:00Z"))
  const memory = yield* dispatch
  memory.addDrivers(1, 11, 12, 13)
  yield* memory.create()
  yield* memory.assign(1, [11, 12])
  memory.newEvents()
  return memory
})

/** The statuses of a trip and of its drivers. */
export const statusesOf = ({
  driver_status,
  drivers,
  status
}: { readonly [Key in "status" | "driver_status"]: string } & {
  readonly drivers: ReadonlyArray<{ readonly driver_id: number; readonly status: string }>
}) => [status, driver_status, ...drivers.map((driver) => `${driver.driver_id} ${driver.status}`)]
