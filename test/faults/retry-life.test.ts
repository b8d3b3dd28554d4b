import { RetryPolicy } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { trip } from "../support/Account.ts"
import { status } from "../support/Receiver.ts"
import { query, attemptRows } from "../support/DatabaseRows.ts"
import { isFull } from "./support/Extent.ts"
import { type Office, office, until } from "./support/Office.ts"

/** Seconds that are left of each wait once the clock was moved: more than one, since signatures tell the second. */
const watched = 1.2

describe("the whole life of a delivery that is refused, in real time with the rows' clock moved on", () => {
  let here: Office
  beforeAll(async () => {
    here = await office()
  })
  afterAll(() => here.close())

  it(
    "six POSTs, gaps never under 60, 120, 240, 480, 960 s, then failed and left alone",
    { timeout: 300_000 },
    async () => {
      await here.subscribe(["trip.created"])
      here.receiver.answerWith(status(500))
      here.dispatcher()
      await here.account.through(here.api()).post("/trips", trip())
      const posts = here.receiver.notices
      /** When each POST came, with all the time that was skipped before it. */
      const times: Array<number> = []
      let skipped = 0
      for (let attempt = 1; attempt <= 6; attempt++) {
        await until(() => posts.length === attempt)
        times.push((posts[attempt - 1]?.at ?? 0) / 1000 + skipped)
        if (attempt === 6) break
        await until(
          async () =>
            (await here.one("select claim_id is null as free from webhook_deliveries"))["free"] === true
        )
        const row = await here.one(`update webhook_deliveries d set next_attempt_at = clock_timestamp()
          + make_interval(secs => ${watched})
        from (select extract(epoch from next_attempt_at - clock_timestamp())::float8 as wait
          from webhook_deliveries) before
        returning before.wait - ${watched} as skipped`)
        skipped += Number(row["skipped"])
      }
      await until(
        async () => (await here.one("select status from webhook_deliveries"))["status"] === "failed"
      )
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
      process.stdout.write(`gaps: ${gaps.map((gap) => gap.toFixed(1)).join(", ")} s\n`)
      for (const [index, floor] of RetryPolicy.minimumWaits.entries()) {
        assert.isAtLeast(gaps[index] ?? 0, floor)
        // The jitter, the interval of the polls and the response; more beside all other tests of a run.
        assert.isAtMost(gaps[index] ?? 0, floor * 1.1 + (isFull ? 3 : 60))
      }
      assert.strictEqual(new Set(posts.map(({ headers }) => headers["x-service-delivery"])).size, 1)
      assert.strictEqual(new Set(posts.map(({ raw }) => raw)).size, 1)
      assert.strictEqual(new Set(posts.map(({ headers }) => headers["x-service-signature"])).size, 6)

      const last = await here.one("select status, attempt, next_attempt_at from webhook_deliveries")
      assert.deepStrictEqual(last, { status: "failed", attempt: 6, next_attempt_at: null })
      // Another trip comes after it, and its POST shows that the dispatcher has looked and found nothing else.
      await here.account.through(here.api()).post("/trips", trip())
      await until(() => posts.length === 7)
      assert.notStrictEqual(posts[6]?.event.id, posts[0]?.event.id)
      const reported = await query(
        here.place,
        `select reported.attempt from ${attemptRows} where reported.error = 'http 500'`
      )
      assert.isAtLeast(reported.length, 6)
    }
  )
})
