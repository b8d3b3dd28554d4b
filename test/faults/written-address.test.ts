import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { trip } from "../support/Account.ts"
import { query, attemptRows } from "../support/DatabaseRows.ts"
import { type Deployment, deploy, until } from "./support/Deployment.ts"

describe("a forbidden address", () => {
  let deployment: Deployment
  let reached = 0
  const canary = createServer((socket) => {
    reached += 1
    socket.on("error", () => undefined).destroy()
  })
  let port = 0
  beforeAll(async () => {
    canary.listen(0, "127.0.0.1")
    await once(canary, "listening")
    port = (canary.address() as AddressInfo).port
    deployment = await deploy({ settings: { WEBHOOKS_ALLOW_INSECURE: "false" } })
  })
  afterAll(async () => {
    await deployment.close()
    canary.close()
  })

  it("is refused by the API", async () => {
    for (const url of [`https://127.0.0.1:${port}/`, `http://receiver.example/`, `https://10.0.0.1/`]) {
      const answer = await deployment.account
        .through(deployment.api())
        .post("/webhooks", { url, events: ["trip.created"] })
      assert.strictEqual(answer.status, 422, url)
    }
  })

  it(
    "is not called by the dispatcher if it was written into the database, and open and closed ports give the same error",
    { timeout: 60_000 },
    async () => {
      const urls = [
        `https://127.0.0.1:${port}/`,
        `http://127.0.0.1:${port}/`,
        `https://localhost:${port}/`,
        `https://[::ffff:127.0.0.1]:${port}/`,
        "https://127.0.0.1:9/",
        `https://user:secret@127.0.0.1:${port}/`,
        "file:///etc/passwd"
      ]
      for (const url of urls) {
        const id = await deployment.subscribe(["trip.created"], undefined, "https://receiver.example/")
        await query(
          deployment.installation,
          `update webhook_endpoints set url = '${url}' where endpoint_id = ${id}`
        )
      }
      await deployment.account.through(deployment.api()).post("/trips", trip())
      deployment.startDispatcher()
      const tried = `select count(*)::int as count from ${attemptRows}`
      await until(async () => (await deployment.row(tried))["count"] === urls.length)
      const rows = await query(
        deployment.installation,
        "select last_error, status, attempt, response_status from webhook_deliveries group by 1, 2, 3, 4"
      )
      assert.deepStrictEqual(rows, [
        { last_error: "address not allowed", status: "pending", attempt: 1, response_status: null }
      ])
      assert.strictEqual(reached, 0)
    }
  )
})
