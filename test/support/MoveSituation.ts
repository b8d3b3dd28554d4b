/** A business between two installations, and moves of it that are killed at a step. */
import type { TripRecord } from "@livery/domain"
import { assert, vi } from "vitest"
import { trip } from "./Account.ts"
import { bearer, clientOf } from "./Client.ts"
import { query } from "./DatabaseRows.ts"
import { type MoveRelay, moveRelay } from "./MoveRelay.ts"
import { signInAt, twoInstallations } from "./TwoInstallations.ts"

/** Two installations with a relay between them, and the commands and requests of these tests. */
const situation = async () => {
  const { account, next, old, remove } = await twoInstallations()
  const relay: MoveRelay = await moveRelay(next.url)
  await signInAt(old, relay.url)
  const { businessId } = account
  const key = bearer(account.apiKey)
  const args = ["move", "--business", String(businessId)]
  const forward = [...args, "--to", relay.url, "--yes", "--json"]
  const refs: Array<string> = []
  /** Books at an installation, and returns the status. */
  const book = async (api: string) => {
    const external_ref = `R-${refs.length}`
    const { status } = await clientOf(api, key).post<TripRecord>("/trips", { ...trip(), external_ref })
    if (status === 201) refs.push(external_ref)
    return status
  }
  const read = async (api: string) => {
    const answer = await fetch(`${api}/trips?per_page=1`, { headers: key, redirect: "manual" })
    await answer.body?.cancel()
    return answer.status
  }
  /** The references of the trips at the target. */
  const there = async () =>
    (await query(next.place, "select external_ref from trips where external_ref is not null")).map(
      ({ external_ref }) => String(external_ref)
    )
  return {
    account,
    old,
    next,
    relay,
    args,
    forward,
    refs,
    book,
    read,
    there,
    state: () => old.stateOf(businessId),
    run: (command: ReadonlyArray<string>, settings = {}) =>
      old.place.command(command, { settings: { ...old.settings, ...settings } }),
    runAtTarget: (command: ReadonlyArray<string>) => next.place.command(command, { settings: next.settings }),
    launch: () => old.place.launch(forward, old.settings),
    remove: async () => {
      await relay.close()
      await remove()
    }
  }
}

/** Uses a situation, and removes it. */
export const withSituation = async (use: (its: Awaited<ReturnType<typeof situation>>) => Promise<void>) => {
  const its = await situation()
  try {
    await use(its)
  } finally {
    await its.remove()
  }
}

/** Runs a move until a step is held, and kills it. */
export const killedAt = async (
  { launch, relay }: Pick<Awaited<ReturnType<typeof situation>>, "launch" | "relay">,
  step: string,
  nth = 1
) => {
  let count = 0
  relay.passage = (sent) => (sent === step && ++count === nth ? "hold" : "pass")
  const before = relay.held.length
  const program = launch()
  await vi.waitUntil(() => relay.held.length > before || program.ending() !== undefined, {
    timeout: 60_000,
    interval: 10
  })
  assert.isUndefined(program.ending(), program.stderr())
  program.signal("SIGKILL")
  await program.ended
  relay.passage = () => "pass"
}
