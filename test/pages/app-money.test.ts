import { assert, it } from "vitest"
import { assertAccessible, describePages, focused, overflowOf } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

interface Made {
  readonly invoice_id: number
  readonly number: string | null
  readonly status: string
  readonly amount_due: number
  readonly customer_id: number | null
}

/** Noon in the month before the present one: late in the evening, another day has begun on the clock of the business. */
const lastMonth = () => {
  const at = new Date()
  at.setUTCDate(0)
  at.setUTCHours(12)
  return at
}

/** The date that lies a number of days in the past. */
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

describePages("the money of the office", () => {
  const own = office()

  const known = new Map<string, number>()

  /** The customer of a name, who is made at first. */
  const customer = async (name: string) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const { body, status, text } = await own.api.post<{ customer_id: number }>("/customers", {
      name,
      email: `${name.toLowerCase().replaceAll(" ", ".")}@mail.example`,
      address: "Bahnhofstrasse 1, Zurich"
    })
    assert.strictEqual(status, 201, text)
    known.set(name, body.data.customer_id)
    return body.data.customer_id
  }

  const trip = async (customer_id: number, more: object = {}) => {
    const { body, status, text } = await own.api.post<{ trip_id: number }>("/trips", {
      trip_date: lastMonth().toISOString(),
      pickup_address: "Bahnhofstrasse 1",
      dropoff_address: "Opera",
      customer_id,
      total_amount: 120,
      ...more
    })
    assert.strictEqual(status, 201, text)
    const ended = await own.api.patch(`/trips/${body.data.trip_id}`, { status: "completed" })
    assert.strictEqual(ended.status, 200, ended.text)
  }

  const invoice = async (more: object = {}) => {
    const { body, status, text } = await own.api.post<Made>("/invoices", {
      customer_id: await customer("Grace Hopper"),
      items: [
        { description: "Airport transfer", quantity: 2, unit_price: 50, tax_rate: 8.1 },
        {
          description: "Waiting with a very long description of where, when and why the driver waited",
          unit_price: 30,
          tax_rate: 8.1
        }
      ],
      ...more
    })
    assert.strictEqual(status, 201, text)
    return body.data
  }

  it("invoices the trips of a customer and a month by keyboard, and says which trips it leaves out and why", async () => {
    const id = await customer("Katherine Johnson")
    await trip(id)
    await trip(id, { total_amount: null })
    const opened = await own.open("/money")
    const { page } = opened
    await titled(page, "Money")
    await page.getByText("Make your first invoice").waitFor()
    await assertAccessible(page)
    await page.keyboard.press("n")
    await titled(page, "New invoice")
    await assertAccessible(page)
    await takePictures(page, "app-new-invoice", (it) => it.getByRole("combobox").waitFor())
    await page.getByRole("button", { name: "Make the invoice" }).click()
    await page.getByText("Please fill in this field.").waitFor()
    await page.getByRole("combobox", { name: "Customer" }).pressSequentially("kath")
    await page.getByRole("option", { name: "Katherine Johnson" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await page.getByText("it has no price").waitFor()
    await assertAccessible(page)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Invoice" }).waitFor()
    await page.getByText("Katherine Johnson").first().waitFor()
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("finds invoices by number, state, customer and whether they are overdue, in the address", async () => {
    const { customer_id, number } = await invoice({ issued_on: daysAgo(40), due_date: daysAgo(10) })
    await invoice({ draft: true })
    const opened = await own.open("/money?overdue=true")
    const { page } = opened
    await page.getByRole("link", { name: number ?? "" }).waitFor()
    await page.getByRole("cell", { name: "Grace Hopper" }).first().waitFor()
    await takePictures(page, "app-invoices", (it) => it.getByText("Grace Hopper").first().waitFor())
    await assertAccessible(page)
    await page.getByLabel("Status").selectOption("Paid")
    await page.getByText("Nothing matches these filters").waitFor()
    await page.getByRole("button", { name: "Clear the filters" }).click()
    await page.getByLabel("Search").fill(number ?? "")
    await page.getByRole("link", { name: number ?? "" }).waitFor()
    await page.getByLabel("Search").fill("")
    await page.getByRole("combobox", { name: "Customer: type a name" }).pressSequentially("grace")
    await page.getByRole("option", { name: "Grace Hopper" }).last().waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.waitForURL(/customer_id=\d+/u)
    assert.isNumber(customer_id)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("makes a draft with own lines, keeps what was typed when it is refused, changes a line, and issues it", async () => {
    const opened = await own.open("/money/new?of=lines")
    const { page } = opened
    await page.getByLabel("Description").waitFor()
    await assertAccessible(page)
    await page.getByLabel("Description").fill("Wedding")
    await page.getByLabel("Unit price").fill("abc")
    await page.getByLabel("Keep it as a draft").check()
    await page.getByRole("button", { name: "Make the invoice" }).click()
    await page.getByText("Please check this value.").waitFor()
    assert.strictEqual(await page.getByLabel("Description").inputValue(), "Wedding")
    await assertAccessible(page)
    await page.getByLabel("Unit price").fill("1200.50")
    await page.getByLabel("Tax in percent").fill("8.1")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Draft" }).waitFor()
    await page.getByText("CHF 1,297.74").first().waitFor()
    const edit = page.getByRole("button", { name: "Edit Lines" })
    await edit.press("Enter")
    await focused(page.getByLabel("Description").first())
    await page.getByRole("button", { name: "Add a line" }).press("Enter")
    await focused(page.getByLabel("Description").nth(1))
    await page.getByRole("button", { name: "Add a line" }).press("Enter")
    await page.getByRole("button", { name: "Remove line 3" }).press("Enter")
    await focused(page.getByLabel("Description").nth(1))
    await page.keyboard.type("Flowers")
    await page.getByLabel("Unit price").last().fill("10")
    await assertAccessible(page)
    await page.getByRole("button", { name: "Save" }).press("Enter")
    await focused(edit)
    await page.getByRole("cell", { name: "Flowers" }).waitFor()
    await page.getByText("Changed: Lines").waitFor()
    await page.keyboard.press("i")
    await page.getByRole("dialog").getByRole("button", { name: "Issue" }).click()
    await page.getByText("Only its notes can change").waitFor()
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("reminds by keyboard, asks before a second reminder of the day, and goes on in the list where it was left", async () => {
    const overdue = { issued_on: daysAgo(40), due_date: daysAgo(10) }
    const reminded = await invoice(overdue)
    await invoice({ ...overdue, customer_id: await customer("Donaudampfschifffahrtsgesellschaft") })
    await own.api.post(`/invoices/${reminded.invoice_id}/issue`)
    const opened = await own.open("/money?overdue=true")
    const { page } = opened
    const row = page.getByRole("link", { name: reminded.number ?? "" })
    await row.press("Enter")
    await page.getByRole("button", { name: "Remind" }).waitFor()
    const dialog = page.getByRole("dialog", { name: "Send a reminder" })
    await page.keyboard.press("n")
    await dialog.getByText("No reminder was sent so far").waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("A reminder was sent").waitFor()
    await page.getByRole("button", { name: "Remind" }).press("Enter")
    await page.keyboard.press("Enter")
    await dialog.getByText("The customer was reminded of this invoice today already.").waitFor()
    await dialog.getByRole("button", { name: "Remind again today" }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press("Escape")
    await focused(page.getByRole("button", { name: "Remind" }))
    await page.goBack()
    await row.waitFor()
    await page.keyboard.press("j")
    await focused(row)
    await page.goto(`${own.server.address}/app/money?lang=de`)
    await page.getByText("Donaudampfschifffahrtsgesellschaft").first().waitFor()
    await page.setViewportSize({ width: 768, height: 800 })
    assert.strictEqual(await overflowOf(page), 0)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("emails an invoice, copies its link, gives its PDF, and records, refunds and reverses payments", async () => {
    const { invoice_id } = await invoice()
    const opened = await own.open(`/money/${invoice_id}`)
    const { page } = opened
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.getByRole("heading", { level: 1, name: "Invoice" }).waitFor()
    const download = page.waitForEvent("download")
    await page.keyboard.press("p")
    assert.match((await download).suggestedFilename(), /\.pdf$/u)
    await page.getByRole("button", { name: "Copy link for the payer" }).click()
    await page.getByText("The link is copied.").waitFor()
    assert.include(
      await page.evaluate("navigator.clipboard.readText()"),
      `${own.server.address}/pay#invoice=`
    )
    await page.keyboard.press("m")
    await page.getByLabel("To, if not").fill("nobody")
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByText("Please check this value.").waitFor()
    await assertAccessible(page)
    await page.getByLabel("To, if not").fill("")
    await page.keyboard.press("Enter")
    await page.getByText("The email to grace.hopper@mail.example is on its way.").waitFor()
    await page.getByText("Emailed").first().waitFor()
    await page.keyboard.press("r")
    await page.getByLabel("Amount").fill("40")
    await assertAccessible(page)
    await page.keyboard.press("Enter")
    await page.getByText("Partly paid").waitFor()
    await page.getByRole("cell", { name: "Bank transfer" }).waitFor()
    await page.getByRole("button", { name: "Reverse" }).click()
    await page.getByLabel("Reason").fill("Another customer’s money")
    await page.keyboard.press("Enter")
    await page.getByText("A payment was reversed").waitFor()
    await page.getByRole("button", { name: "Record a payment" }).click()
    await page.keyboard.press("Enter")
    await page.getByText("Payment received").nth(1).waitFor()
    await takePictures(page, "app-invoice", (it) => it.locator(".timeline li").first().waitFor())
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("corrects an issued invoice, credits another one, and voids a third one", async () => {
    const first = await invoice()
    await own.api.post(`/invoices/${first.invoice_id}/issue`)
    const opened = await own.open(`/money/${first.invoice_id}`)
    const { page } = opened
    await page.getByText("Only its notes can change").waitFor()
    await page.keyboard.press("c")
    await page.getByRole("dialog").getByLabel("Unit price").first().fill("45")
    await assertAccessible(page)
    await takePictures(page, "app-correct", async (it) => {
      if ((await it.getByRole("dialog").count()) === 0) await it.locator(".screen-head button").nth(1).click()
    })
    if (process.env["LIVERY_PICTURES"] !== undefined) return opened.close()
    await page.getByRole("dialog").getByRole("button", { name: "Correct" }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(`/${first.invoice_id}`))
    await page.getByText("Corrects", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Credit", exact: true }).click()
    await assertAccessible(page)
    await page.getByRole("dialog").getByRole("button", { name: "Credit", exact: true }).click()
    await page.getByText("is made").first().waitFor()
    await page.getByText("Credited").first().waitFor()
    const third = await invoice()
    await page.goto(`${own.server.address}/app/money/${third.invoice_id}`)
    await page.getByRole("button", { name: "Void" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Void" }).click()
    await page.locator(".badge", { hasText: "Void" }).waitFor()
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("makes the invoices of a month for all customers, shows what is unpaid by age, and exports files", async () => {
    const id = await customer("Mary Jackson")
    await trip(id)
    await trip(id, { total_amount: null })
    const opened = await own.open("/money/monthly")
    const { page } = opened
    await titled(page, "Month of all customers")
    await assertAccessible(page)
    await page.getByRole("button", { name: "Make the invoices" }).click()
    await page.getByText("All invoices are made.").waitFor()
    await page.getByText("it has no price").first().waitFor()
    await page.getByRole("link", { name: "Open the invoice Mary Jackson" }).waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-monthly", (it) => it.getByText("Mary Jackson").waitFor())
    await page.goto(`${own.server.address}/app/money/unpaid`)
    await page.getByText("Not due yet").waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-unpaid", (it) => it.locator("tfoot").waitFor())
    await page.goto(`${own.server.address}/app/money/exports`)
    await titled(page, "Exports")
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download" }).click()
    assert.match((await download).suggestedFilename(), /^Invoices .*\.csv$/u)
    await page.getByLabel("What").selectOption("Payments")
    await page.getByLabel("Format").selectOption("Xero")
    await page.getByRole("button", { name: "Download" }).click()
    await page.getByRole("alert").waitFor()
    await takePictures(page, "app-exports", (it) => it.getByRole("heading", { level: 1 }).waitFor())
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
