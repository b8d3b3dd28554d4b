/** Two installations, between which a business is moved. */
import { join } from "node:path"
import { assert } from "vitest"
import { type Account, signUp } from "./Account.ts"
import { query } from "./DatabaseRows.ts"
import { type Installation, installation } from "./Installation.ts"
import type { Server } from "./Server.ts"

/** An installation that runs, and whose commands are signed in at the other one as its super-admin. */
export interface Place {
  readonly place: Installation
  readonly server: Server
  /** Its public address. */
  readonly url: string
  /** The settings of its commands. */
  readonly settings: Readonly<Record<string, string>>
  /** Runs a command, which succeeds, and returns what it prints. */
  readonly done: (...command: ReadonlyArray<string>) => Promise<string>
  /** The state of the move of a business from here, if there is one. */
  readonly stateOf: (businessId: number) => Promise<unknown>
}

const password = "bletchley park"

const placeOf = async (): Promise<Place> => {
  const place = await installation()
  const server = await place.serve()
  const settings = { XDG_CONFIG_HOME: join(place.directory, "configuration") }
  const root = ["users", "create", "--name", "Root", "--email", "root@example.com", "--account-type", "S"]
  assert.strictEqual((await place.command(root, { input: `${password}\n` })).code, 0)
  return {
    place,
    server,
    url: new URL(server.api).origin,
    settings,
    done: async (...command) => {
      const { code, stderr, stdout } = await place.command(command, { settings })
      assert.strictEqual(code, 0, stderr)
      return stdout
    },
    stateOf: async (businessId) => {
      const [row] = await query(place, `select state from business_moves where business_id = ${businessId}`)
      return row?.["state"]
    }
  }
}

/** Signs the commands of an installation in at an address as its super-admin. */
export const signInAt = async ({ place, settings }: Place, url: string): Promise<void> => {
  const login = ["login", "--url", url, "--email", "root@example.com"]
  const { code, stderr } = await place.command(login, { input: `${password}\n`, settings })
  assert.strictEqual(code, 0, stderr)
}

/** Starts two installations, with a business that has signed up at the first one. */
export const twoInstallations = async (): Promise<{
  readonly old: Place
  readonly next: Place
  readonly account: Account
  readonly remove: () => Promise<void>
}> => {
  const [old, next] = await Promise.all([placeOf(), placeOf()])
  await Promise.all([signInAt(old, next.url), signInAt(next, old.url)])
  const remove = async () => {
    await Promise.all([old.place.remove(), next.place.remove()])
  }
  return { old, next, account: await signUp(old.place, old.server), remove }
}
