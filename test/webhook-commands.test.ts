import type { CreatedEndpointRecord, Delivery } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { bearer } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { receiver, status } from "./support/Receiver.ts"
import { sendTo } from "./support/Refusal.ts"
import { query } from "./support/DatabaseRows.ts"
import type { Server } from "./support/Server.ts"

describe("livery webhooks", () => {
  let place: Installation
  let server: Server
  let account: Account
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
  })
  afterAll(() => place.remove())

  it("lists deliveries and sends a failed one again, with an audit entry", async () => {
    const ears = await receiver()
    try {
      ears.answerWith(status(500))
      const subscribed = await account.client.post<CreatedEndpointRecord>("/webhooks", {
        url: ears.url,
        events: ["trip.created"]
      })
      const { endpoint_id } = subscribed.body.data
      const switchTo = (standing: string) =>
        sendTo(`${server.api}/webhooks/${endpoint_id}`, {
          method: "PATCH",
          headers: { ...bearer(account.apiKey), "Content-Type": "application/json" },
          body: JSON.stringify({ status: standing })
        })
      await account.client.post("/trips", trip())
      const { event } = await ears.notice(() => true)
      assert.strictEqual((await switchTo("disabled")).status, 200)
      const business = ["--business", String(account.businessId)]
      const deliveries = ["webhooks", "deliveries", String(endpoint_id), ...business]

      const listed = await place.run([...deliveries, "--json"])
      assert.strictEqual(listed.code, 0, listed.stderr)
      const { deliveries: reported } = JSON.parse(listed.stdout) as {
        readonly deliveries: ReadonlyArray<Delivery>
      }
      assert.lengthOf(reported, 1)
      assert.deepInclude(reported[0], {
        event_id: event.id,
        status: "failed",
        last_error: "endpoint disabled"
      })
      const id = String(reported[0]?.delivery_id)
      const line = await place.command(deliveries)
      assert.match(
        line.stdout,
        new RegExp(
          `^ID +CREATED +TYPE .*\\n${id} .* trip\\.created  ${event.id}  failed  1 +- +endpoint disabled\\n$`,
          "u"
        )
      )
      assert.strictEqual((await place.command([...deliveries, "--status", "pending"])).stdout, "None\n")

      const early = await place.command(["webhooks", "retry", id, ...business])
      assert.strictEqual(early.code, 1)
      assert.match(early.stderr, /^conflict: [^\n]+\n$/u)
      assert.strictEqual((await switchTo("enabled")).status, 200)
      ears.answerWith(status(204))
      const retried = await place.run(["webhooks", "retry", id, ...business, "--json"])
      assert.strictEqual(retried.code, 0, retried.stderr)
      const again = JSON.parse(retried.stdout) as Delivery
      assert.deepInclude(again, { event_id: event.id, status: "pending" })
      await ears.notice((notice) => notice !== ears.notices[0] && notice.event.id === event.id)

      const audit = await query(place, "select * from audit_log where action = 'webhook_delivery.retried'")
      assert.lengthOf(audit, 1)
      assert.include(JSON.stringify(audit), `webhook_delivery:${id}`)
      assert.include(JSON.stringify(audit), "cli:")
    } finally {
      await ears.close()
    }
  })

  it.for([
    [["deliveries", "999999"], 1, "not_found: "],
    [["retry", "999999"], 1, "not_found: "],
    [["retry", "x"], 2, ""],
    [["deliveries", "1", "--status", "lost"], 2, ""],
    [["deliveries", "1", "--page", "0"], 2, ""]
  ] as const)("refuses %j with %d", async ([args, code, type]) => {
    const refused = await place.command(["webhooks", ...args, "--business", String(account.businessId)])
    assert.strictEqual(refused.code, code, refused.stderr)
    assert.isTrue(refused.stderr.startsWith(type), refused.stderr)
  })
})
