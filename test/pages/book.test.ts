import { readFile } from "node:fs/promises"
import { assert, expect, it } from "vitest"
import {
  bookingPage,
  button,
  enterContact,
  enterRide,
  field,
  hostile,
  shown,
  workingDay
} from "./support/Booking.ts"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("the booking page", () => {
  const booking = bookingPage()

  it("shows the price of each class as the ride is typed, and books by keyboard with a calendar file", async () => {
    const { close, faults, page } = await booking.open()
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
    await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("H1")
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
    assert.strictEqual((await booking.tripsOf(hostile)).length, 1)

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
    const { close, faults, page } = await booking.open()
    await button(page, "Show the price").waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    assert.isAtMost(Number(await page.evaluate("document.documentElement.scrollWidth")), 320)
    await button(page, "Show the price").click()
    await shown(page, "Please fill in this field.")
    await expect
      .poll(() => page.evaluate("document.activeElement === document.querySelector('[aria-invalid]')"))
      .toBe(true)
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
    const { close, faults, page } = await booking.open()
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
    const [trip = {}] = await booking.tripsOf("Mary Somerville")
    assert.deepInclude(trip, { trip_type: "hourly", duration_minutes: 120, vehicle_class: "sedan" })
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("shows the current price if the displayed one was used for another booking", async () => {
    const { close, page } = await booking.open()
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
    assert.strictEqual((await booking.tripsOf("Joan Clarke")).length, 1)
    await close()
  })

  it("explains lead times and closed days beforehand, and takes a request for a quote instead", async () => {
    await booking.settings({
      booking_page: {
        lead_minutes: 120,
        class_leads: [{ vehicle_class: "van", minutes: 43_200 }],
        opening_hours: [{ from: "08:00", to: "20:00", weekdays: ["mon", "tue", "wed", "thu", "fri"] }],
        blackout_dates: [{ from: "12-24", to: "12-26" }, { from: "2031-08-01" }]
      }
    })
    const { close, faults, page } = await booking.open()
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
    const quotes = await booking.sandbox.api.get<ReadonlyArray<{ customer_name: string }>>("/quotes")
    assert.strictEqual(quotes.body.data[0]?.customer_name, "Ada Lovelace")
    assert.deepStrictEqual(faults, [])
    await close()
    await booking.settings({ booking_page: {} })
  })

  it("names the chosen area in a request for an offer, which has no airport", async () => {
    const { close, page } = await booking.open()
    await enterRide(page)
    await field(page, "Passengers").fill("4")
    await page.locator("[name=vehicle_class][value=van]").waitFor()
    await enterContact(page, "Chien-Shiung Wu")
    const asked = page.waitForRequest(/\/quotes$/u)
    await booking.settings({ booking_page: { blackout_dates: [{ from: "2031-05-21" }] } })
    await field(page, "Date").fill("2031-05-21")
    await button(page, "Ask for an offer").click()
    assert.deepInclude((await asked).postDataJSON() as object, {
      pickup_address: "Grand Hotel, Lakeside Road 1, 47.3769, 8.5417",
      dropoff_address: "Airport, Terminal 2, ZRH"
    })
    await booking.settings({ booking_page: {} })
    await close()
  })

  it("suggests the zones of the tariff, which are chosen by keyboard and by pointer", async () => {
    const { close, faults, page } = await booking.open()
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
    const { close, page } = await openPage(`${booking.sandbox.server.address}/book/nobody`)
    await shown(page, "This link does not work any more")
    await assertAccessible(page)
    assert.strictEqual(await page.locator("form").count(), 0)
    await close()
  })
})
