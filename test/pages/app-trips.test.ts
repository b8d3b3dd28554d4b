import { assert, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

interface Booked {
  readonly trip_id: number
  readonly customer_id: number | null
  readonly pickup_address: string
  readonly total_amount: number | null
  readonly leg: string | null
}

describePages("the trips of the office", () => {
  const own = office()

  it("books a way there and back for a known customer by keyboard, at the price that the tariff shows while one types", async () => {
    const customer = await own.api.post<{ customer_id: number }>("/customers", {
      name: "Grace Hopper",
      phone: "+41791234567"
    })
    const tariff = await own.api.post("/tariffs", {
      name: "City",
      currency: "CHF",
      zones: [
        { id: "zrh", name: "Airport", kind: "airport", airport: "ZRH", lat: 47.45, lng: 8.56, radius_m: 3000 }
      ],
      classes: [
        { vehicle_class: "sedan", max_passengers: 3, distance: [{ base: 20, tiers: [{ amount: 2.5 }] }] }
      ]
    })
    assert.strictEqual(tariff.status, 201, tariff.text)
    const before = await own.api.post("/trips", {
      trip_date: new Date(Date.now() + 86_400_000).toISOString(),
      pickup_address: "Bellevue 1, Zurich",
      pickup_lat: 47.366,
      pickup_lng: 8.545,
      dropoff_address: "Zurich Airport",
      dropoff_lat: 47.45,
      dropoff_lng: 8.56,
      customer_id: customer.body.data.customer_id
    })
    assert.strictEqual(before.status, 201, before.text)

    const opened = await own.open("/trips")
    const { page } = opened
    await titled(page, "Trips")
    await page.keyboard.press("n")
    await titled(page, "New trip")
    await assertAccessible(page)
    const name = page.getByRole("combobox", { name: "Name" })
    await name.pressSequentially("gra")
    await page.getByRole("option", { name: "Grace Hopper" }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    assert.strictEqual(await page.getByLabel("Phone").inputValue(), "+41791234567")
    await page.getByRole("combobox", { name: "From" }).pressSequentially("bel")
    await page.getByRole("option", { name: "Bellevue" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByRole("combobox", { name: "To", exact: true }).pressSequentially("zur")
    await page.getByRole("option", { name: "Zurich Airport" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByLabel("Class").selectOption("Sedan")
    await page.getByLabel("With the way back").check()
    const shown = (await page.locator(".price-now strong").first().textContent()) ?? ""
    await takePictures(page, "app-new-trip", (it) => it.getByRole("heading", { level: 1 }).waitFor())
    if (process.env["LIVERY_PICTURES"] !== undefined) return opened.close()
    await page.getByRole("button", { name: "Book" }).focus()
    await page.keyboard.press("Enter")
    await page.getByText("Created:").waitFor()
    const { body } = await own.api.get<ReadonlyArray<Booked>>("/trips?search=grace")
    const booked = body.data.filter(({ leg, total_amount }) => leg !== null || total_amount !== null)
    assert.lengthOf(booked, 2)
    assert.deepStrictEqual(
      booked.map(({ customer_id }) => customer_id),
      [customer.body.data.customer_id, customer.body.data.customer_id]
    )
    const amounts = booked.map(({ total_amount }) => total_amount)
    assert.include(shown.replaceAll(/[^\d.]/gu, ""), String(amounts[0]))
    assert.strictEqual(amounts[0], amounts[1])
    await page.getByText("Base fare").waitFor()
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("keeps what was typed when the booking is refused, and says at each field what is missing", async () => {
    const opened = await own.open("/trips/new")
    const { page } = opened
    await titled(page, "New trip")
    await page.getByLabel("Notes for the driver").fill("Two large bags")
    await page.getByLabel("Email").fill("nobody")
    await page.getByRole("button", { name: "Book" }).click()
    await page.getByText("Please check this value.").waitFor()
    assert.isAtLeast(await page.getByText("Please fill in this field.").count(), 2)
    assert.strictEqual(await page.getByLabel("Notes for the driver").inputValue(), "Two large bags")
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("shows one trip: changed in place, assigned, cancelled with its fee before it is done, reopened, with its history in words and a link to its customer", async () => {
    const driver = await own.api.post<{ driver_id: number }>("/drivers", { name: "Josephine Baker" })
    assert.strictEqual(driver.status, 201, driver.text)
    const name = "A very long name of a passenger who comes with her whole family and a dog"
    const customer = await own.api.post<{ customer_id: number }>("/customers", { name })
    const booked = await own.api.post<{ trip_id: number; reference: string }>("/trips", {
      trip_date: new Date(Date.now() + 86_400_000).toISOString(),
      pickup_address: "Bahnhofstrasse 1",
      dropoff_address: "Opera",
      customer_id: customer.body.data.customer_id,
      total_amount: 120
    })
    const { reference, trip_id } = booked.body.data
    const opened = await own.open(`/trips/${trip_id}`)
    const { page } = opened
    await page.getByRole("heading", { level: 1, name: reference }).waitFor()
    await page.getByRole("button", { name: "Edit Ride" }).click()
    await page.getByLabel("Flight").fill("LX 18")
    await page.keyboard.press("Enter")
    await page.getByText("Flight: — → LX 18").waitFor()
    await page.getByLabel("Assign").selectOption("Josephine Baker")
    await page.getByText("Josephine Baker was assigned").waitFor()
    await page.getByText("The driver’s link can be sent now").waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-trip", (it) => it.locator(".timeline").waitFor())
    await page.keyboard.press("x")
    await page.getByText("No fee is charged.").waitFor()
    await assertAccessible(page)
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the trip" }).click()
    await page.getByText("Now: Cancelled").waitFor()
    await page.getByRole("button", { name: "Reopen" }).click()
    await page.getByLabel("Reason").fill("Called again")
    await page.getByRole("dialog").getByRole("button", { name: "Reopen" }).click()
    await page.getByText("Now: Confirmed").first().waitFor()
    await page.getByRole("link", { name }).click()
    await titled(page, name)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("shows a change in the history also if the trip was changed within the same second before", async () => {
    const booked = await own.api.post<{ trip_id: number; updated_at: string }>("/trips", {
      trip_date: new Date(Date.now() + 86_400_000).toISOString(),
      pickup_address: "Bahnhofstrasse 1",
      dropoff_address: "Opera",
      customer_name: "Grace Hopper"
    })
    const { trip_id, updated_at } = booked.body.data
    const opened = await own.open(`/trips/${trip_id}`)
    const { page } = opened
    // As a change in the second of the booking answers.
    await page.route(`**/trips/${trip_id}`, async (route) => {
      if (route.request().method() !== "PATCH") return route.fallback()
      const response = await route.fetch()
      const { data } = (await response.json()) as { readonly data: object }
      return route.fulfill({ response, json: { data: { ...data, updated_at } } })
    })
    await page.getByText("Booked").waitFor()
    await page.getByRole("button", { name: "Edit Ride" }).click()
    await page.getByLabel("Flight").fill("LX 18")
    await page.keyboard.press("Enter")
    await page.getByText("Flight: — → LX 18").waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("finds trips by words and state in the address, and confirms several at once", async () => {
    for (const name of ["Emmy Noether", "Emmy Award"])
      await own.api.post("/trips", {
        trip_date: new Date(Date.now() + 2 * 86_400_000).toISOString(),
        pickup_address: "Bahnhofstrasse 2",
        dropoff_address: "Opera",
        customer_name: name,
        status: "pending"
      })
    const opened = await own.open("/trips?search=emmy")
    const { page } = opened
    await page.getByText("Emmy Award").waitFor()
    await page.getByLabel("Select all").check()
    await page.getByText("2 selected").waitFor()
    await assertAccessible(page)
    await page.getByRole("group", { name: "Actions" }).getByRole("button", { name: "Cancel trips" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel trips" }).click()
    await page.getByText("2 of 2 changed.").waitFor()
    await page.getByLabel("Status").selectOption("Confirmed")
    await page.getByText("Nothing matches these filters").waitFor()
    await assertAccessible(page)
    await page.getByRole("button", { name: "Clear the filters" }).click()
    await takePictures(page, "app-trips", (it) => it.getByText("Emmy Award").waitFor())
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("opens a dialog again by the key that follows Escape at once", async () => {
    const trip = await own.api.post<Booked>("/trips", {
      trip_date: new Date(Date.now() + 86_400_000).toISOString(),
      customer_name: "Grace Hopper",
      pickup_address: "Bellevue 1, Zurich",
      dropoff_address: "Zurich Airport"
    })
    assert.strictEqual(trip.status, 201, trip.text)
    const { close, page } = await own.open(`/trips/${trip.body.data.trip_id}`)
    const dialog = page.getByRole("dialog")
    await page.getByRole("button", { name: "Cancel the trip" }).waitFor()
    await page.keyboard.press("x")
    await dialog.waitFor()
    await page.evaluate(`(async () => {
      const press = (target, key) =>
        target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
      press(document.activeElement, "Escape")
      while (document.querySelector("dialog[open]") !== null) await undefined
      press(document.body, "x")
      await new Promise((done) => setTimeout(done))
    })()`)
    assert.ok(await dialog.isVisible())
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await close()
  })
})
