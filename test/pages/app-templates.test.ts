import { assert, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

interface Trip {
  readonly trip_id: number
  readonly reference: string
  readonly trip_date: string
  readonly pickup_address: string
  readonly dropoff_address: string
  readonly customer_name: string
  readonly notes: string | null
  readonly status: string
}

/** The date that lies a number of days ahead. */
const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describePages("templates and groups of trips in the office", () => {
  const own = office()

  const book = async (date: string, more: object = {}) => {
    const { body, status, text } = await own.api.post<Trip>("/trips", {
      trip_date: `${date}T09:00:00`,
      pickup_address: "Opera House",
      dropoff_address: "Grand Hotel",
      customer_name: "Hopper",
      ...more
    })
    assert.strictEqual(status, 201, text)
    return body.data
  }

  const read = async (id: number) => (await own.api.get<Trip>(`/trips/${id}`)).body.data

  const tripsOf = async (name: string) =>
    (await own.api.get<ReadonlyArray<Trip>>(`/trips?search=${name}&per_page=100`)).body.data

  it("saves a trip as a template, books from it in the form and on the board, renames it and deletes it", async () => {
    const { reference, trip_id } = await book(daysAhead(3), { notes: "Side door" })
    const opened = await own.open(`/trips/${trip_id}`)
    const { page } = opened
    await page.getByRole("heading", { level: 1, name: reference }).waitFor()
    await page.getByRole("button", { name: "Save as template" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("Opera")
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })

    await page.goto(`${own.server.address}/app/trips/templates`)
    await titled(page, "Templates")
    await assertAccessible(page)
    await page.getByRole("link", { name: "Opera" }).first().click()
    await titled(page, "Opera")
    await takePictures(page, "app-template", (it) => titled(it, "Opera"))
    await page.getByRole("link", { name: "New trip from it" }).click()
    await titled(page, "New trip")
    const name = page.getByRole("combobox", { name: "Name" })
    await page
      .getByLabel("From a template")
      .locator("option", { hasText: "Opera" })
      .waitFor({ state: "attached" })
    assert.strictEqual(await name.inputValue(), "Hopper")
    await page.getByLabel("Pickup", { exact: true }).fill(`${daysAhead(5)}T10:00`)
    await page.getByLabel("To", { exact: true }).fill("Main Station")
    await page.getByLabel("Notes for the driver").fill("")
    await page.getByRole("button", { name: "Book" }).click()
    await page.waitForURL(/\/trips\/\d+$/u)
    const booked = (await tripsOf("Hopper")).find((trip) => trip.trip_id !== trip_id)
    assert.deepInclude(booked, {
      pickup_address: "Opera House",
      dropoff_address: "Main Station",
      customer_name: "Hopper",
      notes: null
    })

    await page.goto(`${own.server.address}/app/`)
    await titled(page, "Board")
    await page.getByRole("button", { name: "New job" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("From a template").selectOption({ label: "Opera" })
    await dialog.getByLabel("Passenger", { exact: true }).fill("Noether")
    await assertAccessible(page)
    await dialog.getByRole("button", { name: "Create" }).click()
    await dialog.waitFor({ state: "detached" })
    assert.deepInclude((await tripsOf("Noether"))[0], { pickup_address: "Opera House", notes: "Side door" })

    await page.goto(`${own.server.address}/app/trips/templates`)
    await page.getByRole("link", { name: "Opera" }).first().click()
    await titled(page, "Opera")
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Name").fill("Opera, evening")
    await page.getByRole("button", { name: "Save" }).click()
    await titled(page, "Opera, evening")
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await titled(page, "Templates")
    await page.getByText("There is no template yet").waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("changes one trip of a group, it and the later ones, or all, and says which have ended", async () => {
    const group = { group_id: "Shuttle", customer_name: "Lamarr" }
    const [first, second, third] = [
      await book(daysAhead(3), group),
      await book(daysAhead(4), group),
      await book(daysAhead(5), group)
    ]
    await own.api.patch(`/trips/${third.trip_id}`, { status: "completed" })
    const opened = await own.open(`/trips/${second.trip_id}`)
    const { page } = opened
    await page.getByRole("heading", { level: 1, name: second.reference }).waitFor()
    const ride = page.locator("section.record").filter({ has: page.getByRole("heading", { name: "Ride" }) })
    const change = async (address: string, scope: string, time?: string) => {
      await ride.getByRole("button", { name: "Edit" }).click()
      await ride.getByLabel("From", { exact: true }).fill(address)
      if (time !== undefined) await ride.getByLabel("Pickup").fill(time)
      await ride.getByLabel("Change").selectOption({ label: scope })
      await ride.getByRole("button", { name: "Save" }).click()
      await ride.getByRole("button", { name: "Edit" }).waitFor()
    }
    await change("Hall 1", "This trip")
    await page.getByText("Hall 1").first().waitFor()
    await change("Hall 2", "This trip and later ones of its group", `${daysAhead(4)}T09:30`)
    await page.getByText("Trips changed: 1. Ended, and not changed: 1").waitFor()
    assert.deepStrictEqual(
      [await read(first.trip_id), await read(second.trip_id), await read(third.trip_id)].map(
        ({ pickup_address }) => pickup_address
      ),
      ["Opera House", "Hall 2", "Opera House"]
    )
    assert.strictEqual(
      Date.parse((await read(second.trip_id)).trip_date) - Date.parse(second.trip_date),
      1_800_000
    )
    await change("Hall 3", "All trips of its group")
    await page.getByText("Trips changed: 2. Ended, and not changed: 1").waitFor()
    await page.getByText("Hall 3").first().waitFor()
    await ride.getByRole("button", { name: "Edit" }).click()
    await assertAccessible(page)
    await takePictures(page, "app-group", (it) =>
      it.getByRole("heading", { level: 1, name: second.reference }).waitFor()
    )
    assert.strictEqual((await read(first.trip_id)).pickup_address, "Hall 3")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("keeps where a driver's days start and end", async () => {
    const { body } = await own.api.post<{ readonly driver_id: number }>("/drivers", { name: "Grace" })
    const opened = await own.open(`/drivers/${body.data.driver_id}`)
    const { page } = opened
    await titled(page, "Grace")
    await page.getByRole("button", { name: "Edit Home" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Where the driver's days start and end").fill("Lake Road 1")
    await assertAccessible(page)
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByText("The place of this address is not known").waitFor()
    const driver = (
      await own.api.get<{ readonly home_address: string; readonly home_lat: number | null }>(
        `/drivers/${body.data.driver_id}`
      )
    ).body.data
    assert.deepInclude(driver, { home_address: "Lake Road 1", home_lat: null })
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
