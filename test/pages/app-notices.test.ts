import { assert, it } from "vitest"
import { fixedPort } from "../support/FixedPort.ts"
import { receiver } from "../support/Receiver.ts"
import { assertAccessible, describePages, focused } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

// Only a server that knows its address tells the address of callbacks.
const port = await fixedPort()

describePages("the notices of the office", () => {
  const own = office(() => Promise.resolve({ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` }))

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
    await takePictures(page, "app-trip-told", (it) => it.getByText("Grace Hopper").first().waitFor())
    const customer = await own.api.post<{ customer_id: number }>("/customers", { name: "Grace Hopper" })
    await page.goto(page.url().replace(/trips\/.*/u, `customers/${customer.body.data.customer_id}`))
    const preferences = page.getByRole("region", { name: "Notices", exact: true })
    await preferences.waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-customer-notices", (it) => it.getByText("Grace Hopper").first().waitFor())
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

  it("sets a gateway for text messages by a recipe or by hand, tries it, and shows the address of its callbacks", async () => {
    const gateway = await receiver()
    gateway.answerWith((_, response) => {
      response.writeHead(201, { "content-type": "application/json" }).end('{"id":"SM1","status":"queued"}')
    })
    const opened = await own.open("/settings/notices")
    const { page } = opened
    const card = page.getByRole("region", { name: "Gateway for text messages" })
    const save = () => card.getByRole("button", { name: "Save" }).press("Enter")
    const wrong = (label: string) => card.locator(".field.wrong").getByLabel(label).waitFor()
    await card.getByLabel("Account SID").waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-settings-gateway", (it) =>
      it.getByText("Account SID").scrollIntoViewIfNeeded()
    )
    await save()
    await wrong("Sender")

    await card.getByLabel("Gateway", { exact: true }).selectOption("Another gateway")
    await card.getByLabel("Sender").fill("Lovelace")
    await card.getByLabel("Address", { exact: true }).fill("https://10.0.0.1:notaport/")
    await save()
    await wrong("Address")
    await card.getByLabel("Address", { exact: true }).fill(gateway.url)
    await save()
    await wrong("Token")
    await card.getByLabel("Token").fill("of this account")
    await card.locator("summary").filter({ hasText: "Response" }).press("Enter")
    await card.getByLabel("Path of the value that means success").fill("not a path")
    await save()
    await wrong("Path of the value that means success")
    await assertAccessible(page)
    await card.getByLabel("Path of the value that means success").fill("id")
    await save()

    await card.getByLabel("Phone").fill("+41 44 668 18 00")
    await card.getByRole("button", { name: "Send a test message" }).press("Enter")
    await card.getByText("The gateway took the message.").waitFor()
    await card.getByText('{"id":"SM1","status":"queued"}').waitFor()
    const [sent] = gateway.notices
    assert.strictEqual(sent?.headers.authorization, "Bearer of this account")
    assert.deepStrictEqual(JSON.parse(sent?.raw ?? ""), {
      to: "+41446681800",
      from: "Lovelace",
      text: "This is a test."
    })
    await assertAccessible(page)
    gateway.answerWith((_, response) => {
      response.writeHead(401).end("no such account")
    })
    await card.getByRole("button", { name: "Send a test message" }).press("Enter")
    await card.getByText("The message was not taken: the gateway responded with 401").waitFor()
    await card.getByText("no such account").waitFor()

    await card.getByRole("button", { name: "Edit" }).press("Enter")
    await card.getByLabel("Gateway", { exact: true }).selectOption("Twilio")
    await card.getByLabel("Account SID").fill("AC1")
    await save()
    await wrong("Auth token")
    await card.getByLabel("Auth token").fill("of Twilio")
    await save()
    const dialog = page.getByRole("dialog", { name: "Address for receipts and replies" })
    await dialog.getByText(/\/api\/v1\/public\/text-callbacks\/lvx_/u).waitFor()
    await assertAccessible(page)
    await dialog.getByRole("button", { name: "Close" }).press("Enter")
    await card.getByText("Twilio", { exact: true }).waitFor()
    const edit = card.getByRole("button", { name: "Edit" })
    await focused(edit)
    await edit.press("Enter")
    await focused(card.getByLabel("Gateway", { exact: true }))
    await card.getByRole("button", { name: "Cancel" }).press("Enter")
    await focused(edit)
    await takePictures(page, "app-settings-gateway-stored", (it) =>
      it.getByText("AC1").scrollIntoViewIfNeeded()
    )
    const stored = (await own.api.get<object>("/settings/text-gateway")).text
    assert.notInclude(stored, "of Twilio")
    assert.include(stored, "X-Twilio-Signature")
    await card.getByRole("button", { name: "Remove" }).press("Enter")
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter")
    await card.getByLabel("Account SID").waitFor()
    assert.strictEqual((await own.api.get("/settings/text-gateway")).body.data, null)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
    await gateway.close()
  })
})
