import { assert, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("calendars and flights in the office", () => {
  const own = office()

  it("shows a new link to a driver's calendar once, which works until it is ended", async () => {
    const driver = await own.api.post<{ driver_id: number }>("/drivers", { name: "Hedy Lamarr" })
    const opened = await own.open(`/drivers/${driver.body.data.driver_id}`)
    const { page } = opened
    await titled(page, "Hedy Lamarr")
    await takePictures(page, "app-driver-calendar", (it) => it.getByText("Hedy").first().waitFor())
    const calendar = page.locator("section").filter({ has: page.getByRole("heading", { name: "Calendar" }) })
    await calendar.getByRole("button", { name: "New link" }).press("Enter")
    const url = (await page.getByRole("dialog").locator("code").textContent()) ?? ""
    await assertAccessible(page)
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).press("Enter")
    assert.notInclude(await page.content(), url)
    const status = async () => (await fetch(url)).status
    assert.strictEqual(await status(), 200)
    await calendar.getByRole("button", { name: "End the link" }).press("Enter")
    await page.getByText("The link has ended").waitFor()
    assert.strictEqual(await status(), 404)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("changes how pickups follow flights, and says if the installation cannot look flights up", async () => {
    const opened = await own.open("/settings/dispatch")
    const { page } = opened
    const flights = page.locator("section").filter({ has: page.getByRole("heading", { name: "Flights" }) })
    await flights.getByRole("button", { name: "Edit" }).press("Enter")
    await flights.getByText("This installation has no service of flight status.").waitFor()
    await flights.getByLabel("Minutes between landing and pickup, at least").fill("25")
    await assertAccessible(page)
    await page.keyboard.press("Enter")
    await flights.getByText("25", { exact: true }).waitFor()
    const { body } = await own.api.get<{ buffer_minutes: number }>("/settings/flights")
    assert.strictEqual(body.data.buffer_minutes, 25)
    await takePictures(page, "app-settings-flights", (it) =>
      it.locator(".record-grid section").nth(1).waitFor()
    )
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
