import { join } from "node:path"
import type { Page } from "playwright-core"
import { assert, expect, it } from "vitest"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import { drivingOffice, headline, tap, type TripDrivers, waitingReports } from "./support/Driving.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("the job on the driver's page", () => {
  const office = drivingOffice()

  it("leads through a job with one action after the other, and reports each with its place", async () => {
    const { id, token } = await office.newJob()
    const opened = await office.open(token)
    const { page } = opened
    await headline(page, "Ready to set out")
    await page.getByText("Ada <b>Lovelace</b>").first().waitFor()
    await page.getByRole("link", { name: "Call the office" }).waitFor()
    await assertAccessible(page)
    await takePictures(page, "drive-ready", (it) => it.locator(".target").waitFor())
    await tap(page, "Set out")
    await headline(page, "On the way to the pickup")
    await assertAccessible(page)
    await tap(page, "I have arrived")
    await headline(page, "Waiting for the passenger")
    await page.getByText(/possible in 1[45]:/u).waitFor()
    await assertAccessible(page)
    await takePictures(page, "drive-waiting", (it) => it.locator(".target").waitFor())

    await page.getByRole("button", { name: "Greeting sign" }).click()
    await page.getByText("Ms Lovelace").waitFor()
    await assertAccessible(page)
    if (process.env["LIVERY_PICTURES"] !== undefined)
      await page.screenshot({ path: join(process.env["LIVERY_PICTURES"], "drive-sign.png") })
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })

    await tap(page, "Passenger is on board")
    await headline(page, "Passenger on board")
    await tap(page, "Arrived at stop 1")
    await page.getByRole("button", { name: "Finish the ride" }).waitFor()
    await assertAccessible(page)
    await takePictures(page, "drive-on-board", (it) => it.locator(".target").waitFor())
    await tap(page, "Finish the ride")
    const dialog = page.getByRole("dialog", { name: "Finish the ride?" })
    await assertAccessible(page)
    await dialog.getByRole("button", { name: "Finish the ride" }).click()
    await headline(page, "This job is done")
    await assertAccessible(page)
    await expect
      .poll(async () => (await office.api.get<TripDrivers>(`/trips/${id}`)).body.data.status)
      .toBe("completed")
    const milestones = await office.milestonesOf(id)
    assert.deepStrictEqual(
      milestones.map(({ milestone }) => milestone),
      ["arrived_at_pickup", "passenger_on_board", "arrived_at_stop"]
    )
    assert.strictEqual(milestones[0]?.lat, 47.45)
    await page.reload()
    await headline(page, "This job is done")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("reports an absent passenger with the place, once the driver has waited", async () => {
    const { id, token } = await office.newJob({
      trip_date: new Date(Date.now() - 30 * 60_000).toISOString(),
      stops: []
    })
    const drive = (body: object) => office.api.post(`/driver/status?token=${token}`, body)
    await drive({ status: "en_route", force: true })
    await drive({ milestone: "arrived_at_pickup", at: new Date(Date.now() - 20 * 60_000).toISOString() })
    const opened = await office.open(token)
    const { page } = opened
    await headline(page, "Waiting for the passenger")
    await tap(page, "Passenger does not come")
    const dialog = page.getByRole("dialog")
    await assertAccessible(page)
    await dialog.getByRole("button", { name: "Passenger does not come" }).click()
    await headline(page, "The passenger did not come")
    await assertAccessible(page)
    const absence = async () =>
      (await office.milestonesOf(id)).find(({ milestone }) => milestone === "no_show")
    await expect.poll(absence).toMatchObject({ lat: 47.45, lng: 8.56 })
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("asks before a driver sets out long before the pickup", async () => {
    await office.api.patch("/settings/business", { early_start_minutes: 60 })
    const { token } = await office.newJob({ trip_date: new Date(Date.now() + 5 * 3_600_000).toISOString() })
    const opened = await office.open(token)
    const { page } = opened
    await headline(page, "Ready to set out")
    await tap(page, "Set out")
    const dialog = page.getByRole("dialog", { name: "Set out now already?" })
    await dialog.waitFor()
    await assertAccessible(page)
    await headline(page, "Ready to set out")
    await page.waitForTimeout(650)
    await dialog.getByRole("button", { name: "Set out" }).click()
    await headline(page, "On the way to the pickup")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("holds what follows an early start until the driver answers, and then sends or forgets all of it", async () => {
    await office.api.patch("/settings/business", { early_start_minutes: 60 })
    const inTunnel = async () => {
      const job = await office.newJob({
        trip_date: new Date(Date.now() + 5 * 3_600_000).toISOString(),
        stops: []
      })
      const opened = await office.open(job.token)
      const { page } = opened
      await headline(page, "Ready to set out")
      await page.context().setOffline(true)
      await tap(page, "Set out")
      await tap(page, "I have arrived")
      await tap(page, "Passenger is on board")
      await headline(page, "Passenger on board")
      await page.context().setOffline(false)
      const dialog = page.getByRole("dialog", { name: "Set out now already?" })
      await dialog.waitFor()
      await headline(page, "Ready to set out")
      assert.strictEqual(await waitingReports(page), 3)
      return { ...job, opened, page, dialog }
    }
    const early = await inTunnel()
    await early.dialog.getByRole("button", { name: "Set out" }).click()
    await headline(early.page, "Passenger on board")
    await expect
      .poll(async () => (await office.milestonesOf(early.id)).map(({ milestone }) => milestone), {
        timeout: 10_000
      })
      .toStrictEqual(["arrived_at_pickup", "passenger_on_board"])
    assert.deepStrictEqual(early.opened.faults, [])
    await early.opened.close()

    const declined = await inTunnel()
    await declined.dialog.getByRole("button", { name: "Cancel" }).click()
    await declined.dialog.waitFor({ state: "detached" })
    await headline(declined.page, "Ready to set out")
    assert.strictEqual(await waitingReports(declined.page), 0)
    assert.deepStrictEqual(await office.milestonesOf(declined.id), [])
    assert.deepStrictEqual(declined.opened.faults, [])
    await declined.opened.close()
  })

  it("asks for the passenger's code, also after a tunnel, and says what to do about a wrong one", async () => {
    await office.api.patch("/settings/business", { pickup_pin: true })
    const waitingForCode = async () => {
      const job = await office.newJob({ stops: [{ address: "Paradeplatz 2" }] })
      const link = await office.api.post<{ token: string }>(`/trips/${job.id}/tracking-link`)
      await office.api.post(`/driver/status?token=${job.token}`, {
        status: "en_route",
        milestone: "arrived_at_pickup"
      })
      const shared = await office.api.get<{ pickup_pin: string }>(`/public/tracking/${link.body.data.token}`)
      const pin = shared.body.data.pickup_pin
      const opened = await office.open(job.token)
      await headline(opened.page, "Waiting for the passenger")
      return {
        ...job,
        pin,
        link: link.body.data.token,
        wrong: pin === "0000" ? "1111" : "0000",
        opened,
        page: opened.page
      }
    }
    const codeDialog = (page: Page) => page.getByRole("dialog", { name: "The passenger’s code" })
    const enter = async (page: Page, code: string) => {
      await page.waitForTimeout(650)
      await codeDialog(page).getByRole("textbox").fill(code)
      await codeDialog(page).getByRole("button", { name: "Passenger is on board" }).click()
    }
    const first = await waitingForCode()
    const passenger = await openPage(`${office.server.address}/track#${first.link}`)
    await passenger.page.getByText(`Your code: ${first.pin}`).waitFor()
    await assertAccessible(passenger.page)
    if (process.env["LIVERY_PICTURES"] !== undefined)
      await passenger.page.screenshot({ path: join(process.env["LIVERY_PICTURES"], "track-code.png") })
    await passenger.close()
    await tap(first.page, "Passenger is on board")
    await enter(first.page, "12")
    await codeDialog(first.page).getByText("This is not the passenger’s code.").waitFor()
    await assertAccessible(first.page)
    if (process.env["LIVERY_PICTURES"] !== undefined)
      await first.page.screenshot({ path: join(process.env["LIVERY_PICTURES"], "drive-code.png") })
    await enter(first.page, first.wrong)
    await codeDialog(first.page).getByText("This is not the passenger’s code.").waitFor()
    await headline(first.page, "Waiting for the passenger")
    await assertAccessible(first.page)
    // An Arabic keyboard has digits of its own.
    await enter(
      first.page,
      first.pin.replaceAll(/\d/gu, (digit) => String.fromCodePoint(0x660 + Number(digit)))
    )
    await headline(first.page, "Passenger on board")
    await expect.poll(async () => (await office.milestonesOf(first.id)).length).toBe(2)
    await first.opened.close()

    const late = await waitingForCode()
    await late.page.context().setOffline(true)
    await tap(late.page, "Passenger is on board")
    await enter(late.page, late.wrong)
    await headline(late.page, "Passenger on board")
    await tap(late.page, "Arrived at stop 1")
    await late.page.getByText("Waiting reports: 2.").waitFor()
    await late.page.context().setOffline(false)
    await codeDialog(late.page).waitFor()
    assert.strictEqual((await office.milestonesOf(late.id)).length, 1)
    await enter(late.page, late.pin)
    await late.page.getByRole("button", { name: "Finish the ride" }).waitFor()
    await expect
      .poll(async () => (await office.milestonesOf(late.id)).map(({ milestone }) => milestone))
      .toStrictEqual(["arrived_at_pickup", "passenger_on_board", "arrived_at_stop"])
    assert.strictEqual(await waitingReports(late.page), 0)
    await late.opened.close()

    const withdrawn = await waitingForCode()
    await tap(withdrawn.page, "Passenger is on board")
    await enter(withdrawn.page, withdrawn.wrong)
    await codeDialog(withdrawn.page).getByText("This is not the passenger’s code.").waitFor()
    await codeDialog(withdrawn.page).getByRole("button", { name: "Cancel" }).click()
    await codeDialog(withdrawn.page).waitFor({ state: "detached" })
    await headline(withdrawn.page, "Waiting for the passenger")
    assert.strictEqual(await waitingReports(withdrawn.page), 0)
    assert.deepStrictEqual(withdrawn.opened.faults, [])
    await withdrawn.opened.close()
    await office.api.patch("/settings/business", { pickup_pin: false })
  })

  it("leads to the next place by the phone's app or a map, with the place's point, or else its address", async () => {
    const linksOf = async (page: Page) => {
      const addressOf = (name: string) => page.getByRole("link", { name, exact: true }).getAttribute("href")
      return [await addressOf("Navigate"), await addressOf("Map")]
    }
    const withPoint = await office.newJob({ stops: [] })
    const opened = await office.open(withPoint.token)
    await headline(opened.page, "Ready to set out")
    assert.deepStrictEqual(await linksOf(opened.page), [
      "geo:47.4503,8.5616?q=47.4503,8.5616(Zurich%20Airport%2C%20Terminal%201)",
      "https://www.google.com/maps/dir/?api=1&destination=47.4503%2C8.5616"
    ])
    await opened.close()
    const withoutPoint = await office.newJob({
      pickup_lat: null,
      pickup_lng: null,
      pickup_address: "A & B (rear)?"
    })
    const address = "A%20%26%20B%20(rear)%3F"
    const other = await office.open(withoutPoint.token)
    await headline(other.page, "Ready to set out")
    assert.deepStrictEqual(await linksOf(other.page), [
      `geo:0,0?q=${address}`,
      `https://www.google.com/maps/dir/?api=1&destination=${address}`
    ])
    await other.close()
    // Apple's phones do not know `geo:`.
    const apple = await openPage(`${office.server.address}/drive#${withoutPoint.token}`, {
      userAgent: "iPhone"
    })
    await headline(apple.page, "Ready to set out")
    const [navigation] = await linksOf(apple.page)
    assert.strictEqual(navigation, `https://maps.apple.com/?daddr=${address}&dirflg=d`)
    await apple.close()
  })

  it("shows which car it is, and the notes line by line", async () => {
    const car = await office.api.post<{ car_id: number }>("/cars", {
      name: "Van 1",
      make: "Mercedes-Benz",
      model: "V 300",
      color: "Obsidian black",
      plate_number: "ZH 123 456"
    })
    const { token } = await office.newJob({ car_id: car.body.data.car_id })
    const opened = await office.open(token)
    await opened.page.getByText("Van 1, Obsidian black, Mercedes-Benz, V 300, ZH 123 456").waitFor()
    const notes = opened.page.locator(".note", { hasText: "Two large bags." })
    assert.strictEqual(await notes.innerText(), "Two large bags.\nNo phone calls, please.")
    await opened.close()
  })
})
