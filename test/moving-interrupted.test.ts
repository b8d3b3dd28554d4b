/** Moves of a business that are killed, fail or meet another one: the business works at one of both installations. */
import type { TripRecord } from "@livery/domain"
import { assert, describe, it, vi } from "vitest"
import { trip } from "./support/Account.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { query } from "./support/DatabaseRows.ts"
import { given } from "./support/MarkedPerson.ts"
import { killedAt, withSituation } from "./support/MoveSituation.ts"

vi.setConfig({ testTimeout: 300_000 })

describe("livery move, killed", () => {
  it("while the business is used leaves it in use, and the same command continues", () =>
    withSituation(async (its) => {
      const { book, forward, old, refs, run, there } = its
      for (const step of ["check", "begin", "compare", "rows"]) {
        assert.strictEqual(await book(old.server.api), 201, step)
        await killedAt(its, step)
        assert.strictEqual(await book(old.server.api), 201, step)
      }
      const { code, stderr } = await run(forward)
      assert.strictEqual(code, 0, stderr)
      assert.sameMembers(await there(), refs)
    }))

  it("during the pause leaves the business to be read, and --abort gives it back at once", () =>
    withSituation(async (its) => {
      const { args, book, next, old, read, run } = its
      for (const step of ["credentials", "complete"]) {
        assert.strictEqual(await book(old.server.api), 201, step)
        await killedAt(its, step)
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
    withSituation(async (its) => {
      const { book, forward, next, old, read, refs, run, there } = its
      assert.strictEqual(await book(old.server.api), 201)
      await killedAt(its, "complete")
      const { code, stderr } = await run(forward)
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(await read(old.server.api), 308)
      assert.strictEqual(await book(next.server.api), 201)
      assert.sameMembers(await there(), refs)
    }))

  it("before the target opens the business leaves one home, which the same command opens", () =>
    withSituation(async (its) => {
      const { args, book, forward, next, old, read, refs, relay, run, state, there } = its
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

  it("continues with what was changed, deleted and made since its copy", () =>
    withSituation(async ({ account, forward, next, old, relay, run }) => {
      const here = clientOf(old.server.api, bearer(account.apiKey))
      const car = (name: string) => here.post<{ readonly car_id: number }>("/cars", { name })
      const made = async (name: string) => given(await car(name), 201).car_id
      const booked = async () => given(await here.post<TripRecord>("/trips", trip()), 201).trip_id
      const [sold, renamed] = [await made("Sold"), await made("Old name")]
      const [first, second] = [await booked(), await booked()]
      given(await here.patch(`/trips/${first}`, { linked_trip_id: second }))
      relay.passage = (step) => (step === "credentials" ? 500 : "pass")
      assert.strictEqual((await run(forward)).code, 1)
      relay.passage = () => "pass"
      assert.strictEqual((await here.remove(`/cars/${sold}`)).status, 200)
      given(await here.patch(`/cars/${renamed}`, { name: "New name" }))
      const bought = await made("Sold")
      given(await here.patch(`/trips/${first}`, { customer_name: "Katherine Johnson", linked_trip_id: null }))
      const { code, stderr } = await run(forward)
      assert.strictEqual(code, 0, stderr)
      const there = clientOf(next.server.api, bearer(account.apiKey))
      const cars = given(
        await there.get<ReadonlyArray<{ readonly car_id: number; readonly name: string }>>("/cars")
      )
      assert.sameDeepMembers(
        cars.map(({ car_id, name }) => [car_id, name]),
        [
          [renamed, "New name"],
          [bought, "Sold"]
        ]
      )
      const found = given(await there.get<ReadonlyArray<TripRecord>>("/trips?search=katherine"))
      assert.deepStrictEqual(
        found.map(({ linked_trip_id, trip_id }) => [trip_id, linked_trip_id]),
        [[first, null]]
      )
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
