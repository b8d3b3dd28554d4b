import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, expect, it, vi } from "vitest"
import { bearer, type Client, clientOf } from "../support/Client.ts"
import { query } from "../support/DatabaseRows.ts"
import { type Installation, installation } from "../support/Installation.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, type OpenPage, openPage } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const hostile = `<img src=x onerror="document.title='owned'">`

const waitFor = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

describePages("the tracking page", () => {
  let place: Installation
  let server: Server
  let api: Client
  let tripId: number
  let driverToken: string
  let token: string

  const openTrip = async () => {
    const car = await api.post<{ car_id: number }>("/cars", {
      name: "Van 1",
      make: "Mercedes-Benz",
      model: "V 300",
      color: "Obsidian black",
      vehicle_class: "van",
      plate_number: "ZH 123 456"
    })
    const driver = await api.post<{ driver_id: number }>("/drivers", { name: "Josephine Baker" })
    const trip = await api.post<{ trip_id: number }>("/trips", {
      trip_date: new Date(Date.now() + 3_600_000).toISOString(),
      pickup_address: "Secret Street 1",
      dropoff_address: hostile,
      pickup_lat: 47.4503,
      pickup_lng: 8.5616,
      dropoff_lat: 47.3667,
      dropoff_lng: 8.545,
      customer_name: "Ada Lovelace",
      car_id: car.body.data.car_id,
      pickup_timezone: "Europe/Zurich"
    })
    tripId = trip.body.data.trip_id
    const assigned = await api.post<{ drivers: ReadonlyArray<{ driver_token: string }> }>(
      `/trips/${tripId}/drivers`,
      { driver_ids: [driver.body.data.driver_id] }
    )
    driverToken = assigned.body.data.drivers[0]?.driver_token ?? ""
    const link = await api.post<{ token: string }>(`/trips/${tripId}/tracking-link`)
    token = link.body.data.token
  }

  const drive = (path: string, body: unknown) => api.post(`/driver/${path}?token=${driverToken}`, body)

  const open = (query = ""): Promise<OpenPage> => openPage(`${server.address}/track${query}#${token}`)

  beforeAll(async () => {
    place = await installation({ embedded: "copied" })
    server = await place.serve()
    const key = /lvk_\S+/u.exec(server.program.stdout())?.[0] ?? "none"
    api = clientOf(server.api, bearer(key))
    await api.patch("/settings/business", {
      phone: "+41 44 123 45 67",
      accent_color: "#0B5D4E",
      business_name: "Lake Limousines"
    })
    await openTrip()
  })
  afterAll(() => place.remove())

  it("follows a ride from its booking to its end, live", async () => {
    const { close, faults, page } = await open()
    await waitFor(page, "Your driver is ready")
    await assertAccessible(page)
    await takePictures(page, "track-ready", (it) => it.locator("h1").waitFor())

    // The page has the stream, and reads nothing again.
    let readings = 0
    page.on("request", (request) => {
      if (request.resourceType() === "fetch") readings += 1
    })
    await drive("status", { status: "en_route" })
    await drive("location", { lat: 47.41, lng: 8.54, heading: 20 })
    await waitFor(page, "Your driver is on the way")
    assert.strictEqual(readings, 0)
    await waitFor(page, /Arrives in about \d+ minutes/u)
    await page.locator("svg.map").waitFor()
    await waitFor(page, /Position updated .*(?:now|second)/u)
    const vehicle = page.getByRole("region", { name: "Car and driver" })
    assert.strictEqual(await vehicle.getByRole("heading").textContent(), "Driver: Josephine")
    assert.include(await vehicle.innerText(), "Obsidian black Mercedes-Benz V 300 · Van")
    assert.include(await vehicle.innerText(), "ZH 123 456")
    const call = page.getByRole("link", { name: "Call the office" })
    assert.strictEqual(await call.getAttribute("href"), "tel:+41441234567")
    assert.notMatch(await page.locator("body").innerText(), /Ada|Baker|Secret/u)
    await assertAccessible(page)
    await takePictures(page, "track-coming", (it) => it.locator("svg.map").waitFor())

    await drive("status", { milestone: "arrived_at_pickup" })
    await waitFor(page, "Your driver has arrived")
    await assertAccessible(page)
    await drive("status", { milestone: "passenger_on_board" })
    await waitFor(page, "The ride is under way")
    await assertAccessible(page)
    await takePictures(page, "track-on-board", (it) => it.locator("svg.map").waitFor())

    await api.patch(`/trips/${tripId}`, { status: "completed" })
    await waitFor(page, "This ride is over")
    assert.strictEqual(await page.locator(".vehicle").count(), 0)
    await assertAccessible(page)
    await takePictures(page, "track-over", (it) => it.locator("h1").waitFor())

    // The link still says so for an hour.
    await page.reload()
    await waitFor(page, "This ride is over")
    assert.strictEqual(await page.getByRole("button", { name: "Share this page" }).count(), 0)
    await query(
      place,
      `update trips set completed_at = completed_at - interval '61 minutes' where trip_id = ${tripId}`
    )
    await page.reload()
    await waitFor(page, "This link does not work any more")
    await waitFor(page, "Tracking ends an hour after the ride.")
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("is shared by its address: by the phone's own dialog, or by copying", async () => {
    await openTrip()
    const { close, page } = await openPage("about:blank", {
      permissions: ["clipboard-read", "clipboard-write"]
    })
    await page.addInitScript(
      "Object.defineProperty(navigator, 'share', { value: undefined, writable: true })"
    )
    await page.goto(`${server.address}/track#${token}`)
    const share = page.getByRole("button", { name: "Share this page" })
    await share.click()
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(page.url())
    await page.evaluate("navigator.share = async (what) => { globalThis.shared = what }")
    await share.click()
    assert.deepStrictEqual(await page.evaluate("shared"), { title: "Your ride", url: page.url() })
    await close()
  })

  it("says that a link does not work any more, and what to do", async () => {
    const { close, faults, page } = await openPage(`${server.address}/track#lvt_1_none`)
    await waitFor(page, "This link does not work any more")
    await waitFor(page, "ask the office for a new link")
    await assertAccessible(page)
    await takePictures(page, "track-gone", (it) => it.locator("h1").waitFor())
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("keeps the last state while it is offline, and continues by itself", async () => {
    await openTrip()
    const { close, page } = await open()
    await waitFor(page, "Your driver is ready")
    await page.context().setOffline(true)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await waitFor(page, "You are offline")
    await waitFor(page, "Your driver is ready")
    await assertAccessible(page)
    await page.context().setOffline(false)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await expect.poll(() => page.getByText("You are offline").count()).toBe(0)
    await close()
  })

  it("is read by asking again where streams do not work", async () => {
    await openTrip()
    const { close, faults, page } = await openPage("about:blank")
    await page.route("**/stream", (route) => route.fulfill({ status: 429, json: {} }))
    await page.goto(`${server.address}/track#${token}`)
    await waitFor(page, "Your driver is ready")
    await drive("status", { status: "en_route" })
    await page.getByText("Your driver is on the way").waitFor({ timeout: 20_000 })
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("shows hostile texts as texts", async () => {
    await openTrip()
    await api.patch("/settings/business", { business_name: "Cars <b>&amp;</b>" })
    const { close, faults, page } = await open("?lang=de")
    await waitFor(page, "Ihr Fahrer steht bereit")
    await waitFor(page, "Cars <b>&amp;</b>")
    assert.strictEqual(await page.locator("main img, header b").count(), 0)
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("runs from right to left in Arabic", async () => {
    const { close, page } = await open("?lang=ar")
    await page.locator("h1").waitFor()
    assert.strictEqual(await page.locator("html").getAttribute("dir"), "rtl")
    await assertAccessible(page)
    await close()
  })

  it("works without a mouse, and on the narrowest screen at twice the size of text", async () => {
    const { close, page } = await open()
    await page.locator("h1").waitFor()
    await page.keyboard.press("Tab")
    assert.match(String(await page.evaluate("document.activeElement.textContent")), /Call the office/u)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
    const overflow = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    assert.isAtMost(overflow, 0)
    await close()
  })
})
