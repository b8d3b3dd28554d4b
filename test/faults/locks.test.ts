import { Client } from "pg"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { trip } from "../support/Account.ts"
import { receiver, status } from "../support/Receiver.ts"
import { deploy, until } from "./support/Deployment.ts"

describe("a lock on rows of one business delays the webhooks of no other business", () => {
  let deployment: Awaited<ReturnType<typeof deploy>>
  let client: Client
  beforeEach(async () => {
    deployment = await deploy()
    client = new Client({ connectionString: deployment.installation.databaseUrl })
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await deployment.close()
  })

  const book = async (account = deployment.account) => {
    const booked = await account.through(deployment.api()).post("/trips", trip())
    assert.strictEqual(booked.status, 201, booked.text)
  }
  const lock = (statement: string) => client.query(`begin; ${statement}`)
  const unlock = () => client.query("commit")

  /** Starts two attempts of this business whose responses are withheld. Returns the function that responds to them. */
  const twoUnderWay = async () => {
    const endpointId = await deployment.subscribe(["trip.created"])
    const answers: Array<() => void> = []
    deployment.receiver.answerWith((notice, response) => {
      answers.push(() => status(204)(notice, response))
    })
    deployment.startDispatcher()
    await book()
    await book()
    await until(() => answers.length === 2)
    return { endpointId, answer: () => answers.splice(0).forEach((send) => send()) }
  }

  const delivered = async () =>
    (
      await deployment.row("select count(*)::int as count from webhook_deliveries where status = 'delivered'")
    )["count"]

  /** Emits ten events of the other business, and waits until they have arrived and their results are written. */
  const deliverOthers = async () => {
    const other = await receiver()
    try {
      await deployment.subscribe(["trip.created"], deployment.other, other.url)
      for (let count = 1; count <= 10; count++) {
        await book(deployment.other)
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
    it(`if a session holds SELECT … FOR UPDATE ${title}`, { timeout: 90_000 }, async () => {
      const { answer } = await twoUnderWay()
      await lock(statement)
      answer()
      await deliverOthers()
      await unlock()
      await until(async () => (await delivered()) === 12)
      assert.lengthOf(deployment.receiver.notices, 2, "each was sent once")
    })

  it("if the API is stopped in the middle of PATCH /webhooks/{id}", { timeout: 90_000 }, async () => {
    const { answer, endpointId } = await twoUnderWay()
    // The PATCH waits for this lock while it has locked the endpoint and a delivery. It commits once the API continues.
    await lock("select from webhook_deliveries order by delivery_id desc limit 1 for update")
    const patched = deployment.account
      .through(deployment.api())
      .patch(`/webhooks/${endpointId}`, { status: "disabled" })
    const waiting =
      "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    await until(async () => (await deployment.row(waiting))["count"] === 1)
    // Only the API makes events, so those of the other business are made before it is stopped.
    const other = await receiver()
    await deployment.subscribe(["trip.created"], deployment.other, other.url)
    await Promise.all(Array.from({ length: 10 }, () => book(deployment.other)))
    await until(() => other.notices.length === 10, 30)
    await until(async () => (await delivered()) === 10, 30)
    deployment.api().program.signal("SIGSTOP")
    await unlock()
    await until(async () => (await deployment.row(waiting))["count"] === 0)
    answer()
    await client.query(
      "insert into webhook_deliveries (business_id, endpoint_id, event_id, event_type) select business_id, endpoint_id, event_id, event_type from webhook_deliveries where status = 'delivered'"
    )
    await until(() => other.notices.length === 20, 30)
    await until(async () => Number(await delivered()) >= 20, 30)
    deployment.api().program.signal("SIGCONT")
    const { status: code, text } = await patched
    assert.strictEqual(code, 200, text)
    await other.close()
  })
})
