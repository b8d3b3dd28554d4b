import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it, vi } from "vitest"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"
import { type PagesServer, startSandbox } from "./support/Sandbox.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const hostile = `<img src=x onerror="document.title='owned'">`

const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** Fills the fields of a ride on the day. */
const enterRide = async (page: Page, day = "2031-05-20", time = "10:30") => {
  await field(page, "From").fill("Grand Hotel, Lakeside Road 1")
  await field(page, "Postal code or airport at the start").fill("47.3769, 8.5417")
  await field(page, "To").fill("Airport, Terminal 2")
  await field(page, "Postal code or airport at the destination").fill("ZRH")
  await field(page, "Date").fill(day)
  await field(page, "Time").fill(time)
}

const enterContact = async (page: Page, name: string) => {
  await field(page, "Name").fill(name)
  await field(page, "Email").fill("ada@example.com")
}

/** A day from Monday to Friday in a few days, outside of Christmas. */
const workingDay = () => {
  const days = [3, 4, 5, 6, 7, 8, 9].map((ahead) => new Date(Date.now() + ahead * 86_400_000))
  const isOpen = (day: Date) =>
    day.getUTCDay() % 6 !== 0 && !/-12-2[456]$/u.test(day.toISOString().slice(0, 10))
  return days.find(isOpen)?.toISOString().slice(0, 10)
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name })

