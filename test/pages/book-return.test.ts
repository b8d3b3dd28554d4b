import { readFile } from "node:fs/promises"
import { assert, it } from "vitest"
import { bookingPage, button, enterContact, enterRide, field, hostile, shown } from "./support/Booking.ts"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("the way back, products and the payment on the booking page", () => {
  const booking = bookingPage()

  it("says at the way back what is wrong with its start, and sends nothing", async () => {
    const { close, faults, page } = await booking.open()
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
    await booking.settings({ booking_page: { blackout_dates: [{ from: "2031-08-01" }] } })
    await field(page, "Date of the way back").fill("2031-08-01")
    await shown(page, "No ride can be booked at this time.")
    await wrong("Date of the way back").waitFor()
    assert.strictEqual(await wrong("Date").count(), 0)
    await booking.settings({ booking_page: {} })
    assert.deepStrictEqual([sent, faults], [[], []])
    await close()
  })

  it("books places of a product, which the business confirms", async () => {
    const product = await booking.sandbox.api.post("/products", {
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
    await booking.settings({ booking_confirmation_required: true })
    const { close, faults, page } = await booking.open()
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
    await booking.settings({ booking_confirmation_required: false })
  })

  it("books the way back together with the way there, at the sum of both prices", async () => {
    const { close, faults, page } = await booking.open()
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
    const trips = (await booking.tripsOf("Emmy Noether")).map(
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

  it("leads to the payment if the business asks for it", async () => {
    await booking.settings({ booking_page: { asks_payment: true } })
    const { close, faults, page } = await booking.open()
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
    const [trip = {}] = await booking.tripsOf("Rosa Parks")
    assert.strictEqual(trip["payment_status"], "paid")
    assert.deepStrictEqual(faults, [])
    await close()
    await booking.settings({ booking_page: {} })
  })
})
