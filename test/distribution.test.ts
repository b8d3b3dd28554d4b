/** `livery migrate --distribute` on a plain PostgreSQL, and on one with an emulated catalogue of Citus. */
import { Effect, Exit, Redacted, Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { citusCatalogue } from "./support/CitusCatalogue.ts"
import { runLivery } from "./support/Program.ts"
import { scratchPrefix } from "./support/ScratchDirectory.ts"
import { administer, TestDatabase } from "./support/TestDatabase.ts"

// Each test starts processes.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

let scope: Scope.Closeable
let base: string
let url: string
beforeEach(async () => {
  scope = Scope.makeUnsafe()
  base = await mkdtemp(`${scratchPrefix}${process.pid}-`)
  url = Redacted.value((await Effect.runPromise(Scope.provide(scope)(TestDatabase.create))).url)
})
afterEach(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await rm(base, { recursive: true, force: true })
})

const livery = (...words: ReadonlyArray<string>) =>
  runLivery(words, {
    environment: {
      LIVERY_DATA_DIR: `${base}/data`,
      LIVERY_SECRET: "a secret of thirty-two characters",
      DATABASE_URL: url
    }
  })

describe("livery migrate --distribute", () => {
  it("is refused in one line without Citus, and its plan shows the SQL of all tables", async () => {
    const refused = await livery("migrate", "--distribute")
    assert.strictEqual(refused.code, 1)
    assert.match(refused.stderr, /lacks the extension citus: .*Nothing was changed/u)
    const plan = await livery("migrate", "--distribute", "--plan")
    assert.strictEqual(plan.code, 0)
    assert.include(plan.stdout, "SELECT create_reference_table('businesses');")
    assert.include(plan.stdout, "SELECT create_distributed_table('trips', 'business_id', ")
  })

  it("places each table once; doctor reports the nodes, and serve names a table that has no place", async () => {
    await Effect.runPromise(administer(url, citusCatalogue))
    const first = await livery("migrate", "--distribute")
    assert.deepInclude(first, { code: 0 })
    assert.include(first.stdout, "Distributed trips")
    const second = await livery("migrate", "--distribute")
    assert.strictEqual(second.stdout.trim(), "The database is up to date, and every table is in its place")
    const checked = await livery("doctor")
    assert.match(checked.stdout, /nodes +ok +worker-1:5432 has \d+ shards of \d+ MB, worker-2:5432 /u)
    assert.match(checked.stdout, /distribution +ok/u)

    await Effect.runPromise(
      administer(url, "DELETE FROM pg_dist_partition WHERE logicalrelid = 'notices'::regclass")
    )
    const served = await livery("serve", "--only", "webhooks")
    assert.strictEqual(served.code, 1)
    assert.match(
      served.stderr,
      /distributed, but has notices on one node only: run `livery migrate --distribute`/u
    )
    const unhealthy = await livery("doctor")
    assert.match(unhealthy.stdout, /distribution +failed +notices is on one node only/u)
    const third = await livery("migrate")
    assert.deepInclude(third, { code: 0 })
    assert.match((await livery("doctor")).stdout, /distribution +ok/u)
  })
})
