import type { Page } from "playwright-core"
import { assert, beforeEach, it, vi } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office } from "./support/Office.ts"

interface Trip {
  readonly trip_id: number
  readonly reference: string
  readonly driver_ids: ReadonlyArray<number>
}

describePages("the plan that the board suggests", () => {
  const desk = office()
  let offset = 1
  let date = ""
  let trips: ReadonlyArray<Trip> = []

  const create = async <A>(path: string, body: unknown): Promise<A> => {
    const { body: answer, status, text } = await desk.api.post<A>(path, body)
    assert.isBelow(status, 300, text)
    return answer.data
  }

  const job = (time: string, customer_name: string) =>
    create<Trip>("/trips", {
      trip_date: `${date}T${time}:00`,
      duration_minutes: 60,
      pickup_address: "Opera House",
      dropoff_address: "Grand Hotel",
      customer_name
    })

  const driversOf = async ({ trip_id }: Trip) =>
    (await desk.api.get<Trip>(`/trips/${trip_id}`)).body.data.driver_ids

  const untilDriven = (those: ReadonlyArray<Trip>, count: number) =>
    vi.waitFor(async () => {
      const found = await Promise.all(those.map(driversOf))
      assert.strictEqual(found.filter((ids) => ids.length === 1).length, count)
    }, 10_000)

  const ghost = (page: Page, trip: Trip | undefined) => page.locator(`[data-ghost="${trip?.trip_id}"]`)

  /** The board of the day with a plan. */
  const suggested = async () => {
    const opened = await desk.open(`?date=${date}`)
    const { page } = opened
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.locator("[data-trip]").first().waitFor()
    await page.getByRole("button", { name: "Suggest drivers" }).click()
    await ghost(page, trips[0]).waitFor()
    return opened
  }

  // Each test has a day of its own, with two drivers and two jobs at the same time.
  beforeEach(async () => {
    offset += 1
    date = new Intl.DateTimeFormat("sv", { timeZone: "Europe/Zurich" }).format(
      Date.now() + offset * 86_400_000
    )
    if (offset === 2)
      for (const name of ["Ada Amsler", "Bruno Egger"]) await create("/drivers", { name, confirm_seat: true })
    trips = [await job("09:00", "One"), await job("09:10", "Two")]
  })

  it("shows a bar in the row of each proposed driver, with the reason, and is accepted one by one with the mouse", async () => {
    const opened = await suggested()
    const { page } = opened
    assert.deepStrictEqual(await Promise.all(trips.map(driversOf)), [[], []])
    await assertAccessible(page)
    await ghost(page, trips[0]).click()
    const proposal = page.getByRole("group", { name: "Suggestion" })
    await proposal.getByText(/No other driver/u).waitFor()
    await proposal.getByRole("button", { name: "Accept" }).click()
    await untilDriven(trips, 1)
    await ghost(page, trips[0]).waitFor({ state: "detached" })
    await ghost(page, trips[1]).waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("names the proposed driver of each job in the list of a narrow screen", async () => {
    const opened = await desk.open(`?date=${date}`)
    const { page } = opened
    await page.setViewportSize({ width: 360, height: 800 })
    await page.locator("[data-trip]").first().waitFor()
    await page.getByRole("button", { name: "Suggest drivers" }).click()
    await page.getByRole("button", { name: /One.*Suggestion: (?:Ada Amsler|Bruno Egger)/u }).waitFor()
    await page.getByRole("button", { name: /Two.*Suggestion: (?:Ada Amsler|Bruno Egger)/u }).waitFor()
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("is accepted whole with a key, and undone with another", async () => {
    const opened = await suggested()
    const { page } = opened
    await page.keyboard.press("w")
    await untilDriven(trips, 2)
    // The key undoes what the page knows to be done: the server knows it earlier.
    await page.locator(".toast").waitFor()
    await page.keyboard.press("Control+z")
    await untilDriven(trips, 0)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("is refused whole, with the reason, if a job moved meanwhile", async () => {
    const opened = await suggested()
    const { page } = opened
    const { status } = await desk.api.patch(`/trips/${trips[1]?.trip_id}`, { notes: "At the side door" })
    assert.strictEqual(status, 200)
    await page.getByRole("button", { name: "Accept all" }).click()
    await page.getByRole("alert").getByText("Nothing was assigned.").waitFor()
    assert.deepStrictEqual(await Promise.all(trips.map(driversOf)), [[], []])
    await page.getByRole("button", { name: "Discard the plan" }).click()
    await ghost(page, trips[0]).waitFor({ state: "detached" })
    await opened.close()
  })
})
