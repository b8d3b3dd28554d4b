/** Moves of a business whose source or target is lost: the other installation names the move and ends it alone. */
import { assert, describe, it, vi } from "vitest"
import { query } from "./support/DatabaseRows.ts"
import { killedAt, withSituation } from "./support/MoveSituation.ts"

vi.setConfig({ testTimeout: 300_000 })

describe("livery move whose source is lost", () => {
  it("after its commit is named by the doctor of the target, and opened there", () =>
    withSituation(async (its) => {
      const { book, forward, next, old, read, refs, relay, run, runAtTarget, there } = its
      assert.strictEqual(await book(old.server.api), 201)
      relay.passage = (step) => (step === "open" ? 503 : "pass")
      assert.strictEqual((await run(forward)).code, 1)
      await old.server.stop()
      assert.strictEqual(await read(next.server.api), 503)
      const [arrived] = await query(next.place, "select business_id from business_arrivals")
      const move = ["move", "--business", String(arrived?.["business_id"])]
      const { stdout } = await runAtTarget(["doctor"])
      assert.match(stdout, /has arrived completely, and is not open: .*livery move --business \d+ --open/u)
      const opened = await runAtTarget([...move, "--open", "--yes", "--json"])
      assert.strictEqual(opened.code, 0, opened.stderr)
      assert.deepInclude(JSON.parse(opened.stdout), {
        opened: true,
        business_id: Number(arrived?.["business_id"])
      })
      // Within a second: a server reads again then whether a business is suspended.
      await vi.waitUntil(async () => (await book(next.server.api)) === 201, { timeout: 10_000, interval: 20 })
      assert.sameMembers(await there(), refs)
      for (const end of ["--open", "--discard"])
        assert.match((await runAtTarget([...move, end, "--yes"])).stderr, /does not arrive here/u)
    }))

  it("before all rows are there is not opened, and discarded there", () =>
    withSituation(async (its) => {
      const { book, next, old, runAtTarget } = its
      assert.strictEqual(await book(old.server.api), 201)
      await killedAt(its, "credentials")
      const [arriving] = await query(next.place, "select business_id from business_arrivals")
      const move = ["move", "--business", String(arriving?.["business_id"])]
      const { stdout } = await runAtTarget(["doctor"])
      assert.match(stdout, /has not arrived completely: .*livery move --business \d+ --discard/u)
      assert.match((await runAtTarget([...move, "--open", "--yes"])).stderr, /has not arrived completely/u)
      const discarded = await runAtTarget([...move, "--discard", "--yes"])
      assert.strictEqual(discarded.code, 0, discarded.stderr)
      assert.deepStrictEqual(await query(next.place, "select business_id from businesses"), [])
    }))
})

describe("livery move --abort", () => {
  it("refuses to discard a copy that the audit log of the target names, and says how to end the move", () =>
    withSituation(async (its) => {
      const { args, book, next, old, run, runAtTarget } = its
      await killedAt(its, "complete")
      const [arriving] = await query(next.place, "select business_id from businesses")
      const id = String(arriving?.["business_id"])
      const given = await runAtTarget(["businesses", "credits", id, "50", "--reason", "A gift"])
      assert.strictEqual(given.code, 0, given.stderr)
      const aborted = await run([...args, "--abort"])
      assert.strictEqual(aborted.code, 1)
      assert.match(aborted.stderr, /^conflict: The audit log .*--abort --without-target/u)
      assert.strictEqual((await run([...args, "--abort", "--without-target"])).code, 0)
      assert.strictEqual(await book(old.server.api), 201)
    }))

  it("without a target that is lost ends the move, and says that its copy is not discarded", () =>
    withSituation(async (its) => {
      const { args, book, next, old, relay, run, runAtTarget, state } = its
      await killedAt(its, "complete")
      relay.passage = () => 503
      assert.strictEqual((await run([...args, "--abort"])).code, 1)
      assert.strictEqual(await state(), "aborting")
      assert.match((await run(["doctor"])).stdout, /is not discarded: .*--without-target/u)
      const ended = await run([...args, "--abort", "--without-target"])
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.match(ended.stdout, /A copy that the target may have is not discarded/u)
      assert.isUndefined(await state())
      assert.strictEqual(await book(old.server.api), 201)
      assert.notInclude((await run(["doctor"])).stdout, "--abort")
      const [arriving] = await query(next.place, "select business_id from businesses")
      const move = ["move", "--business", String(arriving?.["business_id"])]
      assert.strictEqual((await runAtTarget([...move, "--discard", "--yes"])).code, 0)
    }))
})

describe("livery move with one connection to the database", () => {
  it("is refused before anything is read", () =>
    withSituation(async ({ forward, run, state }) => {
      const settings = { DATABASE_URL: "postgresql://postgres@127.0.0.1:1/none", DATABASE_POOL: "1" }
      const { code, stderr } = await run(forward, settings)
      assert.strictEqual(code, 2, stderr)
      assert.match(stderr, /needs 2 connections to the database at once: set DATABASE_POOL to 2 or more/u)
      assert.isUndefined(await state())
    }))
})
