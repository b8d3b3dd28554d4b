import { randomUUID } from "node:crypto"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, expect, it, vi } from "vitest"
import { bearer, type Client, clientOf } from "../support/Client.ts"
import { type Installation, installation } from "../support/Installation.ts"
import { codeFor } from "../support/Mail.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, keptBrowser, type OpenPage, openPage } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"
import { tunnelTo } from "./support/Tunnel.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const headline = (page: Page, title: string) => page.getByRole("heading", { level: 1, name: title }).waitFor()

/** Taps the one next action. A touch soon after another counts as the same one, and the times of milestones have whole seconds. */
const tap = async (page: Page, name: string) => {
  await page.waitForTimeout(1050)
  await page.getByRole("button", { name, exact: true }).click()
}

/** Lets a test say where the phone is. */
const fakePosition = `
  Geolocation.prototype.watchPosition = (found) => {
    globalThis.moveTo = (latitude, longitude, timestamp) =>
      found({ coords: { latitude, longitude, accuracy: 5, heading: null, speed: 10 }, timestamp })
    return 1
  }`

/** Sets the phone's clock back by more than ten minutes, so that a test can have ten minutes of its positions behind it. */
const slowClock = `
  globalThis.Date = class extends Date {
    constructor(...parts) { parts.length === 0 ? super(new.target.now()) : super(...parts) }
    static now() { return super.now() - 660_000 }
  }`

/** Counts how often the page asks to keep the screen awake, and how often it lets the screen sleep again. */
const fakeWakeLock = `
  globalThis.locks = { asked: 0, released: 0 }
  Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
    locks.asked += 1
    return { release: async () => { locks.released += 1 } }
  } } })`

const overflow = "document.documentElement.scrollWidth - innerWidth"

/** The expression that asks something of a store of the phone. */
const inStore = (store: string, question: string) =>
  `new Promise((done) => { const it = indexedDB.open('livery-drive'); it.onsuccess = () => { const all = it.result.transaction('${store}').objectStore('${store}').${question}; all.onsuccess = () => done(all.result) } })`

const waitingCount = inStore("waiting", "count()")
const waitingReports = async (page: Page) =>
  (await page.evaluate<ReadonlyArray<{ kind: string }>>(inStore("waiting", "getAll()"))).filter(
    ({ kind }) => kind === "report"
  ).length
const keptNames = inStore("kept", "getAllKeys()")

interface TripDrivers {
  readonly status: string
  readonly drivers: ReadonlyArray<{
    readonly milestones: ReadonlyArray<{
      milestone: string
      stop_index: number | null
      at: string
      lat: number | null
      lng: number | null
    }>
  }>
}

