import type { Page, Route } from "playwright-core"
import { assert, beforeAll, it, vi } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

interface Trip {
  readonly trip_id: number
  readonly trip_date: string
  readonly driver_ids: ReadonlyArray<number>
}

describePages("a change on the dispatch board", () => {
  const desk = office()
  const date = new Intl.DateTimeFormat("sv", { timeZone: "Europe/Zurich" }).format(Date.now() + 86_400_000)
  let ada: number
  let bruno: number
  let morning: Trip
  let noon: Trip

  const create = async <A>(path: string, body: unknown): Promise<A> => {
    const { body: answer, status, text } = await desk.api.post<A>(path, body)
    assert.isBelow(status, 300, text)
    return answer.data
  }

  const driver = async (name: string) =>
    (await create<{ driver_id: number }>("/drivers", { name, confirm_seat: true })).driver_id

  const job = (time: string, customer_name: string) =>
    create<Trip>("/trips", {
      trip_date: `${date}T${time}:00`,
      duration_minutes: 60,
      pickup_address: "Opera House",
      dropoff_address: "Grand Hotel",
      customer_name
    })

  const trip = async ({ trip_id }: Trip) => (await desk.api.get<Trip>(`/trips/${trip_id}`)).body.data

  const until = (of: Trip, isSo: (found: Trip) => boolean) =>
    vi.waitFor(async () => assert.isTrue(isSo(await trip(of)), JSON.stringify(await trip(of))), 10_000)

  const bar = (page: Page, { trip_id }: Trip) => page.locator(`.job[data-trip="${trip_id}"]`).first()

  const middleOf = async (page: Page, selector: string) => {
    const box = await page.locator(selector).first().boundingBox()
    assert.isNotNull(box)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  /** Presses the mouse on a bar, and moves it above the row of a driver. */
  const dragTo = async (page: Page, of: Trip, driver_id: number) => {
    await bar(page, of).hover()
    const from = await middleOf(page, `.job[data-trip="${of.trip_id}"]`)
    const { y } = await middleOf(page, `[data-row="driver-${driver_id}"]`)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, y, { steps: 8 })
  }

  beforeAll(async () => {
    const { status, text } = await desk.api.patch("/settings/business", { clash_policy: "enforce" })
    assert.strictEqual(status, 200, text)
    ada = await driver("Ada Amsler")
    bruno = await driver("Bruno Egger")
    morning = await job("09:00", "Morning")
    noon = await job("12:00", "Noon")
    await create(
      "/dispatch/assignments",
      [morning, noon].map(({ trip_id }) => ({ trip_id, driver_ids: [ada] }))
    )
  })

  it("in the form that makes a clash is not saved until it is confirmed", async () => {
    const opened = await desk.open(`?date=${date}`)
    const { page } = opened
    await page.setViewportSize({ width: 1440, height: 900 })
    await bar(page, noon).click()
    await page.keyboard.press("e")
    const form = page.getByRole("dialog", { name: /^Edit/u })
    await form.getByLabel("Pickup time").fill(`${date}T09:15`)
    await page.keyboard.press("Enter")
    await form.getByText(/Ada Amsler has another job/u).waitFor()
    await form.getByRole("button", { name: "Save anyway" }).waitFor()
    await assertAccessible(page)
    assert.strictEqual((await trip(noon)).trip_date, noon.trip_date)

    // Something else is typed: the question is asked again.
    await form.getByLabel("Pickup time").fill(`${date}T09:30`)
    await form.getByRole("button", { name: "Save", exact: true }).click()
    await form.getByRole("button", { name: "Save anyway" }).waitFor()
    assert.strictEqual((await trip(noon)).trip_date, noon.trip_date)
    await form.getByRole("button", { name: "Save anyway" }).click()
    await form.waitFor({ state: "detached" })
    const moved = Date.parse(noon.trip_date) - 150 * 60_000
    await until(noon, ({ trip_date }) => Date.parse(trip_date) === moved)

    await page.keyboard.press("Control+z")
    await until(noon, ({ trip_date }) => trip_date === noon.trip_date)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("with the mouse gives a job to the driver whose row the bar is dropped on, unless the server refuses", async () => {
    const opened = await desk.open(`?date=${date}`)
    const { page } = opened
    await page.setViewportSize({ width: 1440, height: 900 })
    await bar(page, noon).waitFor()

    // Escape ends a drag, and nothing changes.
    await dragTo(page, noon, bruno)
    await page.getByText("To Bruno Egger").waitFor()
    await page.keyboard.press("Escape")
    await page.getByText("To Bruno Egger").waitFor({ state: "detached" })
    await page.mouse.up()
    assert.deepStrictEqual((await trip(noon)).driver_ids, [ada])

    await dragTo(page, noon, bruno)
    await page.getByText("To Bruno Egger").waitFor()
    await page.mouse.up()
    await until(noon, ({ driver_ids }) => driver_ids.length === 1 && driver_ids[0] === bruno)

    // The driver has another job by now, so that the undo asks first.
    const lunch = await job("12:10", "Lunch")
    await create("/dispatch/assignments", [{ trip_id: lunch.trip_id, driver_ids: [ada] }])
    await page.keyboard.press("Control+z")
    const undo = page.getByRole("dialog", { name: "Undo this?" })
    await undo.waitFor()
    await assertAccessible(page)
    assert.deepStrictEqual((await trip(noon)).driver_ids, [bruno])
    await undo.getByRole("button", { name: "Undo anyway" }).click()
    await until(noon, ({ driver_ids }) => driver_ids.length === 1 && driver_ids[0] === ada)

    // Above a driver who is on another job, the refusal stands beside the bar; a drop asks.
    const second = await job("09:10", "Second")
    await bar(page, second).waitFor()
    await dragTo(page, second, ada)
    await page.getByText(/Ada Amsler has another job/u).waitFor()
    await page.mouse.up()
    const question = page.getByRole("dialog", { name: "The server refuses this" })
    await question.getByText(/Ada Amsler has another job/u).waitFor()
    await assertAccessible(page)
    assert.deepStrictEqual((await trip(second)).driver_ids, [])
    await question.getByRole("button", { name: "Assign anyway" }).click()
    await until(second, ({ driver_ids }) => driver_ids[0] === ada)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("is undone by a key that is pressed before its answer, and no earlier change is", async () => {
    const first = await job("06:00", "First")
    const second = await job("07:10", "Later")
    const opened = await desk.open(`?date=${date}`)
    const { page } = opened
    await page.setViewportSize({ width: 1440, height: 900 })
    await bar(page, second).waitFor()
    await dragTo(page, first, bruno)
    await page.mouse.up()
    await page.locator(".toast").waitFor()
    const isAsked = Promise.withResolvers<void>()
    const isAnswered = Promise.withResolvers<void>()
    const hold = async (route: Route) => {
      isAsked.resolve()
      await isAnswered.promise
      await route.continue()
    }
    await page.route("**/dispatch/assignments", hold, { times: 1 })
    await dragTo(page, second, bruno)
    await page.mouse.up()
    await isAsked.promise
    await page.keyboard.press("Control+z")
    isAnswered.resolve()
    await page.getByText(/^Undone: /u).waitFor()
    assert.deepStrictEqual((await trip(second)).driver_ids, [])
    assert.deepStrictEqual((await trip(first)).driver_ids, [bruno])
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("is refused where the driver is away: the absence and its reason stand on the row and beside the bar", async () => {
    const late = await job("15:00", "Late")
    await create(`/drivers/${bruno}/absences`, {
      kind: "sick",
      starts_at: `${date}T14:00:00`,
      ends_at: `${date}T18:00:00`
    })
    const opened = await desk.open(`?date=${date}`)
    const { page } = opened
    await page.setViewportSize({ width: 1440, height: 900 })
    const row = page.locator(`[data-row="driver-${bruno}"]`)
    await row.getByText("Ill, 14:00–18:00").waitFor()
    await assertAccessible(page)
    await bar(page, late).waitFor()
    await dragTo(page, late, bruno)
    await page.getByText("Bruno Egger is absent: Ill, 14:00–18:00.").waitFor()
    await page.mouse.up()
    const question = page.getByRole("dialog", { name: "The server refuses this" })
    await question.getByText("Bruno Egger is absent: Ill, 14:00–18:00.").waitFor()
    await takePictures(page, "absences", () => page.locator("[data-trip]").first().waitFor())
    assert.deepStrictEqual((await trip(late)).driver_ids, [])
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("that makes a driver with a job absent names the jobs concerned, and is not saved until it is confirmed", async () => {
    const evening = await job("20:00", "Evening")
    await create("/dispatch/assignments", [{ trip_id: evening.trip_id, driver_ids: [ada] }])
    const absences = async () =>
      (await desk.api.get<ReadonlyArray<unknown>>(`/drivers/${ada}/absences`)).body.data
    const opened = await desk.open(`?date=${date}`)
    const { page } = opened
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.locator(`[data-row="driver-${ada}"] .row-label`).click()
    const dialog = page.getByRole("dialog", { name: "Ada Amsler" })
    await dialog.getByLabel("From").fill(`${date}T19:00`)
    await dialog.getByLabel("Until").fill(`${date}T21:00`)
    await dialog.getByRole("button", { name: "Mark as absent" }).click()
    await dialog.getByText("Ada Amsler is absent; jobs concerned: 1").waitFor()
    await assertAccessible(page)
    assert.deepStrictEqual(await absences(), [])

    // Something else is typed: the question is asked again.
    await dialog.getByLabel("Until").fill(`${date}T20:30`)
    await dialog.getByRole("button", { name: "Mark as absent" }).click()
    await dialog.getByRole("button", { name: "Save anyway" }).click()
    await dialog.waitFor({ state: "detached" })
    assert.lengthOf(await absences(), 1)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
