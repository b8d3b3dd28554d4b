import { join } from "node:path"
import { assert, it } from "vitest"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import { bookingPage, button, enterContact, field, shown } from "./support/Booking.ts"
import { takePictures } from "./support/Pictures.ts"

/** The day that many days from now. */
const dayAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describePages("the departures of a tour", () => {
  const booking = bookingPage()

  it("are chosen on the booking page, whose visitors see the places left, and the driver sees who takes part", async () => {
    const { api, server } = booking.sandbox
    const made = await api.post<{ product_id: number }>("/products", {
      name: "Old town",
      kind: "tour",
      price: 45,
      duration_minutes: 120,
      pickup_address: "Station",
      dropoff_address: "Station",
      departures: [{ times: ["08:00", "09:30", "11:00", "14:00", "16:30"], seats: 3 }]
    })
    assert.strictEqual(made.status, 201, made.text)
    const from = dayAhead(10)
    const { close, faults, page } = await booking.open()
    const choose = async () => {
      await page.getByRole("radio", { name: /Old town/u }).check()
      await field(page, "Departures from").fill(from)
      await page
        .getByRole("radio", { name: /Places left/u })
        .first()
        .waitFor()
    }
    await choose()
    await assertAccessible(page)
    const departures = page.getByRole("group", { name: "Departure" }).getByRole("radio")
    assert.strictEqual(await departures.count(), 8)
    await button(page, "Show more departures").click()
    assert.strictEqual(await departures.count(), 16)
    await takePictures(page, "book-departures", async (it) => {
      await it.locator('input[type="radio"][name="product"]').last().check()
      await it.locator('input[name="departure"]').first().waitFor()
    })
    await choose()
    await enterContact(page, "Ada Lovelace")
    await field(page, "Phone (optional)").fill("+41 44 668 18 00")
    await field(page, "Number of people").fill("2")
    await departures.nth(1).check()
    await button(page, "Book").click()
    await shown(page, "Your ride is booked")

    await button(page, "Book another ride").click()
    await choose()
    await page.getByRole("radio", { name: /Places left: 1$/u }).waitFor()
    await enterContact(page, "Grace Hopper")
    await departures.nth(1).check()
    // Somebody else takes the last place meanwhile.
    const [booked] = (await api.get<ReadonlyArray<Record<string, unknown>>>("/bookings")).body.data
    const other = { product_id: made.body.data.product_id, starts_at: booked?.["starts_at"] }
    const taken = await api.post("/bookings", { ...other, customer_name: "Mary Anning" })
    assert.strictEqual(taken.status, 201, taken.text)
    await button(page, "Book").click()
    await shown(page, "There are not enough places at this time")
    await page.getByRole("radio", { name: /Fully booked/u }).waitFor()
    await assertAccessible(page)

    const { driver_id } = (await api.post<{ driver_id: number }>("/drivers", { name: "Dan" })).body.data
    const { body } = await api.post<{ drivers: ReadonlyArray<{ driver_token: string }> }>(
      `/trips/${String(booked?.["trip_id"])}/drivers`,
      { driver_ids: [driver_id] }
    )
    const driver = await openPage(`${server.address}/drive#${body.data.drivers[0]?.driver_token ?? ""}`)
    await shown(driver.page, "Participants")
    await driver.page.getByRole("link", { name: "+41 44 668 18 00" }).waitFor()
    await shown(driver.page, "2 × Ada Lovelace")
    await assertAccessible(driver.page)
    const pictures = process.env["LIVERY_PICTURES"]
    if (pictures !== undefined)
      await driver.page.screenshot({ path: join(pictures, "drive-participants.png"), fullPage: true })
    assert.deepStrictEqual([...faults, ...driver.faults], [])
    await driver.close()
    await close()
  })
})
