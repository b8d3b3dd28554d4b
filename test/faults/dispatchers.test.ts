import { readFile } from "node:fs/promises"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { trip } from "../support/Account.ts"
import type { Program } from "../support/Program.ts"
import { receiver, status } from "../support/Receiver.ts"
import { query, attemptRows, expireClaims } from "../support/DatabaseRows.ts"
import { extent, isFull } from "./support/Extent.ts"
import { deploy, until } from "./support/Deployment.ts"

const stand = "select status, attempt, last_error, claim_id is null as free from webhook_deliveries"

/** The failed attempts in the log of a process: the attempt, the error and the state of the delivery. */
const loggedFailures = (program: Program) =>
  program
    .stderr()
    .split("\n")
    .filter((line) => line.includes('"A webhook attempt failed"'))
    .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
    .map(({ attempt, error, status }) => [attempt, error, status])

/** Whether Linux has stopped a process. */
const isStopped = async (pid: number) => /^State:\s+T/mu.test(await readFile(`/proc/${pid}/status`, "utf8"))

describe("dispatcher processes", () => {
  let deployment: Awaited<ReturnType<typeof deploy>>
  beforeEach(async () => {
    deployment = await deploy()
  })
  afterEach(() => deployment.close())

  const book = async () => {
    const booked = await deployment.account.through(deployment.api()).post("/trips", trip())
    assert.strictEqual(booked.status, 201, booked.text)
  }
  const posts = () => deployment.receiver.notices

  it("killed between the POST and its record, six times: sends again with the same id, and never a seventh time", async () => {
    await deployment.subscribe(["trip.created"])
    deployment.receiver.answerWith(() => undefined)
    await book()
    const started: Array<Program> = []
    for (let attempt = 1; attempt <= 6; attempt++) {
      const dispatcher = deployment.startDispatcher()
      started.push(dispatcher)
      await until(() => posts().length === attempt)
      dispatcher.signal("SIGKILL")
      await dispatcher.ended
      const row = await deployment.row(stand)
      assert.deepStrictEqual(
        [row["status"], row["attempt"], row["free"]],
        ["pending", attempt, false],
        "the attempt is counted, and the killed process still has the claim"
      )
      // Moves the row's time instead of waiting for the lease of 90 seconds or more.
      await expireClaims(deployment.installation)
    }
    const last = deployment.startDispatcher()
    started.push(last)
    await until(async () => (await deployment.row(stand))["status"] === "failed")
    // A process writes the log line after the row.
    await until(() => loggedFailures(last).length > 0)
    assert.strictEqual(posts().length, 6)
    assert.deepStrictEqual(
      started.map((dispatcher) => loggedFailures(dispatcher)),
      [1, 2, 3, 4, 5, 6, 7].map((nth) =>
        nth === 1 ? [] : [[nth - 1, "no result: the dispatcher stopped", nth < 7 ? "pending" : "failed"]]
      ),
      "each process logs the attempt of the one before it"
    )
    for (const key of ["x-service-delivery", "content-length"])
      assert.strictEqual(new Set(posts().map(({ headers }) => headers[key])).size, 1, key)
    assert.strictEqual(new Set(posts().map(({ raw }) => raw)).size, 1)
    const attempts = await query(
      deployment.installation,
      `select reported.attempt from ${attemptRows} order by reported.attempt`
    )
    assert.deepStrictEqual(
      attempts.map(({ attempt }) => attempt),
      [1, 2, 3, 4, 5, 6]
    )
  }, 120_000)

  it.runIf(isFull)(
    "killed after the POST: sends again after 60 to 120 s of the real clock",
    async () => {
      await deployment.subscribe(["trip.created"])
      deployment.receiver.answerWith(() => undefined)
      const dispatcher = deployment.startDispatcher()
      await book()
      await until(() => posts().length === 1)
      dispatcher.signal("SIGKILL")
      await dispatcher.ended
      deployment.receiver.answerWith(status(204))
      deployment.startDispatcher()
      await until(() => posts().length === 2, 150)
      const [first, second] = posts()
      const seconds = ((second?.at ?? 0) - (first?.at ?? 0)) / 1000
      process.stdout.write(`sent again after ${seconds.toFixed(1)} s\n`)
      assert.isAtLeast(seconds, 60)
      assert.isAtMost(seconds, 120)
      assert.strictEqual(first?.event.id, second?.event.id)
    },
    200_000
  )

  it("stopped past its lease and continued: its late result changes nothing", async () => {
    await deployment.subscribe(["trip.created"])
    const frozen = deployment.startDispatcher()
    let isFirst = true
    deployment.receiver.answerWith((notice, response) => {
      if (!isFirst) return status(503)(notice, response)
      isFirst = false
      frozen.signal("SIGSTOP")
      // The stopped process does not read the acknowledgement from its socket.
      status(204)(notice, response)
    })
    await book()
    await until(() => posts().length === 1)
    await expireClaims(deployment.installation)
    deployment.startDispatcher()
    await until(async () => (await deployment.row(stand))["last_error"] === "http 503")
    const before = await deployment.row("select * from webhook_deliveries")
    assert.deepStrictEqual([before["attempt"], before["status"]], [2, "pending"])
    frozen.signal("SIGCONT")
    await until(() => frozen.stderr().includes("came after their claims had ended"))
    assert.deepStrictEqual(await deployment.row("select * from webhook_deliveries"), before)
    const attempts = await query(
      deployment.installation,
      `select reported.response_status from ${attemptRows} order by reported.attempt`
    )
    assert.deepStrictEqual(
      attempts.map(({ response_status }) => response_status),
      [null, 503],
      "its recorded attempts are unchanged"
    )
  }, 60_000)

  it("stopped between signing and sending while its endpoint is disabled: sends nothing after the answer", async () => {
    const endpointId = await deployment.subscribe(["trip.created"])
    const canary = await receiver()
    await deployment.subscribe(["trip.created"], deployment.other, canary.url)
    const preload = new URL("support/StopBeforeSending.ts", import.meta.url)
    const dispatcher = deployment.startDispatcher({ NODE_OPTIONS: `--import=${preload.href}` })
    try {
      await book()
      await until(() => posts().length === 1)
      dispatcher.signal("SIGUSR2")
      await book()
      await until(() => isStopped(dispatcher.pid))
      const disabled = await deployment.account
        .through(deployment.api())
        .patch(`/webhooks/${endpointId}`, { status: "disabled" })
      assert.strictEqual(disabled.status, 200, disabled.text)
      dispatcher.signal("SIGCONT")
      const booked = await deployment.other.through(deployment.api()).post("/trips", trip())
      assert.strictEqual(booked.status, 201, booked.text)
      await until(() => canary.notices.length === 1)
      assert.lengthOf(posts(), 1)
    } finally {
      await canary.close()
    }
  }, 90_000)

  const deliveries = extent(20_000, 2_000)

  it(`four of them without a fault attempt each of ${deliveries} deliveries once`, async () => {
    const endpoints = 20
    for (let count = 0; count < endpoints; count++) await deployment.subscribe(["trip.created"])
    const four = Array.from({ length: 4 }, () => deployment.startDispatcher())
    const { businessId } = deployment.account
    // In four parts, so that each dispatcher claims some.
    for (const part of [1, 2, 3, 4])
      await query(
        deployment.installation,
        `with made as (
             insert into events (business_id, event_id, event_type, body)
             select ${businessId}, 'evt_' || ${part} || '_' || n, 'trip.created',
               '{"id":"evt_' || ${part} || '_' || n || '","type":"trip.created"}'
             from generate_series(1, ${deliveries / endpoints / 4}) n returning business_id, event_id
           )
           insert into webhook_deliveries (business_id, endpoint_id, event_id, event_type)
           select business_id, endpoint_id, event_id, 'trip.created' from made join webhook_endpoints using (business_id)`
      )
    const pending = "select count(*)::int as count from webhook_deliveries where status = 'pending'"
    await until(async () => (await deployment.row(pending))["count"] === 0, 300)
    const rows = await query(
      deployment.installation,
      "select status, attempt, count(*)::int as count from webhook_deliveries group by 1, 2"
    )
    assert.deepStrictEqual(rows, [{ status: "delivered", attempt: 1, count: deliveries }])
    assert.strictEqual(posts().length, deliveries, "one POST for each")
    const reported = await deployment.row(`select count(*)::int as count from ${attemptRows}`)
    assert.strictEqual(reported["count"], deliveries)
    const perEvent = Map.groupBy(posts(), ({ event }) => event.id)
    assert.strictEqual(perEvent.size, deliveries / endpoints)
    for (const [id, notices] of perEvent) assert.strictEqual(notices.length, endpoints, id)
    for (const dispatcher of four) {
      dispatcher.signal("SIGTERM")
      assert.strictEqual((await dispatcher.ended).code, 0)
    }
  }, 400_000)
})
