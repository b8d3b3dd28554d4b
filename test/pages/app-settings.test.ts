import { assert, it } from "vitest"
import { assertAccessible, describePages, focused, overflowOf } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

describePages("the settings of the office", () => {
  const own = office()

  it("changes settings in place by keyboard, and keeps what was typed if the server refuses a field", async () => {
    const opened = await own.open("/")
    const { page } = opened
    await titled(page, "Board")
    await page.keyboard.press("g")
    await page.keyboard.press("e")
    await titled(page, "Settings")
    await page.getByRole("button", { name: "Edit Company" }).press("Enter")
    await page.getByLabel("Phone").fill("+41 44 123 45 67")
    await page.getByLabel("Name in the address of the booking page").fill("Not a slug!")
    await assertAccessible(page)
    await page.keyboard.press("Enter")
    await page.locator(".field.wrong").getByLabel("Name in the address").waitFor()
    assert.strictEqual(await page.getByLabel("Phone").inputValue(), "+41 44 123 45 67")
    await assertAccessible(page)
    await page.getByLabel("Name in the address of the booking page").fill("lovelace")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Edit Company" }).waitFor()
    const { body } = await own.api.get<{ vendor_slug: string; phone: string }>("/settings/business")
    assert.strictEqual(body.data.vendor_slug, "lovelace")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("shows every section without a fault", async () => {
    const opened = await own.open("/settings")
    const { page } = opened
    await titled(page, "Settings")
    const sections = page.getByRole("navigation", { name: "Sections of the settings" }).getByRole("link")
    const count = await sections.count()
    assert.strictEqual(count, 12)
    for (let index = 0; index < count; index++) {
      await sections.nth(index).press("Enter")
      await page.locator(".record, .list, .empty").first().waitFor()
      await assertAccessible(page)
      const name = new URL(page.url()).pathname.split("/").at(-1)
      await takePictures(page, `app-settings-${name}`, (it) =>
        it.locator(".record, .list, .empty").first().waitFor()
      )
    }
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("takes opening hours by weekday, taxes by line and accounts, and says at the field what it cannot read", async () => {
    const opened = await own.open("/settings/booking")
    const { page } = opened
    await page.getByRole("button", { name: "Edit Hours of pickups" }).press("Enter")
    await page.getByLabel("Monday").fill("8-12, 13:00–18:30")
    await page.getByLabel("Tuesday").fill("morning")
    await page.keyboard.press("Enter")
    await page.locator(".field.wrong").getByLabel("Tuesday").waitFor()
    await page.getByLabel("Tuesday").fill("8:00-12:00")
    await page.keyboard.press("Enter")
    await page.getByText("08:00–12:00, 13:00–18:30").waitFor()
    await page.getByRole("link", { name: "Taxes" }).click()
    await page.getByRole("button", { name: "Edit Taxes" }).press("Enter")
    await page.getByLabel("Taxes of new lines").fill("8.1 MWST")
    await page.getByRole("button", { name: "Save" }).press("Enter")
    await page.getByText("8.1 MWST").waitFor()
    await page.getByRole("link", { name: "Accounts" }).click()
    await page.getByRole("button", { name: "Edit Xero" }).press("Enter")
    await page.getByLabel("Receivables").fill("1100")
    await page.getByLabel("Accounts of tax rates").fill("8.1 3400")
    await page.getByRole("button", { name: "Save" }).press("Enter")
    await page.getByText("8.1 3400").waitFor()
    const { body } = await own.api.get<{
      booking_page: { opening_hours: ReadonlyArray<unknown> }
      default_taxes: ReadonlyArray<unknown>
    }>("/settings/business")
    assert.deepStrictEqual(body.data.booking_page.opening_hours, [
      { from: "08:00", to: "12:00", weekdays: ["mon", "tue"], dates: [] },
      { from: "13:00", to: "18:30", weekdays: ["mon"], dates: [] }
    ])
    assert.deepStrictEqual(body.data.default_taxes, [{ name: "MWST", rate: 8.1 }])
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("uploads the logo, and shows the wording of an email with example values while one types", async () => {
    const opened = await own.open("/settings/brand")
    const { page } = opened
    await page
      .getByLabel("Picture of the logo")
      .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: png })
    await page.getByRole("button", { name: "Upload" }).press("Enter")
    await page.getByRole("img", { name: "Logo" }).waitFor()
    await page.getByRole("link", { name: "Emails" }).click()
    await page.getByRole("button", { name: "Edit Quote sent" }).press("Enter")
    await page.getByLabel("Subject").fill("Your quote {{reference}}")
    await page.getByLabel("Text").fill("Dear {{customer_name}}")
    await page.getByText("Your quote LIV-2041").waitFor()
    await page.getByText("Dear Grace Hopper").waitFor()
    await assertAccessible(page)
    await page.getByRole("button", { name: "Save" }).press("Enter")
    await page.getByRole("button", { name: "Edit Quote sent" }).waitFor()
    await takePictures(page, "app-settings-wording", (it) => it.getByText("LIV-2041").waitFor())
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("invites members and revokes invitations, and keeps the role of the only owner", async () => {
    const opened = await own.open("/settings/members")
    const { page } = opened
    await page.getByLabel("Email", { exact: true }).fill("nobody")
    await page.keyboard.press("Enter")
    await page.locator(".field.wrong").getByLabel("Email").waitFor()
    await page.getByLabel("Email", { exact: true }).fill("grace@cars.example")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Open invitations" }).waitFor()
    await focused(page.getByLabel("Email", { exact: true }))
    await page.keyboard.type(`${"a.long.address".repeat(4)}@cars.example`)
    await page.keyboard.press("Enter")
    await page.getByRole("cell", { name: "a.long.address" }).first().waitFor()
    await assertAccessible(page)
    await page.setViewportSize({ width: 768, height: 800 })
    assert.strictEqual(await overflowOf(page), 0)
    await page.getByRole("button", { name: "Remove a.long.address" }).press("Enter")
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter")
    await page.getByRole("cell", { name: "a.long.address" }).first().waitFor({ state: "detached" })
    await focused(page.getByRole("region", { name: "Members" }))
    await page.getByRole("button", { name: "Remove grace@cars.example" }).press("Enter")
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter")
    await page.getByRole("heading", { name: "Open invitations" }).waitFor({ state: "detached" })
    await page.getByLabel("Role: Ada Lovelace").selectOption("Viewer")
    await page.locator(".toast").getByText("owner").waitFor()
    assert.strictEqual(await page.getByLabel("Role: Ada Lovelace").inputValue(), "owner")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("shows a new API key once, and deletes it", async () => {
    const opened = await own.open("/settings/keys")
    const { page } = opened
    await page.getByRole("button", { name: "New API key" }).press("Enter")
    const key = (await page.getByRole("dialog").locator("code").textContent()) ?? ""
    await assertAccessible(page)
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).press("Enter")
    assert.notInclude(await page.content(), key)
    await page.getByLabel("The key in full").fill(key)
    await page.keyboard.press("Enter")
    await page.getByText("There is no API key yet.").waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("makes a webhook, sends it a test event, and shows the delivery", async () => {
    const opened = await own.open("/settings/webhooks/new")
    const { page } = opened
    await page.getByRole("button", { name: "Create" }).press("Enter")
    await page.locator(".wrong").first().waitFor()
    await assertAccessible(page)
    await page.getByLabel("Address").fill("https://hooks.example/livery")
    await page.getByLabel("trip.created").check()
    await page.getByRole("button", { name: "Create" }).press("Enter")
    await page.getByRole("dialog").getByText("This is shown only now.").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).press("Enter")
    await page.getByRole("button", { name: "Send a test event" }).press("Enter")
    await page.getByRole("cell", { name: "trip.created" }).first().waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-settings-webhook", (it) => it.getByRole("table").waitFor())
    await page.getByRole("button", { name: "Disable" }).press("Enter")
    await page.getByRole("button", { name: "Enable" }).waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
