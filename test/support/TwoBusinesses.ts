import type { CreatedEndpointRecord, TripRecord } from "@livery/domain"
import { assert } from "vitest"
import { type Account, signUp, trip } from "./Account.ts"
import { type Answer, bearer } from "./Client.ts"
import { type Installation, installation } from "./Installation.ts"
import { type Sent, sendTo } from "./Refusal.ts"
import { rowsOf } from "./DatabaseRows.ts"
import type { Server } from "./Server.ts"

/** A server with two businesses, of which the second has a trip and a webhook endpoint. */
export interface TwoBusinesses {
  readonly server: Server
  readonly account: Account
  readonly other: Account
  readonly othersTrip: TripRecord
  readonly othersEndpoint: CreatedEndpointRecord
  /** Sends a request to the API, by default with the first business's key and as JSON. */
  readonly send: (path: string, sent?: Sent) => Promise<Answer>
  readonly post: (
    path: string,
    body: string | ReadableStream<Uint8Array>,
    headers?: Readonly<Record<string, string>>
  ) => Promise<Answer>
  /** Removes the installation. It fails if a row was written since the beginning, or if an internal error was logged. */
  readonly removeUnchanged: () => Promise<void>
}

const setUp = async (place: Installation): Promise<TwoBusinesses> => {
  const server = await place.serve()
  const account = await signUp(place, server)
  const other = await signUp(place, server)
  const booked = await other.client.post<TripRecord>("/trips", trip("Somebody Else"))
  const subscription = { url: "https://receiver.example/hook", events: ["trip.updated"] }
  const subscribed = await other.client.post<CreatedEndpointRecord>("/webhooks", subscription)
  const before = await rowsOf(place)
  const defaults = { ...bearer(account.apiKey), "Content-Type": "application/json" }
  const send: TwoBusinesses["send"] = (path, sent = {}) =>
    sendTo(`${server.api}${path}`, { ...sent, headers: { ...defaults, ...sent.headers } })
  return {
    server,
    account,
    other,
    othersTrip: booked.body.data,
    othersEndpoint: subscribed.body.data,
    send,
    post: (path, body, headers = {}) => send(path, { method: "POST", body, headers }),
    removeUnchanged: async () => {
      try {
        assert.deepStrictEqual(await rowsOf(place), before, "nothing was written")
        assert.notInclude(server.program.stderr(), "request failed", "no internal error was logged")
      } finally {
        await place.remove()
      }
    }
  }
}

/** Starts the server and signs the businesses up. If that fails, the installation is removed. */
export const twoBusinesses = async (): Promise<TwoBusinesses> => {
  const place = await installation()
  return setUp(place).catch(async (cause: unknown) => {
    await place.remove()
    throw cause
  })
}
