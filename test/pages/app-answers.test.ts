import type { Page } from "playwright-core"
import { afterAll, assert, expect, it } from "vitest"
import { type Emulated, emulated } from "../support/Emulated.ts"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import { headline, tap } from "./support/Driving.ts"
import { office } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

const minute = 60_000

/** The day of a time on the clock of the business. */
const dayOf = (at: string) =>
  new Intl.DateTimeFormat("sv", { timeZone: "Europe/Zurich", dateStyle: "short" }).format(Date.parse(at))

interface TripDrivers {
  readonly drivers: ReadonlyArray<{
    readonly accepted_at: string | null
    readonly declined_at: string | null
    readonly decline_reason: string | null
  }>
}

describePages("what drivers and flights tell the office", () => {
  const scheduled = Math.ceil(Date.now() / minute) * minute + 60 * minute
  let landed: number | null = null
  let flights: Emulated | undefined
  const own = office(async () => {
    flights = await emulated(() => [
      {
        sta: new Date(scheduled).toISOString(),
        eta: new Date(scheduled + 40 * minute).toISOString(),
        ata: landed === null ? null : new Date(landed).toISOString()
      }
    ])
    return {
      FLIGHTS_URL: `${flights.url}/{flight}/{date}`,
      FLIGHTS_FIELDS: '{"scheduled":"sta","estimated":"eta","landed":"ata"}'
    }
  })
  afterAll(() => flights?.close())

  const created = async <A>(path: string, body: object): Promise<A> => {
    const answer = await own.api.post<A>(path, body)
    assert.isBelow(answer.status, 300, answer.text)
    return answer.body.data
  }
  const book = (more: object = {}) =>
    created<{ trip_id: number }>("/trips", {
      trip_date: new Date(scheduled + 20 * minute).toISOString(),
      pickup_address: "Zurich Airport",
      dropoff_address: "Bellevue 1, Zurich",
      customer_name: "Grace Hopper",
      ...more
    })
  const driver = async (name: string) =>
    (await created<{ driver_id: number }>("/drivers", { name })).driver_id
  const assign = async (trip: number, driver_id: number) => {
    const { drivers } = await created<{ drivers: ReadonlyArray<{ driver_token: string }> }>(
      `/trips/${trip}/drivers`,
      { driver_ids: [driver_id], force: true }
    )
    return drivers[0]?.driver_token ?? ""
  }
  const driversOf = async (trip: number) =>
    (await own.api.get<TripDrivers>(`/trips/${trip}`)).body.data.drivers
  const driving = (token: string) =>
    openPage(`${own.server.address}/drive#${token}`, { permissions: ["geolocation"] })
  /** The board of a trip's day: the trips of the file begin within hours, which may be after midnight. */
  const goToBoard = async (page: Page, trip: number) => {
    const { trip_date } = (await own.api.get<{ trip_date: string }>(`/trips/${trip}`)).body.data
    await page.getByRole("link", { name: "Board" }).first().click()
    await page.getByLabel("Day", { exact: true }).fill(dayOf(trip_date))
    await page.locator(`[data-trip="${trip}"]`).first().click()
  }
  const chip = (page: Page, text: string) => page.locator(".badge", { hasText: text }).first().waitFor()

  it("are a driver's acceptance and a driver's refusal with its reason, on the trip and on the board", async () => {
    const { trip_id } = await book()
    const token = await assign(trip_id, await driver("Josephine Baker"))
    const desk = await own.open(`/trips/${trip_id}`)
    await chip(desk.page, "not accepted yet")

    const phone = await driving(token)
    await headline(phone.page, "Ready to set out")
    await phone.page.getByText("Not accepted yet").waitFor()
    await assertAccessible(phone.page)
    await takePictures(phone.page, "drive-answer", (it) => it.locator(".answer").waitFor())
    await tap(phone.page, "Accept the job")
    await phone.page.getByText("You accepted this job").waitFor()
    await expect.poll(async () => (await driversOf(trip_id))[0]?.accepted_at).not.toBeNull()
    await phone.page.reload()
    await phone.page.getByText("You accepted this job").waitFor()
    await assertAccessible(phone.page)

    await desk.page.reload()
    await chip(desk.page, "accepted")
    await desk.page.getByText("Josephine Baker accepted the job").waitFor()
    await assertAccessible(desk.page)
    await goToBoard(desk.page, trip_id)
    await desk.page.locator(".record-head").getByText("Accepted").waitFor()

    await phone.page.getByRole("button", { name: "Decline" }).click()
    const dialog = phone.page.getByRole("dialog", { name: "Decline this job?" })
    await dialog.getByLabel("Reason").fill("The car is broken")
    await assertAccessible(phone.page)
    await phone.page.waitForTimeout(700)
    await dialog.getByRole("button", { name: "Decline" }).click()
    await headline(phone.page, "You declined this job")
    await expect.poll(async () => (await driversOf(trip_id))[0]?.decline_reason).toBe("The car is broken")
    // The board follows without a reload.
    await desk.page.locator(".record-head").getByText("Declined").waitFor()
    await desk.page.getByText("The car is broken").waitFor()
    await assertAccessible(desk.page)
    await desk.page.goto(`${own.server.address}/app/trips/${trip_id}`)
    await desk.page.getByText("Josephine Baker declined the job: The car is broken").waitFor()
    await chip(desk.page, "declined")
    await assertAccessible(desk.page)
    await takePictures(desk.page, "app-declined", (it) => it.locator(".badge").first().waitFor())
    assert.deepStrictEqual([...phone.faults, ...desk.faults], [])
    await phone.close()
    await desk.close()
  })

  it("do not count for a pickup that the driver has not seen", async () => {
    const { trip_id } = await book()
    const phone = await driving(await assign(trip_id, await driver("Ada Moser")))
    await phone.page.getByText("Not accepted yet").waitFor()
    const moved = await own.api.patch(`/trips/${trip_id}`, { pickup_address: "Basel Airport", force: true })
    assert.strictEqual(moved.status, 200, moved.text)
    await tap(phone.page, "Accept the job")
    await phone.page.getByText("The pickup has changed").waitFor()
    await phone.page.getByText("Basel Airport").first().waitFor()
    assert.strictEqual((await driversOf(trip_id))[0]?.accepted_at, null)
    await tap(phone.page, "Accept the job")
    await phone.page.getByText("You accepted this job").waitFor()
    await phone.close()
  })

  it("are the estimated arrival of a late flight, and then its landing", async () => {
    await own.api.patch("/settings/flights", { enabled: true, check_minutes: 1 })
    const { trip_id } = await book({ flight_number: "LX 8" })
    const desk = await own.open(`/trips/${trip_id}`)
    await desk.page.getByRole("heading", { level: 1 }).first().waitFor()
    const shows = async (text: string) => {
      await expect
        .poll(
          async () => {
            await desk.page.reload()
            await desk.page.locator("h1").waitFor()
            await desk.page.waitForTimeout(500)
            return (await desk.page.locator(".badge").allInnerTexts()).join(" ")
          },
          { timeout: 100_000, interval: 3000 }
        )
        .toContain(text)
    }
    await shows("(+40)")
    await assertAccessible(desk.page)
    landed = scheduled + 35 * minute
    await shows("landed")
    await goToBoard(desk.page, trip_id)
    await chip(desk.page, "landed")
    await assertAccessible(desk.page)
    assert.deepStrictEqual(desk.faults, [])
    await desk.close()
  }, 300_000)
})
