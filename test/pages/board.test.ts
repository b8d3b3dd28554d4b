import { assert, it, vi } from "vitest"
import { assign, boardOffice, ready, type Trip } from "./support/Board.ts"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("the dispatch board", () => {
  const office = boardOffice({ drivers: 60, jobs: 320 })
  const { create, date, goTo, open, trip, until } = office

  it("is used by keyboard alone: assign, refuse a clash, swap, move, edit, undo", async () => {
    const opened = await open()
    const { page } = opened
    const [open1 = 0, open2 = 0] = office.day.trips.filter((_, index) => index % 16 === 15)
    await assertAccessible(page)

    // The jobs without a driver, one after the other.
    await page.keyboard.press("2")
    await page.locator(".job.selected.unassigned").waitFor()
    await page.keyboard.press("2")

    // A driver who is on another job: the server's refusal is shown before anything is changed.
    await goTo(page, open1)
    await page.keyboard.press("a")
    await page.keyboard.type("car")
    await page
      .getByRole("dialog")
      .getByText(/has another job/u)
      .first()
      .waitFor()
    await assertAccessible(page)
    await page.keyboard.press("Escape")
    assert.deepStrictEqual((await trip(open1)).driver_ids, [])

    // Of the drivers with these letters, the one who is free stands first.
    await assign(page, "luc")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await until(open1, ({ driver_ids }) => driver_ids.length === 1)
    const given = (await trip(open1)).driver_ids

    // Ctrl Z takes the driver off again, by a request of its own.
    await page.keyboard.press("Control+z")
    await until(open1, ({ driver_ids }) => driver_ids.length === 0)
    await page.getByText(/^Undone:/u).waitFor()

    // A swap of two jobs at about the same time.
    const [, one = 0, other = 0] = office.day.trips
    const before = [(await trip(one)).driver_ids, (await trip(other)).driver_ids]
    await goTo(page, one)
    await page.keyboard.press("s")
    await goTo(page, other)
    assert.strictEqual(given.length, 1)
    await page.keyboard.press("s")
    await page.getByRole("dialog", { name: "Swap the drivers?" }).waitFor()
    await assertAccessible(page)
    await page.getByRole("dialog").getByRole("button", { name: "Swap drivers" }).press("Enter")
    await until(one, ({ driver_ids }) => driver_ids[0] === before[1]?.[0])
    await until(other, ({ driver_ids }) => driver_ids[0] === before[0]?.[0])
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.keyboard.press("Control+z")
    await until(one, ({ driver_ids }) => driver_ids[0] === before[0]?.[0])
    // What is said next would be replaced by it.
    await page.getByText(/^Undone: .* swapped/u).waitFor()

    // A late flight: the pickup moves by keys, and back.
    await goTo(page, open2)
    const { trip_date } = await trip(open2)
    await page.keyboard.press(".")
    await until(open2, (found) => Date.parse(found.trip_date) === Date.parse(trip_date) + 300_000)
    await page.getByText(/moved to/u).waitFor()
    await page.keyboard.press("Control+z")
    await until(open2, (found) => found.trip_date === trip_date)
    await page.getByText(/^Undone: .*moved to/u).waitFor()

    // Edited in a form, which has the focus.
    await page.keyboard.press("e")
    await page.getByRole("dialog", { name: /^Edit/u }).waitFor()
    await assertAccessible(page)
    await page.getByLabel("Flight").fill("BA 777")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page
      .getByRole("complementary")
      .getByText(/BA ?777/u)
      .waitFor()

    // All keys of the present screen.
    await page.keyboard.press("?")
    await page
      .getByRole("dialog", { name: "Keys" })
      .getByText("Swap drivers")
      .or(page.getByText("Assign"))
      .first()
      .waitFor()
    await page.keyboard.press("Escape")
    assert.deepStrictEqual(opened.faults, [])
    await page.keyboard.press("Escape")
    await takePictures(page, "board", ready)
    await opened.close()
  })

  it("opens the next dialog by a key that comes before the browser tells that the last one closed", async () => {
    const { close, page } = await open()
    await goTo(page, office.day.trips[0] ?? 0)
    await page.keyboard.press("a")
    await page.getByRole("dialog").waitFor()
    await page.evaluate(`
      document.querySelector("dialog[open]").close()
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }))
    `)
    await page.getByRole("dialog", { name: "New job" }).waitFor()
    await page.evaluate("new Promise((done) => setTimeout(done))")
    assert.ok(await page.getByRole("dialog", { name: "New job" }).isVisible())
    await close()
  })

  it("brings a day through by keyboard alone: an illness, a wedding, a no-show, a reopening, midnight", async () => {
    const opened = await open()
    const { page } = opened
    const panel = page.getByRole("complementary", { name: "Selected job" })

    // A driver is ill: the jobs concerned are clashes, and go to others.
    const [sickTrip = 0] = office.day.trips
    const [sick = 0] = (await trip(sickTrip)).driver_ids
    await goTo(page, sickTrip)
    await panel.getByRole("button", { name: "Ada Amsler" }).press("Enter")
    const driver = page.getByRole("dialog", { name: "Ada Amsler" })
    await driver.getByLabel("Absence").waitFor()
    await assertAccessible(page)
    await driver.getByRole("button", { name: "Mark as absent" }).press("Enter")
    await driver.getByText("Ada Amsler is absent; jobs concerned:").waitFor()
    await driver.getByRole("button", { name: "Save anyway" }).press("Enter")
    await driver.waitFor({ state: "detached" })
    await panel.getByText("Ada Amsler is absent: Ill").waitFor()
    await assign(page, "bruno e")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await until(sickTrip, ({ driver_ids }) => driver_ids.length === 1 && driver_ids[0] !== sick)

    // The ill driver is refused, with the reason, until it is meant.
    await assign(page, "ada ams")
    await page.getByRole("dialog").getByText("Ada Amsler is absent: Ill").waitFor()
    await page.getByRole("button", { name: "Assign anyway" }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press("Escape")

    // A wedding: six cars at one time.
    const guests = Array.from({ length: 6 }, (_, index) => index + 1)
    for (const guest of guests) {
      await page.keyboard.press("n")
      const form = page.getByRole("dialog", { name: "New job" })
      await form.getByLabel("Passenger", { exact: true }).fill(`Wedding ${guest}`)
      await form.getByLabel("Pickup time").fill(`${date}T03:30`)
      await form.getByLabel("From").fill("Church")
      await form.getByLabel("To", { exact: true }).fill("Castle")
      await form.getByLabel("Group").fill("wedding-1")
      await page.keyboard.press("Enter")
      await form.waitFor({ state: "detached" })
      await panel.getByText(`Wedding ${guest}`).waitFor()
      await page.keyboard.press("a")
      // The first of the list has nothing against the job; the ill driver is not the first.
      await page.getByRole("dialog").getByText("Absent: Ill").first().waitFor()
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").waitFor({ state: "detached" })
    }
    await vi.waitFor(async () => {
      const { body } = await office.api.get<ReadonlyArray<Trip>>("/trips?group_id=wedding-1")
      assert.strictEqual(body.data.length, 6)
      assert.strictEqual(new Set(body.data.flatMap(({ driver_ids }) => driver_ids)).size, 6)
    }, 10_000)

    // The passenger does not come; the job is reopened and cancelled.
    const [, , , , missed = 0] = office.day.trips
    await goTo(page, missed)
    await page.keyboard.press("o")
    await panel.getByText("On the way").waitFor()
    await page.keyboard.press("o")
    await panel.getByText("At the pickup").waitFor()
    await page.keyboard.press("x")
    await until(missed, ({ status }) => status === "completed")
    await panel.getByText("Completed").waitFor()
    await page.keyboard.press("r")
    await page.getByRole("dialog").getByLabel("Reason").fill("The passenger called")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await until(missed, ({ status }) => status === "confirmed")
    await panel.getByText("Unassigned").first().waitFor()
    await page.keyboard.press("Delete")
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the job" }).press("Enter")
    await until(missed, ({ status }) => status === "cancelled")

    // No key works on the board while the dialog is open.
    await page.getByRole("dialog").waitFor({ state: "detached" })
    // A job that passes midnight is on the board of its day and of a rolling one.
    const late = await create<Trip>("/trips", {
      trip_date: `${date}T23:40:00`,
      duration_minutes: 60,
      pickup_address: "Opera House",
      dropoff_address: "Grand Hotel",
      customer_name: "Midnight"
    })
    await goTo(page, late.trip_id)
    await panel.getByRole("heading", { name: "23:40–00:40" }).waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
