import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it, vi } from "vitest"
import {
  type GeocodingServer,
  startGeocodingServer
} from "../../packages/integrations/test/geocoding/GeocodingServer.ts"
import { bearer, type Client, clientOf } from "../support/Client.ts"
import { type Installation, installation } from "../support/Installation.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** A website of a business: pages with the booking page in a frame, without and with the script. */
const startSite = async (booking: () => { readonly address: string; readonly slug: string }) => {
  const site = createServer((request, response) => {
    const { address, slug } = booking()
    const part =
      request.url === "/script"
        ? `<script src="${address}/embed.js" data-book="${slug}" data-title="Book" data-lang="en"></script>`
        : `<iframe src="${address}/book/${slug}" title="Book" width="400" height="600"></iframe>`
    response
      .writeHead(200, { "content-type": "text/html" })
      .end(`<!doctype html><html lang="en"><title>Site</title><body>${part}</body></html>`)
  })
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve))
  return site
}

const originOf = (site: HttpServer) => `http://127.0.0.1:${(site.address() as AddressInfo).port}`

describePages("the booking page elsewhere", () => {
  let place: Installation
  let server: Server
  let api: Client
  let geocoder: GeocodingServer
  let slug: string
  let own: HttpServer
  let foreign: HttpServer

  beforeAll(async () => {
    geocoder = await startGeocodingServer()
    place = await installation({ embedded: "copied" })
    server = await place.serve([], { GEOCODING_URL: `${geocoder.url}/api` })
    api = clientOf(server.api, bearer(/lvk_\S+/u.exec(server.program.stdout())?.[0] ?? "none"))
    own = await startSite(() => ({ address: server.address, slug }))
    foreign = await startSite(() => ({ address: server.address, slug }))
    const profile = await api.patch<{ vendor_slug: string; currency: string }>("/settings/business", {
      business_name: "Lake Limousines",
      timezone: "Europe/Zurich",
      booking_page: { embed_origins: [originOf(own)] }
    })
    slug = profile.body.data.vendor_slug
    const tariff = await api.post("/tariffs", {
      name: "City",
      currency: profile.body.data.currency,
      zones: [
        { id: "zrh", name: "Airport by name", kind: "circle", lat: 47.4502, lng: 8.5618, radius_m: 3000 }
      ],
      classes: [{ vehicle_class: "sedan", distance: [{ base: 20, tiers: [{ amount: 2.5 }] }] }]
    })
    assert.strictEqual(tariff.status, 201, tariff.text)
  })
  afterAll(async () => {
    await place.remove()
    await geocoder.close()
    for (const site of [own, foreign]) site.close()
  })

  it("is shown in a frame of the sites that the business names, and of no other one", async () => {
    const { close, faults, page } = await openPage(originOf(own))
    await page.frameLocator("iframe").getByRole("heading", { name: "Book a ride" }).waitFor()
    assert.deepStrictEqual(faults, [])
    await close()
    const refused = await openPage(originOf(foreign))
    await vi.waitUntil(() => refused.faults.some((fault) => fault.includes("frame-ancestors")), {
      timeout: 10_000
    })
    assert.strictEqual(await refused.page.frameLocator("iframe").getByRole("heading").count(), 0)
    await refused.close()
  })

  it("is as high as its content with the script, and books there", async () => {
    const { close, faults, page } = await openPage(`${originOf(own)}/script`)
    const frame = page.frameLocator("iframe")
    await frame.getByRole("heading", { name: "Book a ride" }).waitFor()
    const content = page.frames()[1]
    const heights = async () => ({
      frame: Number(await page.evaluate("document.querySelector('iframe').offsetHeight")),
      content: Number(await content?.evaluate("document.documentElement.scrollHeight"))
    })
    await vi.waitUntil(
      async () => {
        const { content: inside, frame: outside } = await heights()
        return outside > 1000 && Math.abs(inside - outside) <= 1
      },
      { timeout: 10_000 }
    )
    await frame.getByLabel("From", { exact: true }).pressSequentially("grand")
    await frame.locator("[role=option]").first().click()
    await frame.getByLabel("To", { exact: true }).pressSequentially("airport")
    await frame.getByRole("option", { name: "Airport by name" }).click()
    await frame.getByLabel("Date", { exact: true }).fill("2031-05-20")
    await frame.getByLabel("Time", { exact: true }).fill("10:30")
    await frame.getByLabel("Name", { exact: true }).fill("Ada")
    await frame.getByRole("button", { name: /Book for/u }).click()
    await frame.getByText("Your ride is booked").waitFor()
    assert.strictEqual(
      await frame.getByRole("link", { name: "Follow the ride" }).getAttribute("target"),
      "_blank"
    )
    // The confirmation is shorter, and so is the frame.
    await vi.waitUntil(async () => (await heights()).frame < 1000, { timeout: 10_000 })
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("finds addresses while one types, in the language of the page, and prices the chosen ones", async () => {
    const { close, faults, page } = await openPage(`${server.address}/book/${slug}?lang=de`)
    await field(page, "Von").and(page.getByRole("combobox")).waitFor()
    await field(page, "Von").pressSequentially("lake r")
    await page.getByRole("option", { name: /Grand Hotel/u }).waitFor()
    await assertAccessible(page)
    assert.match(geocoder.asked.at(-1) ?? "", /q=lake\+r.*lang=de/u)
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    assert.strictEqual(
      await field(page, "Von").inputValue(),
      "Grand Hotel, Lake Road 1, 8001 Zürich, Switzerland"
    )
    await field(page, "Nach").pressSequentially("air")
    await page.locator("[role=option]").nth(1).waitFor()
    assert.deepStrictEqual(await page.locator("[role=option]").allTextContents(), [
      "Airport by name",
      "Airport Terminal 2, Airport Road 20, 8302 Kloten, Switzerland"
    ])
    await takePictures(page, "book-places", (it) => it.locator("form").waitFor())
    if (page.url().includes("lang=de") && (await field(page, "Nach").inputValue()) === "air")
      await field(page, "Nach").press("ArrowDown")
    await page.locator("[role=option]").nth(1).click()
    await field(page, "Datum").fill("2031-05-20")
    await field(page, "Uhrzeit").fill("10:30")
    await page.getByRole("button", { name: /Für .* buchen/u }).waitFor()
    // An address that is typed and not chosen has no coordinates, so its price is unknown.
    await field(page, "Nach").fill("Somewhere")
    await page.getByRole("button", { name: "Angebot anfragen" }).waitFor()
    assert.deepStrictEqual(faults, [])
    await close()
  })
})
