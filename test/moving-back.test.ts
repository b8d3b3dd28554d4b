/** A business that moves to another installation, works there, and moves back. */
import { livery } from "@livery/client"
import type {
  CreatedEndpointRecord,
  DriverRecord,
  InvoiceRecord,
  QuoteRecord,
  TrackingLinkRecord,
  TripRecord
} from "@livery/domain"
import { assert, describe, it, vi } from "vitest"
import { trip } from "./support/Account.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { query } from "./support/DatabaseRows.ts"
import { given } from "./support/MarkedPerson.ts"
import { receiver } from "./support/Receiver.ts"
import { type Place, twoInstallations } from "./support/TwoInstallations.ts"

vi.setConfig({ testTimeout: 400_000 })

interface EventRecord {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A program that reads the feed, wherever it is led, and goes on after the last event that it has read. */
const readerOf = (apiKey: string) => {
  const ids: Array<string> = []
  let after: string | undefined
  return {
    ids,
    /** Reads what is new at an address. */
    read: async (api: string) => {
      for (;;) {
        const from = after === undefined ? "" : `?after=${encodeURIComponent(after)}`
        const response = await fetch(`${api}/events${from}`, { headers: bearer(apiKey) })
        const text = await response.text()
        assert.strictEqual(response.status, 200, text)
        const { data, meta } = JSON.parse(text) as {
          readonly data: ReadonlyArray<EventRecord>
          readonly meta: { readonly pagination: { readonly next_after: string; readonly has_more: boolean } }
        }
        ids.push(...data.map(({ id }) => id))
        after = meta.pagination.next_after
        if (!meta.pagination.has_more) return
      }
    }
  }
}

/** Where the old address sends a request. */
const redirectOf = async (api: string, path: string, headers = {}) => {
  const answer = await fetch(`${api}${path}`, { headers, redirect: "manual" })
  await answer.body?.cancel()
  return [answer.status, answer.headers.get("location")]
}

const statusOf = async (url: string, headers = {}) => {
  const answer = await fetch(url, { headers })
  await answer.body?.cancel()
  return answer.status
}

const rowsIn = async ({ place }: Place, table: string, businessId: number, column: string) =>
  (await query(place, `select ${column} as value from ${table} where business_id = ${businessId}`)).map(
    ({ value }) => String(value)
  )

describe("a business that moves back", () => {
  it("has its old id, everything from both homes once, its links, keys, members, webhooks and the place of its feed", async () => {
    const { account, next, old, remove } = await twoInstallations()
    const ears = await receiver()
    try {
      const { apiKey, businessId, client, email, password } = account
      const key = bearer(apiKey)
      const follower = readerOf(apiKey)
      given(
        await client.post<CreatedEndpointRecord>("/webhooks", {
          url: ears.url,
          events: ["trip.created", "invoice.created"]
        }),
        201
      )
      const { driver_id } = given(await client.post<DriverRecord>("/drivers", { name: "Bertha Benz" }), 201)

      /** Books, assigns, offers and bills at the present home. Returns the links that customers and drivers have got. */
      const work = async (api: string, label: string) => {
        const there = clientOf(api, key)
        const { trip_id } = given(
          await there.post<TripRecord>("/trips", { ...trip(), external_ref: label }),
          201
        )
        const assigned = given(
          await there.post<{ readonly drivers: ReadonlyArray<{ readonly driver_token: string }> }>(
            `/trips/${trip_id}/drivers`,
            { driver_ids: [driver_id] }
          )
        )
        const { token } = given(await there.post<TrackingLinkRecord>(`/trips/${trip_id}/tracking-link`), 201)
        const { quote_id } = given(
          await there.post<QuoteRecord>("/quotes", {
            customer_name: label,
            customer_email: "quoted@example.com",
            items: [{ description: label, trip: trip(), amount: 240 }]
          }),
          201
        )
        const quote = given(
          await there.post<{ readonly token: string }>(`/quotes/${quote_id}/send`, { email: false })
        )
        const { invoice_id, payment_hash } = given(
          await there.post<InvoiceRecord>("/invoices", { items: [{ description: label, unit_price: 10 }] }),
          201
        )
        given(
          await there.post(`/invoices/${invoice_id}/payments`, {
            amount: 4,
            method: "cash",
            reference: label
          }),
          201
        )
        return [
          `/public/tracking/${token}`,
          `/public/invoices/${payment_hash}`,
          `/public/quotes/${quote.token}`,
          `/driver/trip?token=${assigned.drivers[0]?.driver_token ?? ""}`
        ]
      }
      const move = async (from: Place, to: Place, business: number, ...more: ReadonlyArray<string>) => {
        const args = ["--business", String(business)]
        const text = await from.done("move", ...args, "--to", to.url, "--yes", "--json", ...more)
        await from.done("move", ...args, "--finish", "--yes")
        return JSON.parse(text) as { readonly business_id: number; readonly slug: string }
      }
      const allDelivered = async (count: number) => {
        await vi.waitUntil(() => ears.notices.length >= count, { timeout: 60_000, interval: 50 })
      }

      const links = [...(await work(old.server.api, "first"))]
      await follower.read(old.server.api)
      await allDelivered(2)
      const away = await move(old, next, businessId, "--slug", "hopper-cars-two")
      links.push(...(await work(next.server.api, "second")))
      await follower.read(next.server.api)
      await next.done("users", "assign", "1", String(away.business_id))
      await allDelivered(4)

      const back = await move(next, old, away.business_id, "--slug", "hopper-cars")
      assert.deepStrictEqual([back.business_id, back.slug], [businessId, "hopper-cars"])
      links.push(...(await work(old.server.api, "third")))
      await follower.read(old.server.api)
      await allDelivered(6)

      assert.sameMembers(await rowsIn(old, "trips", businessId, "external_ref"), ["first", "second", "third"])
      assert.sameMembers(await rowsIn(old, "payments", businessId, "reference"), ["first", "second", "third"])
      const numbers = await rowsIn(old, "invoices", businessId, "number")
      assert.strictEqual(new Set(numbers).size, 3, numbers.join())
      assert.strictEqual((await old.done("check", "money")).length > 0, true)
      assert.deepStrictEqual(await rowsIn(next, "trips", away.business_id, "trip_id"), [])

      for (const path of links) {
        assert.deepStrictEqual(await redirectOf(next.server.api, path), [308, `${old.server.api}${path}`])
        assert.strictEqual(await statusOf(`${old.server.api}${path}`), 200, path)
      }
      assert.deepStrictEqual(await redirectOf(next.server.api, "/trips?per_page=1", key), [
        308,
        `${old.server.api}/trips?per_page=1`
      ])
      assert.deepStrictEqual(await redirectOf(next.server.api, "/public/businesses/hopper-cars-two"), [
        308,
        `${old.server.api}/public/businesses/hopper-cars`
      ])
      assert.strictEqual(await statusOf(`${old.server.api}/public/businesses/hopper-cars`), 200)

      const { access_token } = await livery({ baseUrl: old.server.api }).auth.login({ email, password })
      assert.strictEqual(await statusOf(`${old.server.api}/trips`, bearer(access_token)), 200)

      const delivered = ears.notices.map(({ event }) => event.id)
      assert.strictEqual(new Set(delivered).size, 6, "each event once")
      assert.includeMembers(follower.ids, delivered)
      assert.strictEqual(new Set(follower.ids).size, follower.ids.length, "no event twice in the feed")
    } finally {
      await ears.close()
      await remove()
    }
  })
})
