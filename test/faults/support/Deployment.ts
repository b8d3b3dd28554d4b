import type { CreatedEndpointRecord, EventType } from "@livery/domain"
import { assert, vi } from "vitest"
import { type Account, signUp, verifyInDatabase } from "../../support/Account.ts"
import { type Installation, type InstallationOptions, installation } from "../../support/Installation.ts"
import type { Program } from "../../support/Program.ts"
import { type Receiver, receiver } from "../../support/Receiver.ts"
import { query } from "../../support/DatabaseRows.ts"
import type { Server } from "../../support/Server.ts"

/** An installation whose API is a process of its own, so that dispatchers can start and stop beside it. */
export interface Deployment {
  readonly installation: Installation
  readonly account: Account
  readonly receiver: Receiver
  /** The running API; after `restartApi`, the new one. */
  readonly api: () => Server
  /** Starts the API again after its end. */
  readonly restartApi: () => Promise<Server>
  /** Makes an endpoint, by default of `account` and at `receiver`, and returns its id. */
  readonly subscribe: (events: ReadonlyArray<EventType>, account?: Account, url?: string) => Promise<number>
  /** Starts a process that only sends webhooks. */
  readonly startDispatcher: (settings?: Readonly<Record<string, string>>) => Program
  /** The only row that a statement returns. */
  readonly row: (statement: string) => Promise<Readonly<Record<string, unknown>>>
  readonly close: () => Promise<void>
}

/** Starts a deployment with two businesses: `account` and `other`. */
export const deploy = async (
  options: InstallationOptions & {
    readonly receiver?: Receiver
    /** Settings of the API alone, besides the settings of the installation. */
    readonly apiSettings?: Readonly<Record<string, string>>
  } = {}
): Promise<Deployment & { readonly other: Account }> => {
  const [place, posts] = await Promise.all([installation(options), options.receiver ?? receiver()])
  let api = await place.serve(["--only", "api"], options.apiSettings)
  const sign = () => signUp(place, api, verifyInDatabase)
  const [account, other] = await Promise.all([sign(), sign()])
  return {
    installation: place,
    account,
    other,
    receiver: posts,
    api: () => api,
    restartApi: async () => {
      api = await place.serve(["--only", "api"], options.apiSettings)
      return api
    },
    subscribe: async (events, by = account, url = posts.url) => {
      const made = await by.through(api).post<CreatedEndpointRecord>("/webhooks", { url, events })
      assert.strictEqual(made.status, 201, made.text)
      return made.body.data.endpoint_id
    },
    startDispatcher: (settings) => place.launch(["serve", "--only", "webhooks"], settings),
    row: async (statement) => {
      const [row, ...more] = await query(place, statement)
      assert.isDefined(row)
      assert.isEmpty(more)
      return { ...row }
    },
    close: async () => {
      await Promise.all([place.remove(), posts.close()])
    }
  }
}

/** Waits until a condition on other processes holds. */
export const until = (holds: () => boolean | Promise<boolean>, seconds = 60): Promise<boolean> =>
  vi.waitUntil(holds, { timeout: seconds * 1000, interval: 20 })
