import { assert, expect, it } from "vitest"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import { drivingOffice, fakeWakeLock, headline, overflow, tap, type TripDrivers } from "./support/Driving.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("the screen of the driver's page", () => {
  const office = drivingOffice()

  it("keeps the screen awake while the driver is under way, and again once the page is visible", async () => {
    const { token } = await office.newJob({ stops: [] })
    const opened = await office.open("none")
    const { page } = opened
    await page.addInitScript(fakeWakeLock)
    await page.goto("about:blank")
    await page.goto(`${office.server.address}/drive#${token}`)
    await headline(page, "Ready to set out")
    assert.deepStrictEqual(await page.evaluate("locks"), { asked: 0, released: 0 })
    await tap(page, "Set out")
    await headline(page, "On the way to the pickup")
    await expect.poll(() => page.evaluate("locks.asked")).toBe(1)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect.poll(() => page.evaluate("locks.asked")).toBe(2)
    await tap(page, "I have arrived")
    await tap(page, "Passenger is on board")
    await tap(page, "Finish the ride")
    await page.getByRole("dialog").getByRole("button", { name: "Finish the ride" }).click()
    await headline(page, "This job is done")
    await expect.poll(() => page.evaluate("locks.released > 0")).toBe(true)
    await opened.close()
  })

  it("is done by keyboard alone, from setting out to the end", async () => {
    const { id, token } = await office.newJob()
    const opened = await office.open(token)
    const { page } = opened
    const focused = async () =>
      String(await page.evaluate("document.activeElement.textContent")).replaceAll("\u00a0", " ")
    const press = async (name: string) => {
      await page.waitForTimeout(1050)
      for (let steps = 0; (await focused()) !== name; steps += 1) {
        assert.isBelow(steps, 30, `${name} is not reached by Tab`)
        await page.keyboard.press("Tab")
      }
      await page.keyboard.press("Enter")
    }
    await headline(page, "Ready to set out")
    await press("Set out")
    await headline(page, "On the way to the pickup")
    await press("I have arrived")
    await headline(page, "Waiting for the passenger")
    await press("Passenger is on board")
    await headline(page, "Passenger on board")
    await press("Arrived at stop 1")
    await page.getByRole("button", { name: "Finish the ride" }).waitFor()
    await press("Finish the ride")
    const dialog = page.getByRole("dialog", { name: "Finish the ride?" })
    await dialog.waitFor()
    await page.keyboard.press("Escape")
    await page.locator("dialog").waitFor({ state: "detached" })
    assert.strictEqual(await focused(), "Finish the ride")
    await page.keyboard.press("Enter")
    await dialog.waitFor()
    await press("Finish the ride")
    await headline(page, "This job is done")
    await expect
      .poll(async () => (await office.api.get<TripDrivers>(`/trips/${id}`)).body.data.status)
      .toBe("completed")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("fits a phone of 360 pixels with long names, in each direction of writing", async () => {
    const long = "Donaudampfschifffahrtsgesellschaftskapitänswitwe".repeat(4)
    const { token } = await office.newJob({
      customer_name: long,
      pickup_address: long,
      dropoff_address: `${long} 1`,
      pickup_sign: long,
      notes: long,
      flight_number: "LX 1234567890",
      stops: [{ address: long, contact: long }],
      passengers: [{ name: long, phone: "+41 79 000 00 00" }]
    })
    for (const language of ["en", "de", "ar"]) {
      const opened = await openPage(`${office.server.address}/drive?lang=${language}#${token}`, {
        viewport: { width: 360, height: 740 }
      })
      const { page } = opened
      await page.locator(".note").waitFor()
      assert.isAtMost(Number(await page.evaluate(overflow)), 0, language)
      if (language === "en") await takePictures(page, "drive-long", (it) => it.locator(".note").waitFor())
      await page.locator(".calls button").click()
      await page.locator("dialog.sign").waitFor()
      assert.isAtMost(
        Number(await page.evaluate("document.querySelector('dialog').scrollWidth - innerWidth")),
        0
      )
      await assertAccessible(page)
      assert.deepStrictEqual(opened.faults, [])
      await opened.close()
    }
  })

  it("shows the address for an app that reports positions while the screen is locked", async () => {
    const { id, token } = await office.newJob()
    await office.api.post(`/driver/status?token=${token}`, { status: "en_route" })
    const opened = await office.open(token)
    const { page } = opened
    await page.getByText("Position while the screen is locked").click()
    const address = await page.getByRole("group", { name: "Address for the app" }).textContent()
    await assertAccessible(page)
    const answer = await fetch(address ?? "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ _type: "location", lat: 46.5, lon: 7.5, tst: Math.floor(Date.now() / 1000) })
    })
    assert.deepStrictEqual([answer.status, await answer.text()], [200, "[]"])
    const where = await office.api.get<{ position: { lat: number } }>(`/trips/${id}/location`)
    assert.strictEqual(where.body.data.position.lat, 46.5)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("can be put on the home screen, with icons that phones show", async () => {
    const manifest = await fetch(`${office.server.address}/drive.webmanifest`)
    const { icons } = (await manifest.json()) as {
      readonly icons: ReadonlyArray<{ readonly src: string; readonly sizes: string; readonly type: string }>
    }
    assert.includeMembers(
      icons.map(({ sizes }) => sizes),
      ["192x192", "512x512"]
    )
    for (const { sizes, src, type } of icons) {
      const icon = await fetch(new URL(src, manifest.url))
      assert.deepStrictEqual([icon.status, icon.headers.get("content-type")], [200, type])
      const bytes = Buffer.from(await icon.arrayBuffer())
      // The width and the height of a PNG.
      if (type === "image/png")
        assert.strictEqual(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes)
    }
  })

  it("says that a link does not work, and what to do", async () => {
    const opened = await office.open("drv_1_none")
    await opened.page.getByText("This link does not work any more").waitFor()
    await assertAccessible(opened.page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("runs from right to left in Arabic, on the narrowest screen at twice the size of text", async () => {
    const { token } = await office.newJob()
    const opened = await office.open(token, "?lang=ar")
    const { page } = opened
    await headline(page, "جاهز للانطلاق")
    await assertAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
    assert.isAtMost(Number(await page.evaluate(overflow)), 0)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
