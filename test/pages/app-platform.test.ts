import { assert, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("the platform in the office", () => {
  const own = office()

  it("lets a super-admin without a business administer businesses, users and settings, and keeps refused input", async () => {
    const { body } = await own.api.get<{ business_id: number }>("/business")
    const business = body.data.business_id
    const opened = await own.open("/platform", await own.superAdmin())
    const { page } = opened
    await titled(page, "Platform")
    await page.getByRole("link", { name: "Lovelace Cars" }).press("Enter")
    await page.getByRole("heading", { name: "Usage" }).waitFor()
    assert.strictEqual(new URL(page.url()).pathname, `/app/platform/businesses/${business}`)
    await page.getByLabel("Credits to add").fill("25")
    await page.keyboard.press("Enter")
    await page.locator(".field.wrong").getByLabel("Reason").waitFor()
    assert.strictEqual(await page.getByLabel("Credits to add").inputValue(), "25")
    await assertAccessible(page)
    await page.getByLabel("Reason").fill("To try it")
    await page.keyboard.press("Enter")
    await page.getByText("Saved").waitFor()
    await takePictures(page, "app-platform-business", (it) =>
      it.getByRole("heading", { name: "Usage" }).waitFor()
    )
    await page.getByRole("button", { name: "Suspend" }).press("Enter")
    await page.getByRole("dialog").getByLabel("Reason").fill("Unpaid")
    await assertAccessible(page)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Activate again" }).press("Enter")
    await page.getByRole("dialog").getByRole("button", { name: "Activate again" }).press("Enter")
    await page.getByRole("button", { name: "Suspend" }).waitFor()
    const sections = page.getByRole("navigation", { name: "Sections of the platform" }).getByRole("link")
    const count = await sections.count()
    assert.strictEqual(count, 8)
    for (let index = 0; index < count; index++) {
      await sections.nth(index).press("Enter")
      await page.locator(".record, .list, .empty").first().waitFor()
      await assertAccessible(page)
      await takePictures(page, `app-platform-${new URL(page.url()).pathname.split("/").at(-1)}`, (it) =>
        it.locator(".record, .list, .empty").first().waitFor()
      )
    }
    await page.getByRole("link", { name: "Users" }).press("Enter")
    await page.getByRole("link", { name: "Ada Lovelace" }).press("Enter")
    await page.getByRole("link", { name: `Business ${business}` }).waitFor()
    await assertAccessible(page)
    await page.getByRole("link", { name: "Settings" }).first().press("Enter")
    await page.getByRole("heading", { name: "Limits of requests" }).waitFor()
    await page.getByRole("region", { name: "New accounts" }).getByText(/^Free/u).waitFor()
    const card = page.locator(".record").filter({ hasText: "Requests to sign in" })
    // The focus is in the form before the browser can bring the next key: it would go elsewhere.
    await card.getByRole("button", { name: "Edit" }).focus()
    const focused = await page.evaluate(`(async () => {
      document.activeElement.click()
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
      return document.activeElement.tagName
    })()`)
    assert.strictEqual(focused, "INPUT")
    const number = page.getByLabel("Requests to sign in", { exact: true })
    const before = await number.inputValue()
    await number.fill("-1")
    await page.keyboard.press("Enter")
    await page.locator(".field.wrong").waitFor()
    assert.strictEqual(await number.inputValue(), "-1")
    await number.fill(before)
    await page.keyboard.press("Enter")
    await page.locator("form").waitFor({ state: "detached" })
    const message = "Not ready: the database does not answer"
    await page.route("**/health/ready", (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/json",
        body: JSON.stringify({ error: { type: "server_error", message }, meta: { request_id: "req_1" } })
      })
    )
    await page.getByRole("link", { name: "Health" }).press("Enter")
    const health = page.getByRole("region", { name: "Health" })
    await health.getByText("Not ready", { exact: true }).waitFor()
    await health.getByText(message).waitFor()
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("does not show the platform to an owner of a business", async () => {
    const opened = await own.open("/platform")
    const { page } = opened
    await page.getByText("Your role does not include this").waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Platform" }).count(), 0)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
