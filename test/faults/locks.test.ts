import { EmbeddedPostgres } from "@livery/persistence"
import { Effect, Exit, Redacted, Scope } from "effect"
import { Client } from "pg"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { trip } from "../support/Account.ts"
import { receiver, status } from "../support/Receiver.ts"
import { office, until } from "./support/Office.ts"

describe("a lock on the rows of one business delays the webhooks of no other:", () => {
  let here: Awaited<ReturnType<typeof office>>
  let scope: Scope.Closeable
  let client: Client
  beforeEach(async () => {
    here = await office()
    scope = Scope.makeUnsafe()
    const { databaseUrl, directory } = here.place
    const url =
      databaseUrl ??
      Redacted.value(
        (await Effect.runPromise(Scope.provide(scope)(EmbeddedPostgres.open({ directory })))).url
      )
    client = new Client({ connectionString: url })
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await here.close()
  })

  const book = async (account = here.account) => {
    const booked = await account.through(here.api()).post("/trips", trip())
    assert.strictEqual(booked.status, 201, booked.text)
  }
  const lock = (statement: string) => client.query(`begin; ${statement}`)
  const unlock = () => client.query("commit")

  /** Two deliveries of this business are under way, and wait for their answer. Returns the function that answers. */
  const twoUnderWay = async () => {
    const endpointId = await here.subscribe(["trip.created"])
    const answers: Array<() => void> = []
    here.receiver.answerWith((notice, response) => {
      answers.push(() => status(204)(notice, response))
    })
    here.dispatcher()
    await book()
    await book()
    await until(() => answers.length === 2)
    return { endpointId, answer: () => answers.splice(0).forEach((send) => send()) }
  }

  const delivered = async () =>
    (await here.one("select count(*)::int as count from webhook_deliveries where status = 'delivered'"))[
      "count"
    ]

  /** Ten events of the other business arrive, and their results are written. */
  const otherArrives = async () => {
    const other = await receiver()
    try {
      await here.subscribe(["trip.created"], here.other, other.url)
      for (let count = 1; count <= 10; count++) {
        await book(here.other)
        await until(() => other.notices.length === count, 30)
      }
      await until(async () => Number(await delivered()) >= 10, 30)
    } finally {
      await other.close()
    }
  }
  for (const [title, statement] of [
    [
      "of a delivery whose result is to be written",
      "select from webhook_deliveries order by delivery_id limit 1 for update"
    ],
    ["of the endpoint", "select from webhook_endpoints for update"]
  ] as const)
    it(`SELECT … FOR UPDATE by hand, ${title}`, { timeout: 90_000 }, async () => {
      const { answer } = await twoUnderWay()
      await lock(statement)
      answer()
      await otherArrives()
      await unlock()
      await until(async () => (await delivered()) === 12)
      assert.lengthOf(here.receiver.notices, 2, "each was sent once")
    })

  it("an API that is stopped in the middle of PATCH /webhooks/{id}", { timeout: 90_000 }, async () => {
    const { answer, endpointId } = await twoUnderWay()
    // The PATCH waits for this lock with the endpoint and a delivery locked, and commits only when the API goes on.
    await lock("select from webhook_deliveries order by delivery_id desc limit 1 for update")
    const patched = here.account.through(here.api()).patch(`/webhooks/${endpointId}`, { status: "disabled" })
    const waiting =
      "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    await until(async () => (await here.one(waiting))["count"] === 1)
    // Events of the other business need the API: they are there already, and due once it is stopped.
    const other = await receiver()
    await here.subscribe(["trip.created"], here.other, other.url)
    await Promise.all(Array.from({ length: 10 }, () => book(here.other)))
    await until(() => other.notices.length === 10, 30)
    await until(async () => (await delivered()) === 10, 30)
    here.api().program.signal("SIGSTOP")
    await unlock()
    await until(async () => (await here.one(waiting))["count"] === 0)
    answer()
    await client.query(
      "insert into webhook_deliveries (business_id, endpoint_id, event_id, event_type) select business_id, endpoint_id, event_id, event_type from webhook_deliveries where status = 'delivered'"
    )
    await until(() => other.notices.length === 20, 30)
    await until(async () => Number(await delivered()) >= 20, 30)
    here.api().program.signal("SIGCONT")
    const { status: code, text } = await patched
    assert.strictEqual(code, 200, text)
    await other.close()
  })
})
