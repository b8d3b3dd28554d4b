import { assert, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("the notices of the office", () => {
  const own = office()

  it("are switched by kind, worded with a preview, and chosen for a customer", async () => {
    const opened = await own.open("/settings/notices")
    const { page } = opened
    await titled(page, "Settings")
    await page.getByRole("button", { name: "Edit To passengers and bookers" }).press("Enter")
    await page.getByLabel("Trip booked").selectOption("mail")
    await page.getByLabel("Driver on the way").selectOption("text,mail")
    await page.getByLabel("Quiet time in minutes").fill("99")
    await assertAccessible(page)
    await page.keyboard.press("Enter")
    await page.locator(".field.wrong").getByLabel("Quiet time in minutes").fill("5")
    await page.keyboard.press("Enter")
    await page.getByText("Text message, else Email").waitFor()
    const stored = await own.api.get<{ channels: object; quiet_minutes: number }>("/settings/notices")
    assert.deepInclude(stored.body.data.channels, {
      booked: ["mail"],
      on_the_way: ["text", "mail"],
      arrived: []
    })
    assert.strictEqual(stored.body.data.quiet_minutes, 5)

    const words = page.getByRole("region", { name: "Words" })
    await words.getByText("is booked.").first().waitFor()
    await words.getByLabel("Language").selectOption("de")
    await words.getByText("ist gebucht.").first().waitFor()
    await words.getByLabel("Subject").fill("Gebucht: {{refrence}}")
    await words.getByLabel("Text", { exact: true }).fill("Guten Tag {{recipient_name}}")
    await words.getByLabel("Short text").fill("Gebucht {{pickup_time}}")
    await words.getByRole("button", { name: "Save" }).press("Enter")
    await words.locator(".field.wrong").getByLabel("Subject").fill("Gebucht: {{reference}}")
    await words.getByText("Gebucht: TR-4F7K2Q9").waitFor()
    await words.getByRole("button", { name: "Save" }).press("Enter")
    await words.getByRole("button", { name: "Back to the usual words" }).waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-notices", (it) => it.getByText("Segments of a text message").waitFor())

    const customer = await own.api.post<{ customer_id: number }>("/customers", { name: "Grace Hopper" })
    await page.goto(page.url().replace(/settings\/notices.*/u, `customers/${customer.body.data.customer_id}`))
    await page.getByRole("button", { name: "Edit Notices" }).press("Enter")
    await page.getByLabel("Which notices").selectOption("own")
    await page.getByLabel("Trip cancelled").selectOption("true")
    await page.keyboard.press("Enter")
    await page.getByText("As chosen here").waitFor()
    const path = `/customers/${customer.body.data.customer_id}/notice-preferences`
    assert.deepStrictEqual((await own.api.get<object>(path)).body.data, {
      kinds: ["cancelled"],
      channels: null
    })
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

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
