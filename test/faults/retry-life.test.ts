import { RetryPolicy } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { trip } from "../support/Account.ts"
import { status } from "../support/Receiver.ts"
import { query, attemptRows } from "../support/DatabaseRows.ts"
import { isFull } from "./support/Extent.ts"
import { type Deployment, deploy, until } from "./support/Deployment.ts"

/** The seconds of each wait that the test does not skip: more than one, since a signature's time has whole seconds. */
const unskipped = 1.2

describe("a delivery that is always refused", () => {
  let deployment: Deployment
  beforeAll(async () => {
    deployment = await deploy()
  })
  afterAll(() => deployment.close())

  it(
    "gets six POSTs at least 60, 120, 240, 480 and 960 s apart, and then fails for good",
    { timeout: 300_000 },
    async () => {
      await deployment.subscribe(["trip.created"])
      deployment.receiver.answerWith(status(500))
      deployment.startDispatcher()
      await deployment.account.through(deployment.api()).post("/trips", trip())
      const posts = deployment.receiver.notices
      /** The time of each POST in seconds, with the time that was skipped before it. */
      const times: Array<number> = []
      let skipped = 0
      for (let attempt = 1; attempt <= 6; attempt++) {
        await until(() => posts.length === attempt)
        times.push((posts[attempt - 1]?.at ?? 0) / 1000 + skipped)
        if (attempt === 6) break
        await until(
          async () =>
            (await deployment.row("select claim_id is null as free from webhook_deliveries"))["free"] === true
        )
        const row = await deployment.row(`update webhook_deliveries d set next_attempt_at = clock_timestamp()
          + make_interval(secs => ${unskipped})
        from (select extract(epoch from next_attempt_at - clock_timestamp())::float8 as wait
          from webhook_deliveries) before
        returning before.wait - ${unskipped} as skipped`)
        skipped += Number(row["skipped"])
      }
      await until(
        async () => (await deployment.row("select status from webhook_deliveries"))["status"] === "failed"
      )
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
      process.stdout.write(`gaps: ${gaps.map((gap) => gap.toFixed(1)).join(", ")} s\n`)
      for (const [index, floor] of RetryPolicy.minimumWaits.entries()) {
        assert.isAtLeast(gaps[index] ?? 0, floor)
        // Plus the jitter, the interval of polls and the response; more if all other tests run at the same time.
        assert.isAtMost(gaps[index] ?? 0, floor * 1.1 + (isFull ? 3 : 60))
      }
      assert.strictEqual(new Set(posts.map(({ headers }) => headers["x-service-delivery"])).size, 1)
      assert.strictEqual(new Set(posts.map(({ raw }) => raw)).size, 1)
      assert.strictEqual(new Set(posts.map(({ headers }) => headers["x-service-signature"])).size, 6)

      const last = await deployment.row("select status, attempt, next_attempt_at from webhook_deliveries")
      assert.deepStrictEqual(last, { status: "failed", attempt: 6, next_attempt_at: null })
      // The POST of a later trip shows that the dispatcher has polled, and found no other delivery due.
      await deployment.account.through(deployment.api()).post("/trips", trip())
      await until(() => posts.length === 7)
      assert.notStrictEqual(posts[6]?.event.id, posts[0]?.event.id)
      const reported = await query(
        deployment.installation,
        `select reported.attempt from ${attemptRows} where reported.error = 'http 500'`
      )
      assert.isAtLeast(reported.length, 6)
    }
  )
})
