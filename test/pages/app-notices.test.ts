import { assert, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

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

  it("switches a kind off, shows own words as they are read, and says at the field which placeholder is unknown", async () => {
    const opened = await own.open("/settings/notices")
    const { page } = opened
    await titled(page, "Settings")
    const card = (name: string) => page.getByRole("region", { name, exact: true })
    await card("To passengers and bookers").getByRole("button", { name: "Edit" }).press("Enter")
    await page.getByLabel("Trip booked", { exact: true }).selectOption("")
    await page.getByLabel("Reminder, in minutes").fill("90")
    await assertAccessible(page)
    await card("To passengers and bookers").getByRole("button", { name: "Save" }).press("Enter")
    await card("To passengers and bookers").getByText("Off", { exact: true }).first().waitFor()
    const wordings = card("Words")
    await wordings.getByRole("combobox", { name: "Notice" }).selectOption("reminder")
    await wordings.getByRole("combobox", { name: "Language" }).selectOption("Deutsch")
    await wordings.getByLabel("Subject").fill("Fahrt {{reference}}")
    await wordings.getByLabel("Text", { exact: true }).fill("Guten Tag {{recipient_name}}")
    await wordings.getByLabel("Short text").fill("Bis bald {{nobody}}")
    await wordings.getByRole("button", { name: "Save" }).press("Enter")
    await wordings.locator(".field.wrong").getByLabel("Short text").waitFor()
    assert.strictEqual(await wordings.getByLabel("Subject").inputValue(), "Fahrt {{reference}}")
    await assertAccessible(page)
    await wordings.getByLabel("Short text").fill("Bis bald, {{business_name}}")
    await wordings.getByText(/^Bis bald, Lovelace Cars/u).waitFor()
    await wordings.getByRole("button", { name: "Save" }).press("Enter")
    await wordings.getByRole("button", { name: "Back to the usual words" }).waitFor()
    await takePictures(page, "app-settings-notices", (it) => it.locator(".preview").waitFor())
    const read = async () =>
      (
        await own.api.get<{
          channels: { booked: ReadonlyArray<string> }
          reminder_minutes: number
          templates: ReadonlyArray<object>
        }>("/settings/notices")
      ).body.data
    const { channels, reminder_minutes, templates } = await read()
    assert.deepStrictEqual(channels.booked, [])
    assert.strictEqual(reminder_minutes, 90)
    assert.deepStrictEqual(templates, [
      {
        kind: "reminder",
        language: "de",
        subject: "Fahrt {{reference}}",
        text: "Guten Tag {{recipient_name}}",
        short: "Bis bald, {{business_name}}"
      }
    ])
    await wordings.getByRole("combobox", { name: "Notice" }).selectOption("reminder")
    await wordings.getByRole("combobox", { name: "Language" }).selectOption("Deutsch")
    await wordings.getByRole("button", { name: "Back to the usual words" }).press("Enter")
    await wordings.getByRole("button", { name: "Back to the usual words" }).waitFor({ state: "detached" })
    assert.deepStrictEqual((await read()).templates, [])
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
