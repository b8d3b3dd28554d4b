import type { CreatedEndpointRecord, TripRecord } from "@livery/domain"
import { assert } from "vitest"
import { type Account, signUp, trip } from "./Account.ts"
import { type Answer, bearer } from "./Client.ts"
import { type Installation, installation } from "./Installation.ts"
import { type Sent, sendTo } from "./Refusal.ts"
import { rowsOf } from "./Rows.ts"
import type { Server } from "./Server.ts"

/** A server with two businesses, of which the second has a trip and a webhook endpoint. */
export interface Scene {
  readonly server: Server
  readonly account: Account
  readonly other: Account
  readonly othersTrip: TripRecord
  readonly othersEndpoint: CreatedEndpointRecord
  /** Sends something to the API, with the first business's key and as JSON unless told. */
  readonly send: (path: string, sent?: Sent) => Promise<Answer>
  readonly post: (
    path: string,
    body: string | ReadableStream<Uint8Array>,
    headers?: Readonly<Record<string, string>>
  ) => Promise<Answer>
  /** Ends it; a failure if anything was written since its beginning, or a fault was logged. */
  readonly leaveUnchanged: () => Promise<void>
}

const set = async (place: Installation): Promise<Scene> => {
  const server = await place.serve()
  const account = await signUp(place, server)
  const other = await signUp(place, server)
  const booked = await other.client.post<TripRecord>("/trips", trip("Somebody Else"))
  const subscription = { url: "https://receiver.example/hook", events: ["trip.updated"] }
  const subscribed = await other.client.post<CreatedEndpointRecord>("/webhooks", subscription)
  const before = await rowsOf(place)
  const usual = { ...bearer(account.apiKey), "Content-Type": "application/json" }
  const send: Scene["send"] = (path, sent = {}) =>
    sendTo(`${server.api}${path}`, { ...sent, headers: { ...usual, ...sent.headers } })
  return {
    server,
    account,
    other,
    othersTrip: booked.body.data,
    othersEndpoint: subscribed.body.data,
    send,
    post: (path, body, headers = {}) => send(path, { method: "POST", body, headers }),
    leaveUnchanged: async () => {
      try {
        assert.deepStrictEqual(await rowsOf(place), before, "nothing was written")
        assert.notInclude(server.program.stderr(), "request failed", "no fault was logged")
      } finally {
        await place.remove()
      }
    }
  }
}

/** Sets the scene; what was begun is removed if that fails. */
export const scene = async (): Promise<Scene> => {
  const place = await installation()
  return set(place).catch(async (cause: unknown) => {
    await place.remove()
    throw cause
  })
}
