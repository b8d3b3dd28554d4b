import { assert, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

interface Trip {
  readonly trip_id: number
  readonly reference: string
  readonly trip_date: string
}

/** The date that lies a number of days ahead. */
const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describePages("trips that are copied in the office", () => {
  const own = office()

  const book = async (date: string, customer_name: string) => {
    const { body, status, text } = await own.api.post<Trip>("/trips", {
      trip_date: `${date}T09:00:00`,
      pickup_address: "Opera House",
      dropoff_address: "Grand Hotel",
      customer_name
    })
    assert.strictEqual(status, 201, text)
    return body.data
  }

  const tripsOf = async (name: string) =>
    (await own.api.get<ReadonlyArray<Trip>>(`/trips?search=${name}&per_page=100`)).body.data

  it("repeats a trip weekly until a day, except on one day, and says at the field which day is wrong", async () => {
    const { reference, trip_id } = await book(daysAhead(3), "Hopper")
    const opened = await own.open(`/trips/${trip_id}`)
    const { page } = opened
    await page.getByRole("heading", { level: 1, name: reference }).waitFor()
    const begin = () => page.getByRole("button", { name: "Repeat", exact: true }).click()
    await begin()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Until").fill(daysAhead(24))
    await dialog.getByLabel("Not on these days").fill("Easter")
    await dialog.getByRole("button", { name: "Repeat" }).click()
    await dialog.locator(".field.wrong").getByLabel("Not on these days").waitFor()
    await assertAccessible(page)
    await dialog.getByLabel("Not on these days").fill(daysAhead(10))
    await dialog.getByRole("button", { name: "Repeat" }).click()
    await page.getByText("Copies made: 2").waitFor()
    await takePictures(page, "app-repeat", async (it) => {
      await it.getByRole("heading", { level: 1, name: reference }).waitFor()
      if ((await it.getByRole("dialog").count()) === 0)
        await it.locator(".screen-head button", { hasText: /^(?:Repeat|Wiederholen|كرر|تكرار)/u }).click()
    })
    const dates = (await tripsOf("Hopper")).map(({ trip_date }) => trip_date.slice(0, 10))
    assert.sameMembers(dates, [daysAhead(3), daysAhead(17), daysAhead(24)])
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("copies the jobs of a day to the same weekday a week later, and shows that day on the board", async () => {
    await book(daysAhead(40), "Noether")
    const opened = await own.open(`/?date=${daysAhead(40)}`)
    const { page } = opened
    await titled(page, "Board")
    await page.getByRole("button", { name: "Copy the day" }).click()
    const dialog = page.getByRole("dialog")
    assert.strictEqual(await dialog.getByLabel("To the day").inputValue(), daysAhead(47))
    await assertAccessible(page)
    await dialog.getByRole("button", { name: "Copy the day" }).click()
    await page.waitForURL((url) => url.searchParams.get("date") === daysAhead(47))
    await page.locator("[data-trip]").first().waitFor()
    const dates = (await tripsOf("Noether")).map(({ trip_date }) => trip_date.slice(0, 10))
    assert.sameMembers(dates, [daysAhead(40), daysAhead(47)])
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
