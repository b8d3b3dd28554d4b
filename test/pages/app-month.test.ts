import { assert, it } from "vitest"
import { describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"

/** A day of the month before the present one, as a form has it. */
const lastMonth = (day: string) => {
  const at = new Date()
  at.setUTCDate(0)
  return `${at.toISOString().slice(0, 7)}-${day}`
}

describePages("a month of the office", () => {
  const own = office()

  it("goes from a new customer to a paid and credited invoice, its export and its report", async () => {
    const opened = await own.open("/customers")
    const { page } = opened
    await titled(page, "Customers")
    const button = (name: string) => page.getByRole("button", { name, exact: true })
    const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true })
    const goTo = (name: string) =>
      page.getByRole("navigation").first().getByRole("link", { name, exact: true }).click()

    await page.keyboard.press("n")
    await titled(page, "New customer")
    await page.getByLabel("Name").fill("Grace Hopper")
    await page.getByLabel("Email").fill("grace@navy.example")
    await page.keyboard.press("Enter")
    await titled(page, "Grace Hopper")
    const customer = new URL(page.url()).pathname

    for (const [day, price] of [
      ["05T09:00", "120"],
      ["12T18:30", "80"]
    ] as const) {
      await page.getByRole("link", { name: "New trip" }).first().click()
      await titled(page, "New trip")
      await page.getByText("A known customer").waitFor()
      await page.getByRole("combobox", { name: "From" }).fill("Opera House")
      await page.getByRole("combobox", { name: "To", exact: true }).fill("Grand Hotel")
      await page.getByLabel("Pickup", { exact: true }).fill(lastMonth(day))
      await page.getByLabel("Price", { exact: true }).fill(price)
      await button("Book").click()
      await page.getByRole("heading", { name: "History" }).waitFor()
      await button("Complete").click()
      await page.getByText("Now: Completed").first().waitFor()
      await page.goBack()
      await titled(page, "Grace Hopper")
    }
    assert.strictEqual(new URL(page.url()).pathname, customer)

    // The invoice of the month takes two clicks from its customer: the customer and the month are filled in.
    await page.getByRole("link", { name: "New invoice" }).click()
    await titled(page, "New invoice")
    await button("Make the invoice").click()
    await page.getByRole("heading", { level: 1, name: "Invoice" }).waitFor()
    await page.getByText("CHF 200.00").first().waitFor()

    await button("Email").click()
    await button("Send").click()
    await page.getByText("The email to grace@navy.example is on its way.").waitFor()
    await button("Record a payment").click()
    await page.keyboard.press("Enter")
    await page.locator(".badge", { hasText: "Paid" }).first().waitFor()
    await button("Credit").click()
    await page.getByRole("dialog").getByLabel("Refund its payments too").check()
    await inDialog("Credit").click()
    await page.getByText("is made").first().waitFor()

    await goTo("Money")
    await page.getByRole("link", { name: "Exports" }).click()
    await titled(page, "Exports")
    const download = page.waitForEvent("download")
    await button("Download").click()
    assert.match((await download).suggestedFilename(), /^Invoices .*\.csv$/u)
    await goTo("Reports")
    await titled(page, "Reports")
    await page.locator("tfoot tr").waitFor()

    const { body } = await own.api.get<ReadonlyArray<{ status: string; total_amount: number }>>("/invoices")
    assert.lengthOf(body.data, 1)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
