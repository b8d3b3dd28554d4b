import { assert, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("the reports of the office", () => {
  const own = office()

  it("shows each report as a chart and a table that sum to the invoices, and downloads it as CSV", async () => {
    for (const [name, amount] of [
      ["Grace Hopper", 200],
      ["Emmy Noether", 100]
    ] as const) {
      const customer = await own.api.post<{ customer_id: number }>("/customers", { name })
      const invoice = await own.api.post("/invoices", {
        customer_id: customer.body.data.customer_id,
        items: [{ description: "Airport", quantity: 1, unit_price: amount, tax_rate: 8.1 }]
      })
      assert.strictEqual(invoice.status, 201, invoice.text)
    }
    const opened = await own.open("/reports")
    const { page } = opened
    await titled(page, "Reports")
    const total = page.locator("tfoot tr")
    await total.getByText("CHF 300.00").waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-reports", (it) => it.locator("tfoot tr").waitFor())
    await page.getByLabel("By", { exact: true }).selectOption("Customer")
    await page.getByRole("cell", { name: "Grace Hopper" }).waitFor()
    await page.getByText("Highest: Grace Hopper, CHF 200.00").waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-reports-by", (it) => it.locator("tfoot tr").waitFor())
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download as CSV" }).press("Enter")
    assert.strictEqual((await download).suggestedFilename(), "revenue.csv")
    for (const report of ["Trips", "Punctuality", "Drivers", "Cars", "Unpaid invoices", "Taxes"]) {
      await page.getByLabel("Report", { exact: true }).selectOption(report)
      await page.locator(".chart, .empty").first().waitFor()
      await assertAccessible(page)
    }
    await page.getByText("8.1%").first().waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("says at the field which days a report cannot have", async () => {
    const opened = await own.open("/reports/revenue?from=2026-11-30&to=2026-11-01")
    const { page } = opened
    await titled(page, "Reports")
    await page.locator(".field.wrong").first().waitFor()
    await assertAccessible(page)
    await page.getByLabel("From day").fill("2026-10-01")
    await page.getByText("on the clock of Europe/Zurich").waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
