/** The state of the tracking page. */
import { signal } from "@preact/signals"
import { tokenInAddress } from "../api/Api.ts"
import { type Connection, follow } from "../api/Live.ts"
import type { Failure } from "../api/Failure.ts"
import { applyAccent } from "../shell/Brand.ts"
import { isOver, type Trip } from "./Trip.ts"

/** The trip, and when it was received. */
export const trip = signal<{ readonly record: Trip; readonly at: number } | undefined>(undefined)
/** Why the trip could not be read. It says something only while there is no trip. */
export const failure = signal<Failure | undefined>(undefined)
export const connection = signal<Connection>("live")
/** The present time, which moves every second. */
export const now = signal(Date.now())

let stop = () => {}

/** Follows the trip of the link in the address. */
export const begin = (): void => {
  stop()
  failure.value = undefined
  const path = `/public/tracking/${encodeURIComponent(tokenInAddress() || "-")}`
  stop = follow<Trip>({
    path,
    stream: { path: `${path}/stream`, events: ["position", "status"] },
    every: 10_000,
    onRecord: (record) => {
      if (trip.value === undefined) applyAccent(record.business.accent_color)
      trip.value = { record, at: Date.now() }
      now.value = Date.now()
    },
    onFailure: (reason) => {
      failure.value = reason
      if (reason.isNotFound) trip.value = undefined
    },
    onConnection: (state) => {
      connection.value = state
    },
    isOver
  })
}

/** Moves the present time. */
export const tick = (): (() => void) => {
  const timer = setInterval(() => {
    now.value = Date.now()
  }, 1000)
  return () => clearInterval(timer)
}
