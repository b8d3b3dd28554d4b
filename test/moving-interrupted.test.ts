/** Moves of a business that are killed, fail or meet another one: the business works at one of both installations. */
import type { TripRecord } from "@livery/domain"
import { assert, describe, it, vi } from "vitest"
import { trip } from "./support/Account.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { query } from "./support/DatabaseRows.ts"
import { type MoveRelay, moveRelay } from "./support/MoveRelay.ts"
import { signInAt, twoInstallations } from "./support/TwoInstallations.ts"

vi.setConfig({ testTimeout: 300_000 })

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
    launch: () => old.place.launch(forward, old.settings),
    remove: async () => {
      await relay.close()
      await remove()
    }
  }
}

const withSituation = async (use: (given: Awaited<ReturnType<typeof situation>>) => Promise<void>) => {
  const given = await situation()
  try {
    await use(given)
  } finally {
    await given.remove()
  }
}

/** Runs a move until a step is held, and kills it. */
const killedAt = async (
  { launch, relay }: Pick<Awaited<ReturnType<typeof situation>>, "launch" | "relay">,
  step: string,
  nth = 1
) => {
  let count = 0
  relay.passage = (given) => (given === step && ++count === nth ? "hold" : "pass")
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

describe("livery move, killed", () => {
  it("while the business is used leaves it in use, and the same command continues", () =>
    withSituation(async (given) => {
      const { book, forward, old, refs, run, there } = given
      for (const step of ["check", "begin", "compare", "rows"]) {
        assert.strictEqual(await book(old.server.api), 201, step)
        await killedAt(given, step)
        assert.strictEqual(await book(old.server.api), 201, step)
      }
      const { code, stderr } = await run(forward)
      assert.strictEqual(code, 0, stderr)
      assert.sameMembers(await there(), refs)
    }))

  it("during the pause leaves the business to be read, and --abort gives it back at once", () =>
    withSituation(async (given) => {
      const { args, book, next, old, read, run } = given
      for (const step of ["credentials", "complete"]) {
        assert.strictEqual(await book(old.server.api), 201, step)
        await killedAt(given, step)
        assert.deepStrictEqual([await read(old.server.api), await book(old.server.api)], [200, 503], step)
        const { stdout } = await run(["doctor"])
        assert.match(stdout, /takes no changes: .*livery move --business \d+ --abort/u)
        const aborted = await run([...args, "--abort"])
        assert.strictEqual(aborted.code, 0, aborted.stderr)
        assert.strictEqual(await book(old.server.api), 201, step)
        assert.deepStrictEqual(await query(next.place, "select business_id from businesses"), [])
      }
    }))

  it("during the pause continues with the same command", () =>
    withSituation(async (given) => {
      const { book, forward, next, old, read, refs, run, there } = given
      assert.strictEqual(await book(old.server.api), 201)
      await killedAt(given, "complete")
      const { code, stderr } = await run(forward)
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(await read(old.server.api), 308)
      assert.strictEqual(await book(next.server.api), 201)
      assert.sameMembers(await there(), refs)
    }))

  it("before the target opens the business leaves one home, which the same command opens", () =>
    withSituation(async (given) => {
      const { args, book, forward, next, old, read, refs, relay, run, state, there } = given
      assert.strictEqual(await book(old.server.api), 201)
      relay.passage = (step) => (step === "open" ? 503 : "pass")
      const failed = await run(forward)
      assert.strictEqual(failed.code, 1)
      assert.match(failed.stderr, /Repeat the command: it continues/u)
      relay.passage = () => "pass"
      assert.strictEqual(await state(), "moved")
      assert.deepStrictEqual([await read(old.server.api), await read(next.server.api)], [308, 503])
      assert.match((await run([...args, "--abort"])).stderr, /has moved to .* already/u)
      const { code, stderr } = await run(forward)
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(await book(next.server.api), 201)
      assert.sameMembers(await there(), refs)
    }))
})

describe("livery move that fails", () => {
  it("during the pause, as on a full disk of the target, says what to do and gives the business back at once", () =>
    withSituation(async ({ book, forward, old, refs, relay, run, there }) => {
      assert.strictEqual(await book(old.server.api), 201)
      relay.passage = (step) => (step === "credentials" ? 500 : "pass")
      const { code, stderr } = await run(forward)
      assert.strictEqual(code, 1)
      assert.match(stderr, /answers 500 at the moment.*Repeat the command: it continues/u)
      assert.strictEqual(await book(old.server.api), 201)
      relay.passage = () => "pass"
      const again = await run(forward)
      assert.strictEqual(again.code, 0, again.stderr)
      assert.sameMembers(await there(), refs)
    }))

  it("because the target does not answer, is of another version, or the secret is wrong has changed nothing", () =>
    withSituation(async ({ book, forward, old, relay, run, state }) => {
      relay.rewrite = (text) => text.replace('"columns":{"', '"columns":{"planes":["plane_id"],"')
      assert.match(
        (await run(forward)).stderr,
        /have different versions of Livery, whose data differs in planes/u
      )
      relay.rewrite = (text) => text
      relay.passage = () => 404
      assert.match((await run(forward)).stderr, /is no Livery server of this version/u)
      const other = await run(forward, { LIVERY_SECRET: "another secret of thirty-two chars" })
      assert.strictEqual(other.code, 2)
      assert.match(other.stderr, /is not the secret that the data was sealed with/u)
      await relay.close()
      assert.match((await run(forward)).stderr, /does not answer/u)
      assert.strictEqual(await state(), undefined)
      assert.strictEqual(await book(old.server.api), 201)
    }))
})

describe("a second livery move of a business", () => {
  it("is refused while the first runs, also to abort it, and the first one goes on", () =>
    withSituation(async ({ args, book, forward, launch, old, refs, relay, run, there }) => {
      assert.strictEqual(await book(old.server.api), 201)
      let hold = true
      relay.passage = (step) => (step === "complete" && hold ? "hold" : "pass")
      const first = launch()
      await vi.waitUntil(() => relay.held.length > 0, { timeout: 60_000, interval: 10 })
      hold = false
      for (const command of [forward, [...args, "--abort"]])
        assert.match(
          (await run(command)).stderr,
          /Another livery move of business \d+ runs: wait until it ends/u
        )
      first.signal("SIGINT")
      await first.ended
      assert.strictEqual(await book(old.server.api), 201, "an end by Ctrl-C gives the business back")
      const { code, stderr } = await run(forward)
      assert.strictEqual(code, 0, stderr)
      assert.sameMembers(await there(), refs)
    }))
})