describePages("the booking page", () => {
  let sandbox: PagesServer
  let slug: string
  let currency: string

  const settings = async (changes: object) => {
    const { status, text } = await sandbox.api.patch("/settings/business", changes)
    assert.strictEqual(status, 200, text)
  }

  beforeAll(async () => {
    sandbox = await startSandbox()
    const { api } = sandbox
    const profile = await api.get<{ vendor_slug: string; currency: string }>("/settings/business")
    slug = profile.body.data.vendor_slug
    currency = profile.body.data.currency
    const tariff = await api.post("/tariffs", {
      name: "City",
      currency,
      zones: [
        {
          id: "zrh",
          name: "Airport",
          kind: "airport",
          airport: "ZRH",
          lat: 47.4502,
          lng: 8.5618,
          radius_m: 3000
        }
      ],
      classes: [
        {
          vehicle_class: "sedan",
          max_passengers: 3,
          distance: [{ base: 20, tiers: [{ amount: 2.5 }] }],
          hours: [{ per_hour: 80 }]
        },
        { vehicle_class: "van", distance: [{ base: 90 }] }
      ],
      modifiers: { child_seats: [{ types: ["booster"], amounts: [10] }] }
    })
    assert.strictEqual(tariff.status, 201, tariff.text)
  })
  afterAll(() => sandbox.place.remove())

  const open = (query = "") => openPage(`${sandbox.server.address}/book/${slug}${query}`)

  const tripsOf = async (name: string) => {
    const { body } = await sandbox.api.get<ReadonlyArray<Record<string, unknown>>>("/trips?per_page=100")
    return body.data.filter((trip) => trip["customer_name"] === name)
  }

  it("shows the price of each class as the ride is typed, and books by keyboard with a calendar file", async () => {
    const { close, faults, page } = await open()
    await shown(page, "Enter places, date and time to see the prices.")
    await assertAccessible(page)
    await enterRide(page)
    await shown(page, /Prices valid until/u)
    await shown(page, /90\.00/u)
    await enterContact(page, hostile)
    await assertAccessible(page)
    await takePictures(page, "book-ride", (it) => it.locator("strong", { hasText: /90[.,]00|٩٠/u }).waitFor())
    await page.locator("[name=vehicle_class]:checked").focus()
    await page.keyboard.press("ArrowDown")
    await button(page, /Book for .*90\.00/u).waitFor()
    await field(page, "Notes (optional)").focus()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await shown(page, "Your ride is booked")
    assert.strictEqual(await page.evaluate("document.activeElement.tagName"), "H1")
    await shown(page, /20 May 2031 at 10:30/u)
    await assertAccessible(page)
    await takePictures(page, "book-booked", (it) => it.locator("dl").waitFor())
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      button(page, "Save to calendar").click()
    ])
    const file = await readFile(await download.path(), "utf8")
    assert.include(file, "DTSTART:20310520T083000Z\r\nDTEND:20310520T093000Z")
    assert.match(download.suggestedFilename(), /^TR-.*\.ics$/u)
    assert.strictEqual((await tripsOf(hostile)).length, 1)

    await page.getByRole("link", { name: "Follow the ride" }).click()
    await shown(page, "Your ride is booked")
    await shown(page, "Your driver and car will appear here before the pickup.")
    await page.goBack()
    await button(page, "Book the way back").click()
    assert.strictEqual(await field(page, "From").inputValue(), "Airport, Terminal 2")
    assert.strictEqual(await field(page, "Postal code or airport at the start").inputValue(), "ZRH")
    assert.strictEqual(await field(page, "Name").inputValue(), hostile)
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("says at each field what is wrong, and keeps what was typed, also in another language", async () => {
    const { close, faults, page } = await open()
    await button(page, "Show the price").waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    assert.isAtMost(Number(await page.evaluate("document.documentElement.scrollWidth")), 320)
    await button(page, "Show the price").click()
    await shown(page, "Please fill in this field.")
    assert.strictEqual(
      await page.evaluate("document.activeElement === document.querySelector('[aria-invalid]')"),
      true
    )
    await assertAccessible(page)
    await enterRide(page)
    await field(page, "Email").fill("nobody")
    await button(page, /Book for/u).click()
    await field(page, "Name").and(page.locator("[aria-invalid]")).waitFor()
    await field(page, "Email").and(page.locator("[aria-invalid]")).waitFor()
    assert.strictEqual(await field(page, "Email").inputValue(), "nobody")
    await page.getByLabel("Language").selectOption("de")
    await shown(page, "Fahrt buchen")
    assert.strictEqual(await field(page, "E-Mail").inputValue(), "nobody")
    await button(page, /Für .* buchen/u).waitFor()
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("prices hours, child seats and passengers, and asks for an offer for a class without a price", async () => {
    const { close, faults, page } = await open()
    await page.getByText("By the hour").click()
    await enterRide(page)
    await button(page, /Book for .*240\.00/u).waitFor()
    await page.getByText("Child seats").click()
    await field(page, "Booster seats").fill("1")
    await button(page, /Book for .*250\.00/u).waitFor()
    await field(page, "Passengers").fill("4")
    await shown(page, "Not enough seats")
    await assertAccessible(page)
    assert.isTrue(await page.locator("[name=vehicle_class][value=sedan]").isDisabled())
    await page.locator("[name=vehicle_class][value=van]").check()
    await enterContact(page, "Mary Somerville")
    await button(page, "Ask for an offer").click()
    await shown(page, "We have received your request")
    await button(page, "Book another ride").click()

    await page.getByText("By the hour").click()
    await enterRide(page)
    await field(page, "Hours").fill("2")
    await button(page, /Book for .*160\.00/u).click()
    await shown(page, "Your ride is booked")
    const [trip = {}] = await tripsOf("Mary Somerville")
    assert.deepInclude(trip, { trip_type: "hourly", duration_minutes: 120, vehicle_class: "sedan" })
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("books once if the answer of the first click was lost", async () => {
    const { close, page } = await open()
    await enterRide(page)
    await enterContact(page, "Grace Hopper")
    await page.route(
      "**/trips",
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 }
    )
    await button(page, /Book for/u).click()
    await shown(page, /No connection\..* It is not known whether it is booked\./u)
    // What is sent again is what was sent before.
    assert.strictEqual(await page.locator("[inert]").getByLabel("Name", { exact: true }).count(), 1)
    await button(page, "Try again").click()
    await shown(page, "Your ride is booked")
    assert.strictEqual((await tripsOf("Grace Hopper")).length, 1)
    await close()
  })

  it("learns after a reload what became of a booking whose answer was lost, and books it once", async () => {
    const { close, page } = await open()
    await enterRide(page)
    await enterContact(page, "Mary Anning")
    const keys: Array<string | undefined> = []
    await page.route("**/trips", async (route) => {
      keys.push(route.request().headers()["idempotency-key"])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await button(page, /Book for/u).click()
    await shown(page, "It is not known whether it is booked.")
    await page.reload()
    await shown(page, "Your ride is booked")
    assert.deepStrictEqual(keys, [keys[0], keys[0]])
    assert.strictEqual((await tripsOf("Mary Anning")).length, 1)
    await close()
  })

  it("says at the way back what is wrong with its start, and sends nothing", async () => {
    const { close, faults, page } = await open()
    const sent: Array<string> = []
    page.on("request", (request) => {
      if (/\/(?:trips|quotes)$/u.test(request.url())) sent.push(request.url())
    })
    await enterRide(page)
    await enterContact(page, "Ida Noddack")
    await button(page, /Book for/u).waitFor()
    await page.getByLabel("With the way back").check()
    await button(page, "Show the price").click()
    const wrong = (label: string) => field(page, label).and(page.locator("[aria-invalid]"))
    await wrong("Date of the way back").waitFor()
    await wrong("Time of the way back").waitFor()
    await field(page, "Date of the way back").fill("2031-05-20")
    await field(page, "Time of the way back").fill("10:30")
    await button(page, /Book for/u).click()
    await shown(page, "The way back has to start after the way there.")
    await assertAccessible(page)
    await settings({ booking_page: { blackout_dates: [{ from: "2031-08-01" }] } })
    await field(page, "Date of the way back").fill("2031-08-01")
    await shown(page, "No ride can be booked at this time.")
    await wrong("Date of the way back").waitFor()
    assert.strictEqual(await wrong("Date").count(), 0)
    await settings({ booking_page: {} })
    assert.deepStrictEqual([sent, faults], [[], []])
    await close()
  })

  it("names the chosen area in a request for an offer, which has no airport", async () => {
    const { close, page } = await open()
    await enterRide(page)
    await field(page, "Passengers").fill("4")
    await page.locator("[name=vehicle_class][value=van]").waitFor()
    await enterContact(page, "Chien-Shiung Wu")
    const asked = page.waitForRequest(/\/quotes$/u)
    await settings({ booking_page: { blackout_dates: [{ from: "2031-05-21" }] } })
    await field(page, "Date").fill("2031-05-21")
    await button(page, "Ask for an offer").click()
    assert.deepInclude((await asked).postDataJSON() as object, {
      pickup_address: "Grand Hotel, Lakeside Road 1, 47.3769, 8.5417",
      dropoff_address: "Airport, Terminal 2, ZRH"
    })
    await settings({ booking_page: {} })
    await close()
  })

  it("shows the current price if the displayed one was used for another booking", async () => {
    const { close, page } = await open()
    await enterRide(page)
    await enterContact(page, "Joan Clarke")
    await page.route(
      "**/trips",
      async (route) => {
        const body = { ...(route.request().postDataJSON() as object), customer_name: "Mary" }
        await route.fetch({ postData: body, headers: { "content-type": "application/json" } })
        await route.continue()
      },
      { times: 1 }
    )
    await button(page, /Book for/u).click()
    await shown(page, "This price can no longer be used.")
    await assertAccessible(page)
    await button(page, /Book for/u).click()
    await shown(page, "Your ride is booked")
    assert.strictEqual((await tripsOf("Joan Clarke")).length, 1)
    await close()
  })

  it("explains lead times and closed days beforehand, and takes a request for a quote instead", async () => {
    await settings({
      booking_page: {
        lead_minutes: 120,
        class_leads: [{ vehicle_class: "van", minutes: 43_200 }],
        opening_hours: [{ from: "08:00", to: "20:00", weekdays: ["mon", "tue", "wed", "thu", "fri"] }],
        blackout_dates: [{ from: "12-24", to: "12-26" }, { from: "2031-08-01" }]
      }
    })
    const { close, faults, page } = await open()
    await shown(page, "Please book at least 2 hours ahead.")
    await shown(page, "24 December – 26 December")
    await shown(page, "1 August 2031")
    await shown(page, /Monday, Tuesday.*Friday: 08:00 – 20:00/u)
    await enterRide(page, workingDay())
    await shown(page, "Too late to book")
    await field(page, "Date").fill("2031-08-01")
    await shown(page, "No ride can be booked at this time.")
    await assertAccessible(page)
    await takePictures(page, "book-closed", (it) => it.locator("[aria-invalid]").first().waitFor())
    await enterContact(page, "Ada Lovelace")
    await button(page, "Ask for an offer").click()
    await shown(page, "We have received your request")
    await assertAccessible(page)
    const quotes = await sandbox.api.get<ReadonlyArray<{ customer_name: string }>>("/quotes")
    assert.strictEqual(quotes.body.data[0]?.customer_name, "Ada Lovelace")
    assert.deepStrictEqual(faults, [])
    await close()
    await settings({ booking_page: {} })
  })

  it("books places of a product, which the business confirms", async () => {
    const product = await sandbox.api.post("/products", {
      name: "Wine tour",
      description: hostile,
      kind: "tour",
      price: 45,
      duration_minutes: 180,
      capacity: 4,
      pickup_address: "Station",
      dropoff_address: "Station"
    })
    assert.strictEqual(product.status, 201, product.text)
    await settings({ booking_confirmation_required: true })
    const { close, faults, page } = await open()
    await page.getByText("Wine tour").click()
    await shown(page, /45\.00 per person/u)
    await shown(page, "3 hours")
    await field(page, "Date").fill("2031-06-01")
    await field(page, "Time").fill("14:00")
    await field(page, "Number of people").fill("9")
    await enterContact(page, "Ada Lovelace")
    await assertAccessible(page)
    await takePictures(page, "book-product", (it) => it.locator("dl").waitFor())
    await button(page, "Book").click()
    await shown(page, "There are not enough places at this time")
    await field(page, "Number of people").fill("2")
    await button(page, "Book").click()
    await shown(page, "We have received your booking")
    await shown(page, /90\.00/u)
    await assertAccessible(page)
    assert.deepStrictEqual(faults, [])
    await close()
    await settings({ booking_confirmation_required: false })
  })

  it("books the way back together with the way there, at the sum of both prices", async () => {
    const { close, faults, page } = await open()
    await enterRide(page)
    await button(page, /Book for .*90\.00|Book for/u).waitFor()
    await page.getByLabel("With the way back").check()
    await field(page, "Date of the way back").fill("2031-05-22")
    await field(page, "Time of the way back").fill("18:00")
    await shown(page, /Both ways: .* \+ /u)
    await page.locator("[name=vehicle_class][value=van]").check()
    await button(page, /Book for .*180\.00/u).waitFor()
    await assertAccessible(page)
    await takePictures(page, "book-return", (it) =>
      it.locator("strong", { hasText: /180[.,]00|١٨٠/u }).waitFor()
    )
    await enterContact(page, "Emmy Noether")
    await page.locator("[name=vehicle_class][value=van]").check()
    await button(page, /Book for .*180\.00/u).click()
    await shown(page, "Your ride is booked")
    await shown(page, "Way back")
    await assertAccessible(page)
    await takePictures(page, "book-return-booked", (it) => it.locator("dl").nth(1).waitFor())
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      button(page, "Save to calendar").click()
    ])
    const file = await readFile(await download.path(), "utf8")
    assert.strictEqual(file.match(/BEGIN:VEVENT/gu)?.length, 2)
    const trips = (await tripsOf("Emmy Noether")).map(
      ({ dropoff_address, pickup_address, total_amount, trip_date }) => [
        trip_date,
        pickup_address,
        dropoff_address,
        total_amount
      ]
    )
    assert.sameDeepMembers(trips, [
      ["2031-05-20T08:30:00Z", "Grand Hotel, Lakeside Road 1", "Airport, Terminal 2", 90],
      ["2031-05-22T16:00:00Z", "Airport, Terminal 2", "Grand Hotel, Lakeside Road 1", 90]
    ])
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("says that the way back could not be booked, and books each way once after a lost answer", async () => {
    const ride = async (name: string) => {
      const opened = await open()
      await enterRide(opened.page)
      await opened.page.getByLabel("With the way back").check()
      await field(opened.page, "Date of the way back").fill("2031-05-22")
      await field(opened.page, "Time of the way back").fill("18:00")
      await enterContact(opened.page, name)
      await button(opened.page, /Book for/u).waitFor()
      return opened
    }
    const lost = await ride("Hedy Lamarr")
    let requests = 0
    await lost.page.route("**/trips", async (route) => {
      requests += 1
      if (requests !== 2) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await button(lost.page, /Book for/u).click()
    await shown(lost.page, "Your ride is booked")
    assert.deepStrictEqual([requests, (await tripsOf("Hedy Lamarr")).length], [3, 2])
    assert.strictEqual(await lost.page.getByText("could not be booked").count(), 0)
    await lost.close()

    const unknown = await ride("Cecilia Payne")
    await unknown.page.route("**/trips", async (route) =>
      (await tripsOf("Cecilia Payne")).length === 0
        ? route.continue()
        : route.fulfill({ status: 503, json: {} })
    )
    await button(unknown.page, /Book for/u).click()
    await shown(unknown.page, "Way back: It is not known whether it is booked.")
    await assertAccessible(unknown.page)
    await unknown.page.unrouteAll({ behavior: "wait" })
    await button(unknown.page, "Try again").click()
    await unknown.page.locator("dl").nth(1).waitFor()
    assert.strictEqual((await tripsOf("Cecilia Payne")).length, 2)
    await unknown.close()

    const refused = await ride("Lise Meitner")
    await refused.page.route("**/trips", async (route) =>
      (await tripsOf("Lise Meitner")).length === 0
        ? route.continue()
        : route.fulfill({ status: 409, json: { error: { type: "conflict", message: "too old" } } })
    )
    await button(refused.page, /Book for/u).click()
    await shown(refused.page, "The way back could not be booked.")
    await assertAccessible(refused.page)
    assert.strictEqual((await tripsOf("Lise Meitner")).length, 1)
    await refused.page.unrouteAll({ behavior: "wait" })
    await button(refused.page, "Book the way back").click()
    assert.strictEqual(await field(refused.page, "Date").inputValue(), "2031-05-22")
    await refused.close()
  })

  it("leads to the payment if the business asks for it", async () => {
    await settings({ booking_page: { asks_payment: true } })
    const { close, faults, page } = await open()
    await enterRide(page)
    await enterContact(page, "Rosa Parks")
    await button(page, /Book for/u).click()
    await shown(page, "Your ride is booked")
    await assertAccessible(page)
    await takePictures(page, "book-pay", (it) => it.locator("dl").waitFor())
    await page.getByRole("link", { name: "Pay now" }).click()
    await page.getByRole("button", { name: /^Pay /u }).click()
    await page.getByRole("button", { name: /^Pay /u }).click()
    await page.locator(".badge", { hasText: "Paid" }).waitFor()
    const [trip = {}] = await tripsOf("Rosa Parks")
    assert.strictEqual(trip["payment_status"], "paid")
    assert.deepStrictEqual(faults, [])
    await close()
    await settings({ booking_page: {} })
  })

  it("suggests the zones of the tariff, which are chosen by keyboard and by pointer", async () => {
    const { close, faults, page } = await open()
    const area = field(page, "Postal code or airport at the destination")
    await area.and(page.getByRole("combobox")).waitFor()
    await area.pressSequentially("air")
    const options = page.locator("[role=option]")
    await options.first().waitFor()
    await assertAccessible(page)
    assert.strictEqual(await area.getAttribute("aria-expanded"), "true")
    await page.keyboard.press("ArrowDown")
    assert.strictEqual(await options.first().getAttribute("aria-selected"), "true")
    assert.strictEqual(
      await area.getAttribute("aria-activedescendant"),
      await options.first().getAttribute("id")
    )
    await page.keyboard.press("Escape")
    assert.strictEqual(await options.count(), 0)
    await page.keyboard.press("ArrowDown")
    await options.first().click()
    assert.strictEqual(await area.inputValue(), "Airport")
    await field(page, "From").fill("Grand Hotel")
    await field(page, "To").fill("Terminal 2")
    await field(page, "Postal code or airport at the start").fill("47.3769, 8.5417")
    await field(page, "Date").fill("2031-05-20")
    await field(page, "Time").fill("10:30")
    await shown(page, /Prices valid until/u)
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("says that an address without a business leads to nothing", async () => {
    const { close, page } = await openPage(`${sandbox.server.address}/book/nobody`)
    await shown(page, "This link does not work any more")
    await assertAccessible(page)
    assert.strictEqual(await page.locator("form").count(), 0)
    await close()
  })
})
