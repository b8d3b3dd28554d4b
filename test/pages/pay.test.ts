import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, expect, it, vi } from "vitest"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"
import { type PagesServer, startSandbox } from "./support/Sandbox.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

const badge = (page: Page, text: string) => page.locator(".badge", { hasText: text }).waitFor()

describePages("the payment page", () => {
  let sandbox: PagesServer
  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.place.remove())

  const issued = async (change: object = {}) => {
    const answer = await sandbox.api.post<{ invoice_id: number; payment_hash: string }>("/invoices", {
      currency: "EUR",
      due_date: "2031-06-30",
      items: [
        { description: "Airport transfer <b>with care</b>", quantity: 2, unit_price: 120, tax_rate: 8.1 },
        { description: "Child seat", unit_price: 15, tax_rate: 8.1 }
      ],
      ...change
    })
    return answer.body.data
  }

  const open = (hash: string, query = "") => openPage(`${sandbox.server.address}/pay${query}#invoice=${hash}`)

  const payWith = async (page: Page, card: string) => {
    await page.getByLabel("Test card").selectOption(card)
    await page.getByRole("button", { name: /^Pay €/u }).click()
  }

  it("takes a card after a declined one, and another tab shows it within a second", async () => {
    const { payment_hash } = await issued()
    const { close, faults, page } = await open(payment_hash)
    await shown(page, "Airport transfer <b>with care</b>")
    await badge(page, "Open")
    await assertAccessible(page)
    await takePictures(page, "pay-open", (it) => it.locator("table").waitFor())
    const other = await page.context().newPage()
    await other.goto(page.url())
    await badge(other, "Open")

    await page.getByRole("button", { name: /^Pay €/u }).click()
    await shown(page, "This is a test. No money moves.")
    await assertAccessible(page)
    await payWith(page, "pm_card_visa_chargeDeclined")
    await shown(page, "The payment did not go through")
    await shown(page, "Your card was declined.")
    await assertAccessible(page)
    await takePictures(page, "pay-declined", (it) => it.locator("table").waitFor())
    if (page.url().includes("lang")) await page.goto(page.url())
    if ((await page.getByLabel("Test card").count()) === 0)
      await page.getByRole("button", { name: /^Pay €/u }).click()
    await payWith(page, "pm_card_visa")
    await badge(page, "Paid")
    await other.locator(".badge", { hasText: "Paid" }).waitFor({ timeout: 1000 })
    assert.strictEqual(await page.getByRole("button", { name: /^Pay/u }).count(), 0)
    await assertAccessible(page)
    await takePictures(page, "pay-paid", (it) => it.locator("table").waitFor())
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("shows the bank account with a code for banking apps, and opens the PDF", async () => {
    const { payment_hash } = await issued()
    const { close, page } = await open(payment_hash)
    await shown(page, "CH93 0076 2011 6238 5295 7")
    await page.locator("svg.code path[d^=M]").waitFor()
    const pdf = await fetch(
      (await page.getByRole("link", { name: "Open the PDF" }).getAttribute("href")) ?? ""
    )
    assert.strictEqual(pdf.headers.get("content-type"), "application/pdf")
    assert.match(await pdf.text(), /^%PDF/u)
    await close()
  })

  it("says what is paid in part, void, credited and overdue", async () => {
    const { api } = sandbox
    const part = await issued()
    await api.post(`/invoices/${part.invoice_id}/payments`, { amount: 100, method: "cash" })
    const voided = await issued()
    await api.post(`/invoices/${voided.invoice_id}/void`)
    const credited = await issued()
    const opened = await open(credited.payment_hash)
    await badge(opened.page, "Open")
    await opened.close()
    await api.post(`/invoices/${credited.invoice_id}/credit-notes`, { reason: "complaint" })
    const late = await issued({ due_date: "2020-01-01" })
    for (const [hash, state, note] of [
      [part.payment_hash, "Partly paid", "Already paid"],
      [voided.payment_hash, "Cancelled", "Please do not pay it."],
      [credited.payment_hash, "Credited", "Nothing is to be paid."],
      [late.payment_hash, "Overdue", "To pay"]
    ] as const) {
      const { close, faults, page } = await open(hash)
      await badge(page, state)
      await shown(page, note)
      await assertAccessible(page)
      const isPayable = state === "Partly paid" || state === "Overdue"
      assert.strictEqual(await page.getByRole("button", { name: /^Pay €/u }).count(), isPayable ? 1 : 0)
      assert.deepStrictEqual(faults, [])
      await close()
    }
  })

  it("shows a payment that the office enters while the page is open", async () => {
    const { invoice_id, payment_hash } = await issued()
    const { close, page } = await open(payment_hash, "?lang=de")
    await badge(page, "Offen")
    await sandbox.api.post(`/invoices/${invoice_id}/payments`, { amount: 275.66, method: "bank_transfer" })
    await badge(page, "Bezahlt")
    assert.strictEqual(await page.locator(".code").count(), 0)
    await close()
  })

  it("takes a part of the amount if the business allows it, and two tabs never more than is due", async () => {
    await sandbox.api.patch("/settings/business", { part_payments_allowed: true })
    const { payment_hash } = await issued()
    const { close, faults, page } = await open(payment_hash)
    const amount = page.getByLabel("Amount to pay now")
    const pay = page.getByRole("button", { name: /^Pay €/u })
    assert.strictEqual(await amount.inputValue(), "275.66")
    for (const wrong of ["", "0", "-1", "275.67", "ten"]) {
      await amount.fill(wrong)
      await pay.click()
      await shown(page, "Enter an amount from €0.01 to €275.66.")
    }
    await amount.fill("1.000")
    await pay.click()
    await shown(page, "Please write the amount as in 275.66.")
    await expect.poll(() => page.evaluate("document.activeElement.inputMode")).toBe("decimal")
    await assertAccessible(page)
    await takePictures(page, "pay-part", (it) => it.locator("[inputmode=decimal]").waitFor())
    await amount.fill("200,50")
    await page.getByRole("button", { name: "Pay €200.50" }).click()
    await page.getByLabel("Test card").waitFor()
    await assertAccessible(page)

    // Another tab begins another part: the first one can no longer be paid.
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByLabel("Amount to pay now").fill("100")
    await other.getByRole("button", { name: "Pay €100.00" }).click()
    await other.getByLabel("Test card").waitFor()
    await payWith(page, "pm_card_visa")
    await shown(page, "The payment did not go through")
    await payWith(other, "pm_card_visa")
    await badge(other, "Partly paid")
    await badge(page, "Partly paid")
    assert.strictEqual(await amount.inputValue(), "175.66")
    await pay.click()
    await payWith(page, "pm_card_visa")
    await badge(page, "Paid")
    assert.deepStrictEqual(faults, [])
    await close()
    await sandbox.api.patch("/settings/business", { part_payments_allowed: false })
  })

  it("takes amounts as the reader writes them, and none below the least amount of the currency", async () => {
    await sandbox.api.patch("/settings/business", { part_payments_allowed: true })
    const items = [{ description: "Coach", unit_price: 2500 }]
    const euros = await issued({ items })
    const yen = await issued({ items, currency: "JPY" })
    for (const [hash, language, shownFirst, typed, button] of [
      [euros.payment_hash, "de", "2500,00", "1.000", /^1\.000,00\s€ bezahlen$/u],
      [euros.payment_hash, "en", "2500.00", "1,000", /^Pay €1,000\.00$/u],
      [euros.payment_hash, "ar", /^(?:2500\.00|٢٥٠٠٫٠٠)$/u, "١٠٠٠٫٥٠", /1,000\.50|١٬٠٠٠٫٥٠/u],
      [yen.payment_hash, "en", "2500", "1", /^Pay JP¥1$/u]
    ] as const) {
      const { close, faults, page } = await open(hash, `?lang=${language}`)
      const amount = page.locator("[inputmode=decimal]")
      assert.match(await amount.inputValue(), new RegExp(shownFirst, "u"))
      await amount.fill(typed)
      await page.getByRole("button", { name: button }).waitFor({ timeout: 5000 })
      assert.deepStrictEqual(faults, [])
      await close()
    }
    const { close, page } = await open(yen.payment_hash)
    for (const wrong of ["0.5", "0"]) {
      await page.getByLabel("Amount to pay now").fill(wrong)
      await page.getByRole("button", { name: /^Pay/u }).click()
      await page.getByText(/from JP¥1 to JP¥2,500|as in 2500/u).waitFor()
    }
    await close()
    await sandbox.api.patch("/settings/business", { part_payments_allowed: false })
  })

  it("sends nothing while the provider's form is missing, and says that it cannot be reached", async () => {
    const { payment_hash } = await issued()
    const { close, page } = await open(payment_hash)
    await badge(page, "Open")
    await page.route("**/public/invoices/*", async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { readonly data: object }
      const card = { publishable_key: "pk_test_none", api_base: null }
      await route.fulfill({ response, json: { data: { ...data, card } } })
    })
    await page.route("https://js.stripe.com/**", (route) => route.abort())
    await page.reload()
    await page.getByRole("button", { name: /^Pay €/u }).click()
    await shown(page, "No connection. Check your internet connection")
    await page.getByRole("button", { name: /^Pay €/u }).click({ force: true })
    await page.waitForTimeout(300)
    assert.strictEqual(await page.getByText("Your payment is being processed").count(), 0)
    assert.strictEqual(await page.getByRole("button", { name: /^Pay €/u }).count(), 1)
    await page.unrouteAll({ behavior: "wait" })
    await close()
  })

  it("says that a link leads to no invoice", async () => {
    const { close, page } = await open("none")
    await shown(page, "This link does not work any more")
    await assertAccessible(page)
    assert.strictEqual(await page.locator("table").count(), 0)
    await close()
  })
})
