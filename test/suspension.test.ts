/** A suspended business on several nodes of one database. */
import type {
  AssignmentRecord,
  BusinessRecord,
  CreatedEndpointRecord,
  InvoiceRecord,
  LoginResult,
  QuoteRecord,
  TrackingLinkRecord,
  TripRecord
} from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { type Answer, bearer, clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { given } from "./support/MarkedPerson.ts"
import { outcomeOf } from "./support/Program.ts"
import { type Receiver, receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

/** The longest time after which every node refuses a suspended business, in milliseconds. */
const within = 1000

describe("a business that is suspended on one of two nodes", () => {
  let place: Installation
  let ears: Receiver
  let nodes: readonly [Server, Server]
  let account: Account
  let admin: string
  beforeAll(async () => {
    ;[place, ears] = await Promise.all([installation(), receiver()])
    const first = await place.serve()
    const signedUp = await signUp(place, first)
    // No node delivers: an event from before the suspension is still pending after it.
    nodes = [await place.serve(["--only", "api"]), await place.serve(["--only", "api"])]
    account = { ...signedUp, client: signedUp.through(nodes[0]) }
    await first.stop()
    const login = { email: "root@example.com", password: "correct horse battery" }
    const create = ["users", "create", "--name", "Root", "--email", login.email, "--account-type", "S"]
    const { code, stderr } = await place.run(create, { input: `${login.password}\n` })
    assert.strictEqual(code, 0, stderr)
    admin = given(await clientOf(nodes[0].api).post<LoginResult>("/auth/login", login)).access_token
  }, 180_000)
  afterAll(async () => {
    await ears.close()
    await place.remove()
  })

  const set = async (node: Server, action: "suspend" | "activate") => {
    const path = `/admin/businesses/${account.businessId}/suspend`
    return given(await clientOf(node.api, bearer(admin)).post<BusinessRecord>(path, { action }))
  }

  const refusal = ({ body, status }: Answer) => [status, body.error?.type]

  /** Waits until a request is refused, and fails if it still succeeds after {@link within}. */
  const refusedSince = async (since: number, request: () => Promise<Answer>) => {
    await vi.waitUntil(
      async () => {
        const sent = performance.now()
        const answer = await request()
        if (answer.status === 200) assert.isBelow(sent - since, within, "sent later, and not refused")
        return answer.status === 403
      },
      { timeout: 30_000, interval: 20 }
    )
    assert.deepStrictEqual(refusal(await request()), [403, "account_suspended"])
  }

  /** The addresses that need no credential but a link of the business. */
  const links = async () => {
    const { client } = account
    given(
      await client.post<CreatedEndpointRecord>("/webhooks", { url: ears.url, events: ["trip.created"] }),
      201
    )
    const { driver_id } = given(
      await client.post<{ readonly driver_id: number }>("/drivers", { name: "Dan" }),
      201
    )
    const { trip_id } = given(await client.post<TripRecord>("/trips", trip()), 201)
    const { drivers } = given(
      await client.post<AssignmentRecord>(`/trips/${trip_id}/drivers`, { driver_ids: [driver_id] })
    )
    const { token } = given(await client.post<TrackingLinkRecord>(`/trips/${trip_id}/tracking-link`), 201)
    const { payment_hash } = given(
      await client.post<InvoiceRecord>("/invoices", { items: [{ description: "Ride", unit_price: 10 }] }),
      201
    )
    const { quote_id } = given(
      await client.post<QuoteRecord>("/quotes", {
        customer_name: "Ada",
        customer_email: "ada@example.com",
        items: [{ description: "Ride", amount: 90, trip: trip() }]
      }),
      201
    )
    const sent = given(
      await client.post<{ readonly token: string }>(`/quotes/${quote_id}/send`, { email: false })
    )
    const { vendor_slug } = given(await client.get<BusinessRecord>("/business"))
    const page = `/public/businesses/${vendor_slug}`
    const paid = `/public/invoices/${payment_hash}`
    return {
      driver: `/driver/trip?token=${drivers[0]?.driver_token ?? ""}`,
      open: [page, `/public/tracking/${token}`, paid, `/public/quotes/${sent.token}`],
      writes: [
        [`${paid}/pay`, {}],
        [`/public/quotes/${sent.token}/accept`, { name: "Ada" }]
      ] as ReadonlyArray<readonly [string, object]>
    }
  }

  it(
    "is refused by both within a second, its public routes are closed, and its events are still delivered",
    { timeout: 120_000 },
    async () => {
      const { driver, open, writes } = await links()
      const credentials = [account.apiKey, account.accessToken]
      const at = (node: Server, credential?: string) =>
        clientOf(node.api, credential === undefined ? {} : bearer(credential))
      for (const [from, other] of [nodes, [nodes[1], nodes[0]]] as const) {
        for (const node of nodes) {
          for (const credential of credentials)
            await vi.waitUntil(async () => (await at(node, credential).get("/ping")).status === 200, 10_000)
          for (const path of [driver, ...open])
            assert.strictEqual((await at(node).get(path)).status, 200, path)
        }
        assert.strictEqual((await set(from, "suspend")).status, "D")
        const since = performance.now()
        for (const credential of credentials)
          assert.deepStrictEqual(refusal(await at(from, credential).get("/ping")), [403, "account_suspended"])
        await Promise.all([
          ...credentials.map((credential) => refusedSince(since, () => at(other, credential).get("/ping"))),
          refusedSince(since, () => at(other).get(driver))
        ])
        for (const node of nodes) {
          for (const path of open)
            assert.deepStrictEqual(refusal(await at(node).get(path)), [404, "not_found"], path)
          for (const [path, body] of writes)
            assert.deepStrictEqual(refusal(await at(node).post(path, body)), [404, "not_found"], path)
          assert.deepStrictEqual(refusal(await at(node).get(driver)), [403, "account_suspended"])
          // The account itself is not suspended: its user may still act for another business.
          assert.strictEqual((await at(node, account.accessToken).get("/me")).status, 200)
        }
        if (from === nodes[0]) assert.strictEqual((await set(other, "activate")).status, "A")
      }
      assert.lengthOf(ears.notices, 0)
      const dispatcher = place.launch(["serve", "--only", "webhooks"])
      const delivered = await ears.notice(({ event }) => event.type === "trip.created", 20_000)
      assert.strictEqual(delivered.event.meta.business_id, account.businessId)
      dispatcher.signal("SIGTERM")
      assert.deepInclude(await outcomeOf(dispatcher), { code: 0 })
    }
  )

  it("by the command line is refused by both within a second, too", { timeout: 60_000 }, async () => {
    const id = String(account.businessId)
    const command = async (action: string) => {
      const { code, stderr } = await place.command(["businesses", action, id, "--yes"])
      assert.strictEqual(code, 0, stderr)
    }
    const ping = (node: Server) => account.through(node).get("/ping")
    await command("activate")
    for (const node of nodes)
      await vi.waitUntil(async () => (await ping(node)).status === 200, { timeout: 10_000, interval: 20 })
    await command("suspend")
    const since = performance.now()
    await Promise.all(nodes.map((node) => refusedSince(since, () => ping(node))))
  })
})