describePages("the driver's page", () => {
  let place: Installation
  let server: Server
  let api: Client
  let driverId: number

  const newJob = async (changes: object = {}, driver = driverId) => {
    const trip = await api.post<{ trip_id: number }>("/trips", {
      trip_date: new Date(Date.now() + 60_000).toISOString(),
      pickup_address: "Zurich Airport, Terminal 1",
      dropoff_address: "Grand Hotel, Bahnhofstrasse 1",
      pickup_lat: 47.4503,
      pickup_lng: 8.5616,
      dropoff_lat: 47.3667,
      dropoff_lng: 8.545,
      customer_name: "Ada <b>Lovelace</b>",
      customer_phone: "+41 79 000 00 00",
      pickup_sign: "Ms Lovelace",
      flight_number: "LX 1234",
      notes: "Two large bags.\nNo phone calls, please.",
      stops: [{ address: "Paradeplatz 2" }],
      pickup_timezone: "Europe/Zurich",
      ...changes
    })
    const id = trip.body.data.trip_id
    const assigned = await api.post<{ drivers: ReadonlyArray<{ driver_token: string }> }>(
      `/trips/${id}/drivers`,
      {
        driver_ids: [driver]
      }
    )
    return { id, token: assigned.body.data.drivers[0]?.driver_token ?? "" }
  }

  const milestonesOf = async (id: number) => {
    const trip = await api.get<TripDrivers>(`/trips/${id}`)
    return trip.body.data.drivers[0]?.milestones ?? []
  }

  const open = (token: string, query = ""): Promise<OpenPage> =>
    openPage(`${server.address}/drive${query}#${token}`, {
      permissions: ["geolocation"],
      geolocation: { latitude: 47.45, longitude: 8.56 }
    })

  beforeAll(async () => {
    place = await installation({ embedded: "copied" })
    server = await place.serve()
    const key = /lvk_\S+/u.exec(server.program.stdout())?.[0] ?? "none"
    api = clientOf(server.api, bearer(key))
    await api.patch("/settings/business", { phone: "+41 44 123 45 67", business_name: "Lake Limousines" })
    const driver = await api.post<{ driver_id: number }>("/drivers", {
      name: "Josephine Baker",
      email: "josephine@cars.example"
    })
    driverId = driver.body.data.driver_id
  })
  afterAll(() => place.remove())

  it("leads through a job with one action after the other, and reports each with its place", async () => {
    const { id, token } = await newJob()
    const opened = await open(token)
    const { page } = opened
    await headline(page, "Ready to set out")
    await page.getByText("Ada <b>Lovelace</b>").first().waitFor()
    await page.getByRole("link", { name: "Call the office" }).waitFor()
    await assertAccessible(page)
    await takePictures(page, "drive-ready", (it) => it.locator(".target").waitFor())
    await tap(page, "Set out")
    await headline(page, "On the way to the pickup")
    await assertAccessible(page)
    await tap(page, "I have arrived")
    await headline(page, "Waiting for the passenger")
    await page.getByText(/possible in 1[45]:/u).waitFor()
    await assertAccessible(page)
    await takePictures(page, "drive-waiting", (it) => it.locator(".target").waitFor())

    await page.getByRole("button", { name: "Greeting sign" }).click()
    await page.getByText("Ms Lovelace").waitFor()
    await assertAccessible(page)
    if (process.env["LIVERY_PICTURES"] !== undefined)
      await page.screenshot({ path: join(process.env["LIVERY_PICTURES"], "drive-sign.png") })
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })

    await tap(page, "Passenger is on board")
    await headline(page, "Passenger on board")
    await tap(page, "Arrived at stop 1")
    await page.getByRole("button", { name: "Finish the ride" }).waitFor()
    await assertAccessible(page)
    await takePictures(page, "drive-on-board", (it) => it.locator(".target").waitFor())
    await tap(page, "Finish the ride")
    const dialog = page.getByRole("dialog", { name: "Finish the ride?" })
    await assertAccessible(page)
    await dialog.getByRole("button", { name: "Finish the ride" }).click()
    await headline(page, "This job is done")
    await assertAccessible(page)
    await expect
      .poll(async () => (await api.get<TripDrivers>(`/trips/${id}`)).body.data.status)
      .toBe("completed")
    const milestones = await milestonesOf(id)
    assert.deepStrictEqual(
      milestones.map(({ milestone }) => milestone),
      ["arrived_at_pickup", "passenger_on_board", "arrived_at_stop"]
    )
    assert.strictEqual(milestones[0]?.lat, 47.45)
    await page.reload()
    await headline(page, "This job is done")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("reports an absent passenger with the place, once the driver has waited", async () => {
    const { id, token } = await newJob({
      trip_date: new Date(Date.now() - 30 * 60_000).toISOString(),
      stops: []
    })
    const drive = (body: object) => api.post(`/driver/status?token=${token}`, body)
    await drive({ status: "en_route", force: true })
    await drive({ milestone: "arrived_at_pickup", at: new Date(Date.now() - 20 * 60_000).toISOString() })
    const opened = await open(token)
    const { page } = opened
    await headline(page, "Waiting for the passenger")
    await tap(page, "Passenger does not come")
    const dialog = page.getByRole("dialog")
    await assertAccessible(page)
    await dialog.getByRole("button", { name: "Passenger does not come" }).click()
    await headline(page, "The passenger did not come")
    await assertAccessible(page)
    const absence = async () => (await milestonesOf(id)).find(({ milestone }) => milestone === "no_show")
    await expect.poll(absence).toMatchObject({ lat: 47.45, lng: 8.56 })
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("asks before a driver sets out long before the pickup", async () => {
    await api.patch("/settings/business", { early_start_minutes: 60 })
    const { token } = await newJob({ trip_date: new Date(Date.now() + 5 * 3_600_000).toISOString() })
    const opened = await open(token)
    const { page } = opened
    await headline(page, "Ready to set out")
    await tap(page, "Set out")
    const dialog = page.getByRole("dialog", { name: "Set out now already?" })
    await dialog.waitFor()
    await assertAccessible(page)
    await headline(page, "Ready to set out")
    await page.waitForTimeout(650)
    await dialog.getByRole("button", { name: "Set out" }).click()
    await headline(page, "On the way to the pickup")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("holds what follows an early start until the driver answers, and then sends or forgets all of it", async () => {
    await api.patch("/settings/business", { early_start_minutes: 60 })
    const inTunnel = async () => {
      const job = await newJob({ trip_date: new Date(Date.now() + 5 * 3_600_000).toISOString(), stops: [] })
      const opened = await open(job.token)
      const { page } = opened
      await headline(page, "Ready to set out")
      await page.context().setOffline(true)
      await tap(page, "Set out")
      await tap(page, "I have arrived")
      await tap(page, "Passenger is on board")
      await headline(page, "Passenger on board")
      await page.context().setOffline(false)
      const dialog = page.getByRole("dialog", { name: "Set out now already?" })
      await dialog.waitFor()
      await headline(page, "Ready to set out")
      assert.strictEqual(await waitingReports(page), 3)
      return { ...job, opened, page, dialog }
    }
    const early = await inTunnel()
    await early.dialog.getByRole("button", { name: "Set out" }).click()
    await headline(early.page, "Passenger on board")
    await expect
      .poll(async () => (await milestonesOf(early.id)).map(({ milestone }) => milestone))
      .toStrictEqual(["arrived_at_pickup", "passenger_on_board"])
    assert.deepStrictEqual(early.opened.faults, [])
    await early.opened.close()

    const declined = await inTunnel()
    await declined.dialog.getByRole("button", { name: "Cancel" }).click()
    await declined.dialog.waitFor({ state: "detached" })
    await headline(declined.page, "Ready to set out")
    assert.strictEqual(await waitingReports(declined.page), 0)
    assert.deepStrictEqual(await milestonesOf(declined.id), [])
    assert.deepStrictEqual(declined.opened.faults, [])
    await declined.opened.close()
  })

  it("asks for the passenger's code, also after a tunnel, and says what to do about a wrong one", async () => {
    await api.patch("/settings/business", { pickup_pin: true })
    const waitingForCode = async () => {
      const job = await newJob({ stops: [{ address: "Paradeplatz 2" }] })
      const link = await api.post<{ token: string }>(`/trips/${job.id}/tracking-link`)
      await api.post(`/driver/status?token=${job.token}`, {
        status: "en_route",
        milestone: "arrived_at_pickup"
      })
      const shared = await api.get<{ pickup_pin: string }>(`/public/tracking/${link.body.data.token}`)
      const pin = shared.body.data.pickup_pin
      const opened = await open(job.token)
      await headline(opened.page, "Waiting for the passenger")
      return {
        ...job,
        pin,
        link: link.body.data.token,
        wrong: pin === "0000" ? "1111" : "0000",
        opened,
        page: opened.page
      }
    }
    const codeDialog = (page: Page) => page.getByRole("dialog", { name: "The passenger’s code" })
    const enter = async (page: Page, code: string) => {
      await page.waitForTimeout(650)
      await codeDialog(page).getByRole("textbox").fill(code)
      await codeDialog(page).getByRole("button", { name: "Passenger is on board" }).click()
    }
    const first = await waitingForCode()
    const passenger = await openPage(`${server.address}/track#${first.link}`)
    await passenger.page.getByText(`Your code: ${first.pin}`).waitFor()
    await assertAccessible(passenger.page)
    if (process.env["LIVERY_PICTURES"] !== undefined)
      await passenger.page.screenshot({ path: join(process.env["LIVERY_PICTURES"], "track-code.png") })
    await passenger.close()
    await tap(first.page, "Passenger is on board")
    await enter(first.page, "12")
    await codeDialog(first.page).getByText("This is not the passenger’s code.").waitFor()
    await assertAccessible(first.page)
    if (process.env["LIVERY_PICTURES"] !== undefined)
      await first.page.screenshot({ path: join(process.env["LIVERY_PICTURES"], "drive-code.png") })
    await enter(first.page, first.wrong)
    await codeDialog(first.page).getByText("This is not the passenger’s code.").waitFor()
    await headline(first.page, "Waiting for the passenger")
    await assertAccessible(first.page)
    // An Arabic keyboard has digits of its own.
    await enter(
      first.page,
      first.pin.replaceAll(/\d/gu, (digit) => String.fromCodePoint(0x660 + Number(digit)))
    )
    await headline(first.page, "Passenger on board")
    await expect.poll(async () => (await milestonesOf(first.id)).length).toBe(2)
    await first.opened.close()

    const late = await waitingForCode()
    await late.page.context().setOffline(true)
    await tap(late.page, "Passenger is on board")
    await enter(late.page, late.wrong)
    await headline(late.page, "Passenger on board")
    await tap(late.page, "Arrived at stop 1")
    await late.page.getByText("Waiting reports: 2.").waitFor()
    await late.page.context().setOffline(false)
    await codeDialog(late.page).waitFor()
    assert.strictEqual((await milestonesOf(late.id)).length, 1)
    await enter(late.page, late.pin)
    await late.page.getByRole("button", { name: "Finish the ride" }).waitFor()
    await expect
      .poll(async () => (await milestonesOf(late.id)).map(({ milestone }) => milestone))
      .toStrictEqual(["arrived_at_pickup", "passenger_on_board", "arrived_at_stop"])
    assert.strictEqual(await waitingReports(late.page), 0)
    await late.opened.close()

    const withdrawn = await waitingForCode()
    await tap(withdrawn.page, "Passenger is on board")
    await enter(withdrawn.page, withdrawn.wrong)
    await codeDialog(withdrawn.page).getByText("This is not the passenger’s code.").waitFor()
    await codeDialog(withdrawn.page).getByRole("button", { name: "Cancel" }).click()
    await codeDialog(withdrawn.page).waitFor({ state: "detached" })
    await headline(withdrawn.page, "Waiting for the passenger")
    assert.strictEqual(await waitingReports(withdrawn.page), 0)
    assert.deepStrictEqual(withdrawn.opened.faults, [])
    await withdrawn.opened.close()
    await api.patch("/settings/business", { pickup_pin: false })
  })

  it("leads to the next place by the phone's app or a map, with the place's point, or else its address", async () => {
    const linksOf = async (page: Page) => {
      const addressOf = (name: string) => page.getByRole("link", { name, exact: true }).getAttribute("href")
      return [await addressOf("Navigate"), await addressOf("Map")]
    }
    const withPoint = await newJob({ stops: [] })
    const opened = await open(withPoint.token)
    await headline(opened.page, "Ready to set out")
    assert.deepStrictEqual(await linksOf(opened.page), [
      "geo:47.4503,8.5616?q=47.4503,8.5616(Zurich%20Airport%2C%20Terminal%201)",
      "https://www.google.com/maps/dir/?api=1&destination=47.4503%2C8.5616"
    ])
    await opened.close()
    const withoutPoint = await newJob({ pickup_lat: null, pickup_lng: null, pickup_address: "A & B (rear)?" })
    const address = "A%20%26%20B%20(rear)%3F"
    const other = await open(withoutPoint.token)
    await headline(other.page, "Ready to set out")
    assert.deepStrictEqual(await linksOf(other.page), [
      `geo:0,0?q=${address}`,
      `https://www.google.com/maps/dir/?api=1&destination=${address}`
    ])
    await other.close()
    // Apple's phones do not know `geo:`.
    const apple = await openPage(`${server.address}/drive#${withoutPoint.token}`, { userAgent: "iPhone" })
    await headline(apple.page, "Ready to set out")
    const [navigation] = await linksOf(apple.page)
    assert.strictEqual(navigation, `https://maps.apple.com/?daddr=${address}&dirflg=d`)
    await apple.close()
  })

  it("keeps the screen awake while the driver is under way, and again once the page is visible", async () => {
    const { token } = await newJob({ stops: [] })
    const opened = await open("none")
    const { page } = opened
    await page.addInitScript(fakeWakeLock)
    await page.goto("about:blank")
    await page.goto(`${server.address}/drive#${token}`)
    await headline(page, "Ready to set out")
    assert.deepStrictEqual(await page.evaluate("locks"), { asked: 0, released: 0 })
    await tap(page, "Set out")
    await headline(page, "On the way to the pickup")
    await expect.poll(() => page.evaluate("locks.asked")).toBe(1)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect.poll(() => page.evaluate("locks.asked")).toBe(2)
    await tap(page, "I have arrived")
    await tap(page, "Passenger is on board")
    await tap(page, "Finish the ride")
    await page.getByRole("dialog").getByRole("button", { name: "Finish the ride" }).click()
    await headline(page, "This job is done")
    await expect.poll(() => page.evaluate("locks.released > 0")).toBe(true)
    await opened.close()
  })

  it("shows which car it is, and the notes line by line", async () => {
    const car = await api.post<{ car_id: number }>("/cars", {
      name: "Van 1",
      make: "Mercedes-Benz",
      model: "V 300",
      color: "Obsidian black",
      plate_number: "ZH 123 456"
    })
    const { token } = await newJob({ car_id: car.body.data.car_id })
    const opened = await open(token)
    await opened.page.getByText("Van 1, Obsidian black, Mercedes-Benz, V 300, ZH 123 456").waitFor()
    const notes = opened.page.locator(".note", { hasText: "Two large bags." })
    assert.strictEqual(await notes.innerText(), "Two large bags.\nNo phone calls, please.")
    await opened.close()
  })

  it("is done by keyboard alone, from setting out to the end", async () => {
    const { id, token } = await newJob()
    const opened = await open(token)
    const { page } = opened
    const focused = async () =>
      String(await page.evaluate("document.activeElement.textContent")).replaceAll("\u00a0", " ")
    const press = async (name: string) => {
      await page.waitForTimeout(1050)
      for (let steps = 0; (await focused()) !== name; steps += 1) {
        assert.isBelow(steps, 30, `${name} is not reached by Tab`)
        await page.keyboard.press("Tab")
      }
      await page.keyboard.press("Enter")
    }
    await headline(page, "Ready to set out")
    await press("Set out")
    await headline(page, "On the way to the pickup")
    await press("I have arrived")
    await headline(page, "Waiting for the passenger")
    await press("Passenger is on board")
    await headline(page, "Passenger on board")
    await press("Arrived at stop 1")
    await page.getByRole("button", { name: "Finish the ride" }).waitFor()
    await press("Finish the ride")
    const dialog = page.getByRole("dialog", { name: "Finish the ride?" })
    await dialog.waitFor()
    await page.keyboard.press("Escape")
    await page.locator("dialog").waitFor({ state: "detached" })
    assert.strictEqual(await focused(), "Finish the ride")
    await page.keyboard.press("Enter")
    await dialog.waitFor()
    await press("Finish the ride")
    await headline(page, "This job is done")
    await expect
      .poll(async () => (await api.get<TripDrivers>(`/trips/${id}`)).body.data.status)
      .toBe("completed")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("fits a phone of 360 pixels with long names, in each direction of writing", async () => {
    const long = "Donaudampfschifffahrtsgesellschaftskapitänswitwe".repeat(4)
    const { token } = await newJob({
      customer_name: long,
      pickup_address: long,
      dropoff_address: `${long} 1`,
      pickup_sign: long,
      notes: long,
      flight_number: "LX 1234567890",
      stops: [{ address: long, contact: long }],
      passengers: [{ name: long, phone: "+41 79 000 00 00" }]
    })
    for (const language of ["en", "de", "ar"]) {
      const opened = await openPage(`${server.address}/drive?lang=${language}#${token}`, {
        viewport: { width: 360, height: 740 }
      })
      const { page } = opened
      await page.locator(".note").waitFor()
      assert.isAtMost(Number(await page.evaluate(overflow)), 0, language)
      if (language === "en") await takePictures(page, "drive-long", (it) => it.locator(".note").waitFor())
      await page.locator(".calls button").click()
      await page.locator("dialog.sign").waitFor()
      assert.isAtMost(
        Number(await page.evaluate("document.querySelector('dialog').scrollWidth - innerWidth")),
        0
      )
      await assertAccessible(page)
      assert.deepStrictEqual(opened.faults, [])
      await opened.close()
    }
  })

  it("shows the address for an app that reports positions while the screen is locked", async () => {
    const { id, token } = await newJob()
    await api.post(`/driver/status?token=${token}`, { status: "en_route" })
    const opened = await open(token)
    const { page } = opened
    await page.getByText("Position while the screen is locked").click()
    const address = await page.getByRole("group", { name: "Address for the app" }).textContent()
    await assertAccessible(page)
    const answer = await fetch(address ?? "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ _type: "location", lat: 46.5, lon: 7.5, tst: Math.floor(Date.now() / 1000) })
    })
    assert.deepStrictEqual([answer.status, await answer.text()], [200, "[]"])
    const where = await api.get<{ position: { lat: number } }>(`/trips/${id}/location`)
    assert.strictEqual(where.body.data.position.lat, 46.5)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("can be put on the home screen, with icons that phones show", async () => {
    const manifest = await fetch(`${server.address}/drive.webmanifest`)
    const { icons } = (await manifest.json()) as {
      readonly icons: ReadonlyArray<{ readonly src: string; readonly sizes: string; readonly type: string }>
    }
    assert.includeMembers(
      icons.map(({ sizes }) => sizes),
      ["192x192", "512x512"]
    )
    for (const { sizes, src, type } of icons) {
      const icon = await fetch(new URL(src, manifest.url))
      assert.deepStrictEqual([icon.status, icon.headers.get("content-type")], [200, type])
      const bytes = Buffer.from(await icon.arrayBuffer())
      // The width and the height of a PNG.
      if (type === "image/png")
        assert.strictEqual(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes)
    }
  })

  it("says that a link does not work, and what to do", async () => {
    const opened = await open("drv_1_none")
    await opened.page.getByText("This link does not work any more").waitFor()
    await assertAccessible(opened.page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("loses and repeats nothing of 40 taps and 600 positions in a tunnel, though the browser is killed in it", async () => {
    // The taps: setting out, the arrival, on board, each stop, and the end.
    const stops = Array.from({ length: 36 }, (_, index) => ({ address: `Stop ${index + 1}` }))
    const { id, token } = await newJob({ stops })
    const tunnel = await tunnelTo(server.address)
    const profile = join(tmpdir(), `livery-phone-${randomUUID()}`)
    let phone = await keptBrowser(profile, fakePosition + slowClock)
    let page = phone.page
    await page.goto(`${tunnel.address}/drive#${token}`)
    await headline(page, "Ready to set out")
    await page.evaluate("navigator.serviceWorker.ready")
    await expect
      .poll(() =>
        page.evaluate("caches.open('livery-drive').then((it) => it.match('./drive')).then(Boolean)")
      )
      .toBe(true)

    // The response to the first tap is lost on the way, so that the server has it and the phone does not know.
    tunnel.set("deaf")
    await tap(page, "Set out")
    await expect
      .poll(async () => (await api.get<TripDrivers>(`/trips/${id}`)).body.data.status)
      .toBe("in_progress")
    tunnel.set("cut")
    // The phone measures a position each second of its next ten minutes.
    const begin = Number(await page.evaluate("Date.now()"))
    const move = (from: number, to: number) =>
      page.evaluate(`(async () => {
        for (let index = ${from}; index < ${to}; index += 1) {
          moveTo(47.45 - index / 1000, 8.56, ${begin} + index * 1000)
          if (index % 50 === 0) await new Promise((next) => setTimeout(next, 50))
        }
      })()`)
    const stopAt = async (from: number, to: number) => {
      for (let stop = from; stop <= to; stop += 1) await tap(page, `Arrived at stop ${stop}`)
    }
    await tap(page, "I have arrived")
    await move(0, 300)
    await tap(page, "Passenger is on board")
    await stopAt(1, 10)
    await page.getByText("No connection.").waitFor()
    await assertAccessible(page)
    if (process.env["LIVERY_PICTURES"] !== undefined)
      await page.screenshot({ path: join(process.env["LIVERY_PICTURES"], "drive-tunnel.png") })

    await phone.kill()
    phone = await keptBrowser(profile, fakePosition + slowClock)
    page = phone.page
    await page.goto(`${tunnel.address}/drive#${token}`)
    await page.getByRole("button", { name: "Arrived at stop 11" }).waitFor()
    await page.getByText(/Waiting reports: \d+/u).waitFor()
    await move(300, 600)
    await stopAt(11, 36)
    await tap(page, "Finish the ride")
    await page.getByRole("dialog").getByRole("button", { name: "Finish the ride" }).click()
    await headline(page, "This job is done")
    assert.lengthOf(await milestonesOf(id), 0)
    assert.strictEqual(await waitingReports(page), 40)

    let recorded = 0
    page.on("response", async (response) => {
      if (!response.url().includes("/driver/locations?") || !response.ok()) return
      const { data } = (await response.json()) as { readonly data: { readonly recorded: number } }
      recorded += data.recorded
    })
    tunnel.set("open")
    await expect
      .poll(async () => (await api.get<TripDrivers>(`/trips/${id}`)).body.data.status, { timeout: 60_000 })
      .toBe("completed")
    const milestones = await milestonesOf(id)
    assert.deepStrictEqual(
      milestones.map(({ milestone, stop_index }) => `${milestone} ${stop_index ?? ""}`.trim()),
      ["arrived_at_pickup", "passenger_on_board", ...stops.map((_, index) => `arrived_at_stop ${index}`)]
    )
    const times = milestones.map(({ at }) => Date.parse(at))
    assert.deepStrictEqual(
      times,
      times.toSorted((one, other) => one - other)
    )
    assert.isTrue(new Set(times).size > 3)
    await expect.poll(() => page.evaluate(waitingCount)).toBe(0)
    assert.strictEqual(recorded, 600)
    await phone.close()
    await tunnel.close()
    await rm(profile, { recursive: true, force: true })
  }, 240_000)

  it("lists the jobs of a signed-in driver, and opens one", async () => {
    const { id } = await newJob({ customer_name: "Mary Somerville" })
    await api.post(`/drivers/${driverId}/invite`)
    const code = await codeFor(place.directory, "josephine@cars.example")
    await api.post("/auth/accept-invitation", { code, password: "correct horse battery" })
    const opened = await openPage(`${server.address}/drive`)
    const { page } = opened
    await page.getByText("Sign in to see your jobs").waitFor()
    await assertAccessible(page)
    await page.getByRole("link", { name: "Sign in" }).click()
    await page.getByLabel("Email address").fill("josephine@cars.example")
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("link", { name: "Your jobs" }).click()
    await headline(page, "Your jobs")
    await page.getByText("Mary Somerville").waitFor()
    await assertAccessible(page)
    await takePictures(page, "drive-jobs", (it) => it.locator(".jobs").waitFor())
    await page.getByText("Mary Somerville").click()
    await headline(page, "Ready to set out")
    await tap(page, "Set out")
    await headline(page, "On the way to the pickup")
    await expect
      .poll(async () => (await api.get<TripDrivers>(`/trips/${id}`)).body.data.status)
      .toBe("in_progress")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("keeps the reports of a driver on a shared phone until that driver signs in again", async () => {
    const password = "correct horse battery"
    const addDriver = async (name: string) => {
      const email = `${name.toLowerCase()}@cars.example`
      const driver = await api.post<{ driver_id: number }>("/drivers", { name, email })
      await api.post(`/drivers/${driver.body.data.driver_id}/invite`)
      await api.post("/auth/accept-invitation", { code: await codeFor(place.directory, email), password })
      return { email, id: driver.body.data.driver_id }
    }
    const ada = await addDriver("Ada")
    const bea = await addDriver("Bea")
    const { id } = await newJob({ customer_name: "Mary Somerville" }, ada.id)
    const ofLink = await newJob()
    const statusOf = async (trip: number) => (await api.get<TripDrivers>(`/trips/${trip}`)).body.data.status
    const { close, page } = await openPage(`${server.address}/login`)
    const signIn = async (email: string) => {
      await page.getByLabel("Email address").fill(email)
      await page.getByLabel("Password", { exact: true }).fill(password)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("link", { name: "Your jobs" }).waitFor()
    }
    const signOut = async () => {
      await page.goto(`${server.address}/login`)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Email address").waitFor()
    }
    await signIn(ada.email)
    await page.route("**/me/driver/trips/*", (route) =>
      route.request().method() === "PATCH" ? route.abort() : route.continue()
    )
    await page.getByRole("link", { name: "Your jobs" }).click()
    await page.getByText("Mary Somerville").click()
    await tap(page, "Set out")
    await headline(page, "On the way to the pickup")
    assert.strictEqual(await waitingReports(page), 1)

    // Ada's session ends. Her report does not stop the report of a link.
    await page.context().clearCookies()
    await page.goto("about:blank")
    await page.goto(`${server.address}/drive#${ofLink.token}`)
    await tap(page, "Set out")
    await expect.poll(() => statusOf(ofLink.id)).toBe("in_progress")
    assert.strictEqual(await waitingReports(page), 1)

    await page.unrouteAll()
    await page.goto(`${server.address}/login`)
    await signIn(bea.email)
    await page.getByRole("link", { name: "Your jobs" }).click()
    await page.getByText("No jobs").waitFor()
    await page.waitForTimeout(500)
    assert.strictEqual(await waitingReports(page), 1)
    assert.notStrictEqual(await statusOf(id), "in_progress")
    await page.route("**/api/v1/**", (route) => route.abort())
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.getByText("No connection.").waitFor()
    assert.isFalse(await page.getByText("Waiting reports").isVisible(), "Bea has reported nothing")
    await page.unrouteAll()

    await signOut()
    await signIn(ada.email)
    await page.getByRole("link", { name: "Your jobs" }).click()
    await page.getByText("Mary Somerville").waitFor()
    await expect.poll(() => statusOf(id)).toBe("in_progress")
    await expect.poll(() => page.evaluate(waitingCount)).toBe(0)
    assert.include(String(await page.evaluate(keptNames)), "account:")
    await signOut()
    await expect.poll(async () => String(await page.evaluate(keptNames))).not.toContain("account:")
    await close()
  })

  it("runs from right to left in Arabic, on the narrowest screen at twice the size of text", async () => {
    const { token } = await newJob()
    const opened = await open(token, "?lang=ar")
    const { page } = opened
    await headline(page, "جاهز للانطلاق")
    await assertAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
    assert.isAtMost(Number(await page.evaluate(overflow)), 0)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
