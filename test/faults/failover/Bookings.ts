/** Clients that book without a pause and repeat each request until it is acknowledged, under the same Idempotency-Key. */
import type { TripRecord } from "@livery/domain"
import { bearer, clientOf } from "../../support/Client.ts"
import { trip } from "../../support/Account.ts"
import { sleep } from "./Processes.ts"

/** An acknowledged booking. */
export interface Booking {
  readonly customer: string
  readonly tripId: number
  /** `performance.now()` when the acknowledgement arrived. */
  readonly at: number
}

/** The clients, from their start to their end. */
export interface Bookings {
  readonly acknowledged: ReadonlyArray<Booking>
  /** How often each status was answered instead of 201; 0 for no answer. */
  readonly refusals: ReadonlyMap<number, number>
  /** Ends the clients after the acknowledgement of their last request. */
  readonly end: () => Promise<void>
}

/** Starts the clients, whose customers' names contain the label. */
export const startBookings = (options: {
  readonly api: string
  readonly apiKey: string
  readonly clients: number
  readonly label: string
}): Bookings => {
  const { api, apiKey, clients, label } = options
  const acknowledged: Array<Booking> = []
  const refusals = new Map<number, number>()
  const load = { isOn: true }

  const bookOnce = async (customer: string) => {
    const client = clientOf(api, { ...bearer(apiKey), "Idempotency-Key": customer })
    for (;;) {
      const answer = await client.post<TripRecord>("/trips", trip(customer)).catch(() => undefined)
      if (answer?.status === 201) {
        acknowledged.push({ customer, tripId: answer.body.data.trip_id, at: performance.now() })
        return
      }
      const status = answer?.status ?? 0
      refusals.set(status, (refusals.get(status) ?? 0) + 1)
      await sleep(100)
    }
  }
  const bookOn = async (client: number) => {
    for (let number = 1; load.isOn; number++) {
      await bookOnce(`${label} ${client}-${number}`)
      await sleep(20)
    }
  }
  const booking = Promise.all(Array.from({ length: clients }, (_, client) => bookOn(client)))
  return {
    acknowledged,
    refusals,
    end: async () => {
      load.isOn = false
      await booking
    }
  }
}

/** The longest time without an acknowledgement after a moment, in seconds. */
export const longestPause = (bookings: ReadonlyArray<Booking>, from: number): number => {
  const times = [from, ...bookings.map(({ at }) => at).filter((at) => at > from)]
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at))) / 1000
}
