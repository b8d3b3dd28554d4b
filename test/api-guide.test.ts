import { Api } from "@livery/contract"
import { OpenApi } from "effect/http-api"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Document } from "../scripts/client/ApiDocument.ts"
import { guidePages, withoutSample } from "../scripts/reference/GuidePages.ts"
import { referenceOf } from "../scripts/reference/ReferenceData.ts"
import { type Account, signUp } from "./support/Account.ts"
import { withResponses } from "./support/ApiGuide.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { codeFor } from "./support/Mail.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

const root = join(import.meta.dirname, "..")
const pages = globSync("docs/api/{,samples/}*.md", { cwd: root }).sort()

/** `npm run docs:write` stores the responses in the pages. */
const writes = process.env["LIVERY_WRITE_DOCS"] === "true"

let place: Installation
let server: Server
let adminToken: string
let couponId: number

beforeAll(async () => {
  place = await installation({
    embedded: "copied",
    settings: {
      APP_URL: "https://book.livery.example",
      WEBHOOKS_ALLOW_INSECURE: "false",
      RATE_LIMIT_BUSINESS: "600"
    }
  })
  server = await place.serve(["--sandbox"])
  const email = "root@livery.example"
  const made = await place.run(
    ["users", "create", "--name", "Root", "--email", email, "--account-type", "S"],
    { input: "correct horse battery\n" }
  )
  assert.strictEqual(made.code, 0, made.stderr)
  const { body } = await clientOf(server.api).post<{ access_token: string }>("/auth/login", {
    email,
    password: "correct horse battery"
  })
  adminToken = body.data.access_token
  const coupon = ["coupons", "create", "WELCOME", "--percent-off", "20", "--duration", "once"]
  const { stdout } = await place.command([...coupon, "--json"])
  couponId = JSON.parse(stdout).coupon_id
})
afterAll(() => place.remove())

/** Records an invoice of the platform to a business, and returns its id. */
const platformInvoice = async (business_id: number): Promise<number> => {
  const lines = [{ description: "Fleet", unit_price: 40 }]
  const invoice = { number: "P-1", business_id, currency: "CHF", issued_on: "2026-11-20", lines }
  const { code, stderr, stdout } = await place.run(["invoices", "record", "--json"], {
    input: JSON.stringify(invoice)
  })
  assert.strictEqual(code, 0, stderr)
  return JSON.parse(stdout).saas_invoice_id
}

/** What the examples of a page begin with: a business on the plan `fleet`, and a record of each kind. */
const startOf = async (
  { accessToken, apiKey, businessId, client, email, password }: Account,
  name: string
) => {
  const admin = clientOf(server.api, bearer(adminToken))
  const ok = async (answer: ReturnType<typeof client.get>) => {
    const { body, status, text } = await answer
    assert.isBelow(status, 300, text)
    return body.data as Record<string, unknown>
  }
  await ok(admin.patch(`/admin/businesses/${businessId}`, { subscription_plan_id: 3 }))
  await ok(admin.post(`/admin/businesses/${businessId}/credits`, { credits: 100, reason: "Examples" }))
  await ok(
    client.patch("/settings/business", {
      business_name: "Lovelace Limousines",
      business_email: "office@lovelace.example",
      vendor_slug: `lovelace-${name.toLowerCase()}`,
      currency: "CHF",
      timezone: "Europe/Zurich",
      country: "CH"
    })
  )
  const { car_id } = await ok(client.post("/cars", { name: "S 400", vehicle_class: "sedan", seats: 3 }))
  const { driver_id } = await ok(client.post("/drivers", { name: "Grace Hopper" }))
  const { customer_id } = await ok(
    client.post("/customers", { name: "Charles Babbage", email: "charles@babbage.example" })
  )
  const { trip_id } = await ok(
    client.post("/trips", {
      trip_date: "2030-12-20T09:00:00",
      pickup_address: "Airport, Terminal 1",
      dropoff_address: "Grand Hotel",
      customer_id,
      total_amount: 129.5
    })
  )
  return {
    access_token: accessToken,
    admin_token: adminToken,
    api_key: apiKey,
    business_id: businessId,
    email,
    password,
    car_id,
    driver_id,
    customer_id,
    trip_id,
    slug: `lovelace-${name.toLowerCase()}`,
    now: new Date().toISOString(),
    coupon_id: couponId,
    ...(name === "platform" ? { saas_invoice_id: await platformInvoice(businessId) } : {})
  }
}

it("the reference shows a response that a server sent for every operation, or the reason for none is stated", () => {
  const document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api))) as Document
  const operations = referenceOf(document, guidePages()).groups.flatMap((group) => group.operations)
  assert.isAbove(operations.length, 180)
  assert.sameMembers(
    operations.filter(({ example }) => example.isMade).map(({ id }) => id),
    Object.keys(withoutSample)
  )
})

describe("the API guide", () => {
  it.each(pages)("%s shows the responses that the server gives", async (page) => {
    const name = page.replace(/.*\/(?<name>[\w-]+)\.md$/u, "$<name>")
    const text = readFileSync(join(root, page), "utf8")
    const start = await startOf(await signUp(place, server), name)
    const current = await withResponses(text, server.address, start, (mailbox, known) =>
      codeFor(place.directory, mailbox, known)
    )
    if (writes) writeFileSync(join(root, page), current)
    else assert.strictEqual(text, current, "Run `npm run docs:write`, and read what has changed.")
  })
})
