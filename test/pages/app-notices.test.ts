import { assert, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office } from "./support/Office.ts"

describePages("the notices of the office", () => {
  const own = office()

  it("tell in the history of a trip what was sent, and a driver gets a message", async () => {
    const driver = await own.api.post<{ driver_id: number }>("/drivers", {
      name: "Joan Clarke",
      email: "joan@clarke.example"
    })
    const opened = await own.open(`/drivers/${driver.body.data.driver_id}`)
    const { page } = opened
    await page.getByRole("button", { name: "Send a message" }).press("Enter")
    await page.getByRole("dialog").getByLabel("Message").fill("Please call us")
    await assertAccessible(page)
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).press("Enter")
    await page.getByText("The message is on its way").waitFor()
    const trip = await own.api.post<{ trip_id: number }>("/trips", {
      trip_date: "2030-12-20T09:00:00",
      pickup_address: "Airport",
      dropoff_address: "Hotel",
      customer_name: "Grace Hopper"
    })
    const { trip_id } = trip.body.data
    await own.api.post(`/drivers/${driver.body.data.driver_id}/messages`, { text: "A sign, please", trip_id })
    await page.goto(page.url().replace(/drivers\/.*/u, `trips/${trip_id}`))
    for (;;) {
      const told = page.getByText("Message from the office by Email: sent")
      if (await told.isVisible()) break
      await page.reload()
      await page.getByRole("heading", { name: "History" }).waitFor()
      await page
        .getByText("Booked")
        .first()
        .waitFor({ timeout: 500 })
        .catch(() => undefined)
    }
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
