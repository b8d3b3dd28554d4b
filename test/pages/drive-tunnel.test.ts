import { randomUUID } from "node:crypto"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, expect, it } from "vitest"
import { assertAccessible, describePages, keptBrowser } from "./support/Browser.ts"
import {
  drivingOffice,
  fakePosition,
  headline,
  slowClock,
  tap,
  type TripDrivers,
  waitingCount,
  waitingReports
} from "./support/Driving.ts"
import { tunnelTo } from "./support/Tunnel.ts"

describePages("the driver's page in a tunnel", () => {
  const office = drivingOffice()

  it("loses and repeats nothing of 40 taps and 600 positions in a tunnel, though the browser is killed in it", async () => {
    // The taps: setting out, the arrival, on board, each stop, and the end.
    const stops = Array.from({ length: 36 }, (_, index) => ({ address: `Stop ${index + 1}` }))
    const { id, token } = await office.newJob({ stops })
    const tunnel = await tunnelTo(office.server.address)
    const profile = join(tmpdir(), `livery-phone-${randomUUID()}`)
    let phone = await keptBrowser(profile, fakePosition + slowClock)
    let page = phone.page
    await page.goto(`${tunnel.address}/drive#${token}`)
    await headline(page, "Ready to set out")
    await page.evaluate("navigator.serviceWorker.ready")
    await expect
      .poll(
        () => page.evaluate("caches.open('livery-drive').then((it) => it.match('./drive')).then(Boolean)"),
        { timeout: 20_000 }
      )
      .toBe(true)

    // The response to the first tap is lost on the way, so that the office.server has it and the phone does not know.
    tunnel.set("deaf")
    await tap(page, "Set out")
    await expect
      .poll(async () => (await office.api.get<TripDrivers>(`/trips/${id}`)).body.data.status)
      .toBe("in_progress")
    tunnel.set("cut")
    // The phone measures a position each second of its next ten minutes.
    const begin = Number(await page.evaluate("Date.now()"))
    const move = (from: number, to: number) =>
      page.evaluate(`(async () => {
        for (let index = ${from}; index < ${to}; index += 1) {
          moveTo(47.45 - index / 1000, 8.56, ${begin} + index * 1000)
          if (index % 50 === 0) await new Promise((next) => setTimeout(next, 50))
        }
      })()`)
    const stopAt = async (from: number, to: number) => {
      for (let stop = from; stop <= to; stop += 1) await tap(page, `Arrived at stop ${stop}`)
    }
    await tap(page, "I have arrived")
    await move(0, 300)
    await tap(page, "Passenger is on board")
    await stopAt(1, 10)
    await page.getByText("No connection.").waitFor()
    await assertAccessible(page)
    if (process.env["LIVERY_PICTURES"] !== undefined)
      await page.screenshot({ path: join(process.env["LIVERY_PICTURES"], "drive-tunnel.png") })

    await phone.kill()
    phone = await keptBrowser(profile, fakePosition + slowClock)
    page = phone.page
    await page.goto(`${tunnel.address}/drive#${token}`)
    await page.getByRole("button", { name: "Arrived at stop 11" }).waitFor()
    await page.getByText(/Waiting reports: \d+/u).waitFor()
    await move(300, 600)
    await stopAt(11, 36)
    await tap(page, "Finish the ride")
    await page.getByRole("dialog").getByRole("button", { name: "Finish the ride" }).click()
    await headline(page, "This job is done")
    assert.lengthOf(await office.milestonesOf(id), 0)
    assert.strictEqual(await waitingReports(page), 40)

    let recorded = 0
    page.on("response", async (response) => {
      if (!response.url().includes("/driver/locations?") || !response.ok()) return
      const { data } = (await response.json()) as { readonly data: { readonly recorded: number } }
      recorded += data.recorded
    })
    tunnel.set("open")
    await expect
      .poll(async () => (await office.api.get<TripDrivers>(`/trips/${id}`)).body.data.status, {
        timeout: 60_000
      })
      .toBe("completed")
    const milestones = await office.milestonesOf(id)
    assert.deepStrictEqual(
      milestones.map(({ milestone, stop_index }) => `${milestone} ${stop_index ?? ""}`.trim()),
      ["arrived_at_pickup", "passenger_on_board", ...stops.map((_, index) => `arrived_at_stop ${index}`)]
    )
    const times = milestones.map(({ at }) => Date.parse(at))
    assert.deepStrictEqual(
      times,
      times.toSorted((one, other) => one - other)
    )
    assert.isTrue(new Set(times).size > 3)
    await expect.poll(() => page.evaluate(waitingCount)).toBe(0)
    assert.strictEqual(recorded, 600)
    await phone.close()
    await tunnel.close()
    await rm(profile, { recursive: true, force: true })
  }, 240_000)
})
