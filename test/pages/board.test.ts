import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it, vi } from "vitest"
import { bearer, type Client, clientOf } from "../support/Client.ts"
import { type Installation, installation } from "../support/Installation.ts"
import { codeFor } from "../support/Mail.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, type OpenPage, openPage } from "./support/Browser.ts"
import { createDay } from "./support/Day.ts"
import { takePictures } from "./support/Pictures.ts"
import { tunnelTo } from "./support/Tunnel.ts"

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const password = "correct horse battery"
const email = "ada@cars.example"
const zone = "Europe/Zurich"

/** The day after the present one on the business's clock: nothing of it has begun. */
const tomorrow = () =>
  new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short" }).format(Date.now() + 86_400_000)

interface Trip {
  readonly trip_id: number
  readonly reference: string
  readonly status: string
  readonly trip_date: string
  readonly driver_ids: ReadonlyArray<number>
}

describePages("the dispatch board", () => {
  let place: Installation
  let server: Server
  let api: Client
  let day: { readonly drivers: ReadonlyArray<number>; readonly trips: ReadonlyArray<number> }
  const date = tomorrow()
  const board = `/app?date=${date}`

  const create = async <A>(path: string, body: unknown): Promise<A> => {
    const { body: answer, status } = await api.post<A>(path, body)
    assert.isBelow(status, 300, JSON.stringify(answer))
    return answer.data
  }

  const trip = async (id: number) => (await api.get<Trip>(`/trips/${id}`)).body.data

  const ready = (page: Page) => page.locator("[data-trip]").first().waitFor()

  const open = async (path = board, { base = server.address } = {}): Promise<OpenPage> => {
    const opened = await openPage(`${base}${path}`, { viewport: { width: 1440, height: 900 } })
    const { page } = opened
    await page.getByLabel("Email address").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await ready(page)
    return opened
  }

  /** Selects a job by its reference with the keys alone. */
  const goTo = async (page: Page, id: number) => {
    const { reference } = await trip(id)
    await page.keyboard.press("/")
    await page.keyboard.type(reference)
    await page.getByText("1 found", { exact: true }).waitFor()
    await page.keyboard.press("Enter")
    await page.locator(`.job.selected[data-trip="${id}"]`).first().waitFor()
    await page.getByRole("complementary", { name: "Selected job" }).getByText(reference).waitFor()
  }

  /** Waits until the server has what was done. */
  const until = (id: number, isSo: (found: Trip) => boolean) =>
    vi.waitFor(async () => assert.isTrue(isSo(await trip(id)), JSON.stringify(await trip(id))), 10_000)

  /** Assigns the selected job with the keys alone. */
  const assign = async (page: Page, letters: string) => {
    await page.keyboard.press("a")
    await page.getByRole("combobox", { name: "Driver’s name" }).waitFor()
    await page.keyboard.type(letters)
    await page.keyboard.press("Enter")
  }

  beforeAll(async () => {
    place = await installation({ embedded: "copied" })
    server = await place.serve()
    const visitor = clientOf(server.api)
    const tokenOf = async (address: string) =>
      (await visitor.post<{ access_token: string }>("/auth/login", { email: address, password })).body.data
        .access_token
    await visitor.post("/auth/register", {
      name: "Ada Lovelace",
      email,
      password,
      business_name: "Lovelace Cars"
    })
    await visitor.post("/auth/verify-email", { code: await codeFor(place.directory, email) })
    const root = ["--name", "Root", "--email", "root@platform.example", "--account-type", "S"]
    const { code, stderr } = await place.run(["users", "create", ...root], { input: password })
    assert.strictEqual(code, 0, stderr)
    api = clientOf(server.api, bearer(await tokenOf(email)))
    const business = (await api.get<{ business_id: number }>("/business")).body.data.business_id
    const admin = clientOf(server.api, bearer(await tokenOf("root@platform.example")))
    const moved = await admin.patch(`/admin/businesses/${business}`, { subscription_plan_id: 3 })
    assert.strictEqual(moved.status, 200, moved.text)
    await api.patch("/settings/business", { timezone: zone, clash_policy: "enforce" })
    day = await createDay(create, { date, drivers: 60, jobs: 320 })
  })
  afterAll(() => place.remove())

  it("is used by keyboard alone: assign, refuse a clash, swap, move, edit, undo", async () => {
    const opened = await open()
    const { page } = opened
    const [open1 = 0, open2 = 0] = day.trips.filter((_, index) => index % 16 === 15)
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
    const [, one = 0, other = 0] = day.trips
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

    // A late flight: the pickup moves by keys, and back.
    await goTo(page, open2)
    const { trip_date } = await trip(open2)
    await page.keyboard.press(".")
    await until(open2, (found) => Date.parse(found.trip_date) === Date.parse(trip_date) + 300_000)
    await page.getByText(/moved to/u).waitFor()
    await page.keyboard.press("Control+z")
    await until(open2, (found) => found.trip_date === trip_date)

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

  it("brings a day through by keyboard alone: an illness, a wedding, a no-show, a reopening, midnight", async () => {
    const opened = await open()
    const { page } = opened
    const panel = page.getByRole("complementary", { name: "Selected job" })

    // A driver is ill: the jobs concerned are clashes, and go to others.
    const [sickTrip = 0] = day.trips
    const [sick = 0] = (await trip(sickTrip)).driver_ids
    await goTo(page, sickTrip)
    await panel.getByRole("button", { name: "Ada Amsler" }).press("Enter")
    const driver = page.getByRole("dialog", { name: "Ada Amsler" })
    await driver.getByLabel("Absence").waitFor()
    await assertAccessible(page)
    await driver.getByRole("button", { name: "Mark as absent" }).press("Enter")
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
      // The first of the list has nothing against the job, once the server has said who is free.
      await page.getByRole("dialog").getByText("Not available at this time.").first().waitFor()
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").waitFor({ state: "detached" })
    }
    await vi.waitFor(async () => {
      const { body } = await api.get<ReadonlyArray<Trip>>("/trips?group_id=wedding-1")
      assert.strictEqual(body.data.length, 6)
      assert.strictEqual(new Set(body.data.flatMap(({ driver_ids }) => driver_ids)).size, 6)
    }, 10_000)

    // The passenger does not come; the job is reopened and cancelled.
    const [, , , , missed = 0] = day.trips
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

    // A job that passes midnight is on the board of its day and of a rolling one.
    const late = await create<Trip>("/trips", {
      trip_date: `${date}T23:40:00`,
      duration_minutes: 60,
      pickup_address: "Opera House",
      dropoff_address: "Grand Hotel",
      customer_name: "Midnight"
    })
    await page.locator(`[data-trip="${late.trip_id}"]`).waitFor({ state: "attached" })
    await goTo(page, late.trip_id)
    await panel.getByRole("heading", { name: "23:40–00:40" }).waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("shows each of two assignments that race for a driver as refused, but the first", async () => {
    const rounds = process.env["LIVERY_FAULTS"] === "full" ? 50 : 10
    const jobs = await Promise.all(
      Array.from({ length: 2 }, (_, index) =>
        create<Trip>("/trips", {
          trip_date: `${date}T04:0${index}:00`,
          pickup_address: "Bellevue",
          dropoff_address: "Airport",
          customer_name: `Race ${index}`
        })
      )
    )
    const { driver_id } = await create<{ driver_id: number }>("/drivers", {
      name: "Zoe Race",
      confirm_seat: true
    })
    const desks = await Promise.all([open(), open()])
    let refused = 0
    for (const round of Array.from({ length: rounds }, (_, index) => index)) {
      await Promise.all(desks.map(({ page }, index) => goTo(page, jobs[index]?.trip_id ?? 0)))
      await Promise.all(
        desks.map(async ({ page }) => {
          await page.keyboard.press("a")
          await page.getByRole("combobox", { name: "Driver’s name" }).waitFor()
          await page.keyboard.type("zoe")
          await page.getByText("Nothing stands against it.").waitFor()
        })
      )
      await Promise.all(desks.map(({ page }) => page.keyboard.press("Enter")))
      const shown = await Promise.all(
        desks.map(async ({ page }) => {
          const dialog = page.getByRole("dialog")
          await Promise.race([
            dialog.waitFor({ state: "detached" }),
            dialog.getByText(/Zoe Race has another job/u).waitFor()
          ])
          return dialog.isVisible()
        })
      )
      assert.strictEqual(shown.filter((isOpen) => isOpen).length, 1, `round ${round}`)
      const loser = desks[shown.indexOf(true)]?.page
      await loser
        ?.getByRole("dialog")
        .getByText(/Zoe Race has another job/u)
        .waitFor()
      refused++
      await loser?.keyboard.press("Escape")
      await api.post(
        "/dispatch/assignments",
        jobs.map(({ trip_id }) => ({ trip_id, driver_ids: [] }))
      )
      await Promise.all(
        desks.map(({ page }) =>
          page.getByRole("complementary", { name: "Selected job" }).getByText("Nobody yet").waitFor()
        )
      )
    }
    assert.strictEqual(refused, rounds)
    assert.isAbove(driver_id, 0)
    for (const { close, faults } of desks) {
      assert.deepStrictEqual(faults, [])
      await close()
    }
  })

  it("stays equal in two browsers through changes and a lost connection", async () => {
    const changes = process.env["LIVERY_FAULTS"] === "full" ? 1000 : 60
    const tunnel = await tunnelTo(server.address)
    const near = await open(`${board}&view=list`)
    const far = await open(`${board}&view=list`, { base: tunnel.address })
    const textOf = ({ page }: OpenPage) => page.getByRole("list", { name: "Jobs" }).innerText()
    const change = async (index: number) => {
      const trip_id = day.trips[(index * 7) % day.trips.length] ?? 0
      const driver = day.drivers[(index * 11) % day.drivers.length]
      if (index % 3 === 0)
        await api.post("/dispatch/assignments", [{ trip_id, driver_ids: [driver], force: true }])
      else if (index % 3 === 1)
        await api.patch(`/trips/${trip_id}`, { pickup_address: `Gate ${index}`, force: true })
      else await api.patch(`/trips/${trip_id}`, { customer_name: `Changed ${index}`, force: true })
    }
    for (const index of Array.from({ length: changes }, (_, at) => at)) {
      if (index === Math.floor(changes / 3)) tunnel.set("cut")
      if (index === Math.floor((2 * changes) / 3)) tunnel.set("open")
      await change(index)
    }
    await vi.waitFor(
      async () => {
        const [one, other] = await Promise.all([textOf(near), textOf(far)])
        assert.include(one, `Changed ${changes - 1 - ((changes - 1 - 2) % 3)}`)
        assert.strictEqual(one, other)
      },
      { timeout: 60_000, interval: 500 }
    )
    await near.close()
    await far.close()
    await tunnel.close()
  })
})
