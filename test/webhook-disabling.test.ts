import type { CreatedEndpointRecord, Delivery, EndpointRecord } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { answerOf, bearer } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

describe("an endpoint that is disabled or deleted, with two dispatchers at work", () => {
  let place: Installation
  let server: Server
  let account: Account
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    place.launch(["serve", "--only", "webhooks"])
    account = await signUp(place, server)
  })
  afterAll(() => place.remove())

  const subscribe = async (url: string) => {
    const made = await account.client.post<CreatedEndpointRecord>("/webhooks", {
      url,
      events: ["trip.created"]
    })
    assert.strictEqual(made.status, 201, made.text)
    const path = `/webhooks/${made.body.data.endpoint_id}`
    const change = async (method: string, body?: object) => {
      const headers = { ...bearer(account.apiKey), "Content-Type": "application/json" }
      const answer = await answerOf<EndpointRecord>(
        await fetch(`${server.api}${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
      assert.strictEqual(answer.status, 200, answer.text)
      return performance.now()
    }
    return { path, change }
  }
  const book = (count: number) =>
    Promise.all(Array.from({ length: count }, () => account.client.post("/trips", trip())))

  it("gets no POST after the response, whichever dispatcher had claimed it; enabled again, it gets new events", async () => {
    const ears = await receiver()
    try {
      ears.answerWith((_notice, response) => {
        // Slow enough that there is always something under way.
        setImmediate(() => setImmediate(() => response.writeHead(204).end()))
      })
      const { change, path } = await subscribe(ears.url)
      let answered = 0
      for (let round = 0; round < 12; round++) {
        const booking = book(20)
        await ears.notice(({ at }) => at > answered)
        answered = await change("PATCH", { status: "disabled" })
        const received = ears.notices.length
        await booking
        // Both dispatchers look at their queue while a later event goes its way.
        const canary = await receiver()
        const other = await subscribe(canary.url)
        await book(1)
        await canary.notice(() => true)
        await other.change("DELETE")
        await canary.close()
        assert.lengthOf(
          ears.notices.filter(({ at }) => at > answered),
          0,
          `round ${round}`
        )
        assert.lengthOf(ears.notices, received)
        const { body } = await account.client.get<ReadonlyArray<Delivery>>(
          `${path}/deliveries?status=pending`
        )
        assert.isEmpty(body.data)
        await change("PATCH", { status: "enabled" })
      }
    } finally {
      await ears.close()
    }
  })

  it("responds only when attempts under way have ended, and fails the others at once", async () => {
    const ears = await receiver()
    try {
      let release = () => {}
      ears.answerWith((_notice, response) => {
        release = () => response.writeHead(204).end()
      })
      const { change, path } = await subscribe(ears.url)
      await book(1)
      await ears.notice(() => true)
      let answeredAt: number | undefined
      const deleting = change("DELETE").then((at) => (answeredAt = at))
      for (let gone = false; !gone;) gone = (await account.client.get(path)).status === 404
      assert.isUndefined(answeredAt)
      release()
      await deleting
      assert.lengthOf(ears.notices, 1)
    } finally {
      await ears.close()
    }
  })
})
