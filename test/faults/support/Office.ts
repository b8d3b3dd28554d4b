import type { CreatedEndpointRecord, EventType } from "@livery/domain"
import { assert, vi } from "vitest"
import { type Account, signUp } from "../../support/Account.ts"
import { type Installation, type InstallationOptions, installation } from "../../support/Installation.ts"
import type { Program } from "../../support/Program.ts"
import { type Receiver, receiver } from "../../support/Receiver.ts"
import { query } from "../../support/DatabaseRows.ts"
import type { Server } from "../../support/Server.ts"

/** An installation whose API runs by itself, so that dispatchers can come and go. */
export interface Office {
  readonly place: Installation
  readonly account: Account
  readonly receiver: Receiver
  /** The API, until it is replaced. */
  readonly api: () => Server
  /** Starts the API again, after its end. */
  readonly reopen: () => Promise<Server>
  /** Makes an endpoint of this business that posts to the receiver. */
  readonly subscribe: (events: ReadonlyArray<EventType>, account?: Account, url?: string) => Promise<number>
  /** Starts a process that does nothing but send. */
  readonly dispatcher: (settings?: Readonly<Record<string, string>>) => Program
  /** The only row that a statement gives. */
  readonly one: (statement: string) => Promise<Readonly<Record<string, unknown>>>
  readonly close: () => Promise<void>
}

/** Opens an office; `others` more businesses sign up, too. */
export const office = async (
  options: InstallationOptions & { readonly receiver?: Receiver } = {}
): Promise<Office & { readonly other: Account }> => {
  const [place, ears] = await Promise.all([installation(options), options.receiver ?? receiver()])
  // Who signs up is sent a letter, for which there has to be someone who sends it.
  const first = await place.serve()
  const [account, other] = await Promise.all([signUp(place, first), signUp(place, first)])
  let api = await place.serve(["--only", "api"])
  await first.stop()
  return {
    place,
    account,
    other,
    receiver: ears,
    api: () => api,
    reopen: async () => {
      api = await place.serve(["--only", "api"])
      return api
    },
    subscribe: async (events, by = account, url = ears.url) => {
      const made = await by.through(api).post<CreatedEndpointRecord>("/webhooks", { url, events })
      assert.strictEqual(made.status, 201, made.text)
      return made.body.data.endpoint_id
    },
    dispatcher: (settings) => place.launch(["serve", "--only", "webhooks"], settings),
    one: async (statement) => {
      const [row, ...more] = await query(place, statement)
      assert.isDefined(row)
      assert.isEmpty(more)
      return { ...row }
    },
    close: async () => {
      await Promise.all([place.remove(), ears.close()])
    }
  }
}

/** Waits for something in the world outside. */
export const until = (holds: () => boolean | Promise<boolean>, seconds = 60): Promise<boolean> =>
  vi.waitUntil(holds, { timeout: seconds * 1000, interval: 20 })
