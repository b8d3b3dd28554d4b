/** A business with drivers who are absent at times. */
import { Effect } from "effect"
import { company } from "../support/Fleet.ts"
import { record, records, type TestServer } from "../support/TestServer.ts"

/** A time on the day of the tests. */
export const at = (time: string) => `2026-12-24T${time}:00Z`

/** A business with that policy, and drivers and trips by number. */
export const businessWithPolicy = Effect.fnUntraced(function* (
  server: TestServer,
  clash_policy: "off" | "warn" | "enforce" = "warn"
) {
  const it = yield* company(server)
  record(yield* it.send("PATCH", "/settings/business", { clash_policy }))
  const newDriver = Effect.map(it.driver(), ({ driver_id }) => Number(driver_id))
  const newTrip = (time: string) =>
    Effect.map(it.trip({ trip_date: at(time) }), ({ trip_id }) => Number(trip_id))
  const addTo = (driverId: number, body: object) => it.send("POST", `/drivers/${driverId}/absences`, body)
  const away = (driverId: number, from: string, to: string, more: object = {}) =>
    addTo(driverId, { starts_at: at(from), ends_at: at(to), ...more })
  const assign = (tripId: number, driver_ids: ReadonlyArray<number>, more: object = {}) =>
    it.send("POST", `/trips/${tripId}/drivers`, { driver_ids, ...more })
  const absencesOf = (driverId: number, query = "") =>
    Effect.map(it.send("GET", `/drivers/${driverId}/absences${query}`), records)
  return { ...it, newDriver, newTrip, addTo, away, assign, absencesOf }
})

/** The id of the first added absence. */
export const idOf = (added: Readonly<Record<string, unknown>>) =>
  (added["absences"] as ReadonlyArray<{ readonly absence_id: number }>)[0]?.absence_id ?? 0
