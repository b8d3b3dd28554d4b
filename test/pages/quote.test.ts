import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, expect, it, vi } from "vitest"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"
import { type PagesServer, startSandbox } from "./support/Sandbox.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const hostile = `<img src=x onerror="document.title='owned'">`

const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

describePages("the quote page", () => {
  let sandbox: PagesServer
  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.place.remove())

  const trip = {
    trip_date: "2031-05-20T08:00:00Z",
    pickup_address: "Grand Hotel, Lakeside Road 1",
    dropoff_address: "Airport, Terminal 2",
    pickup_timezone: "America/New_York",
    customer_name: "Ada Lovelace"
  }

  /** Sends a quote and returns its token. */
  const sent = async (change: object = {}) => {
    const { api } = sandbox
    const quote = await api.post<{ quote_id: number }>("/quotes", {
      customer_name: "Ada Lovelace",
      customer_email: "ada@example.com",
      valid_until: "2031-05-01T16:00:00Z",
      items: [
        { description: "Transfer to the airport", trip, amount: 240 },
        { description: hostile, trip: { ...trip, trip_date: "2031-05-24T18:30:00Z" }, amount: 259.5 }
      ],
      ...change
    })
    const answer = await api.post<{ token: string }>(`/quotes/${quote.body.data.quote_id}/send`, {
      email: false
    })
    return { id: quote.body.data.quote_id, token: answer.body.data.token }
  }

  const open = (token: string, query = "") => openPage(`${sandbox.server.address}/quote${query}#${token}`)

  it("shows the offer line by line, and is accepted by keyboard with a name", async () => {
    const { id, token } = await sent()
    const { close, faults, page } = await open(token)
    await shown(page, "Transfer to the airport")
    await shown(page, hostile)
    await shown(page, /\$499\.50/u)
    assert.match(await page.locator("time").first().innerText(), /20 May 2031 at 4:00.*\(10:00 your time\)/su)
    await assertAccessible(page)
    await takePictures(page, "quote-open", (it) => it.locator("table").waitFor())

    await page.getByLabel("Your name").fill("")
    await page.keyboard.press("Enter")
    await shown(page, "Please fill in this field.")
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('autocomplete')")).toBe("name")
    await assertAccessible(page)

    await page.keyboard.type("Ada Lovelace")
    await page.keyboard.press("Enter")
    await shown(page, "You have accepted this offer")
    assert.strictEqual(await page.getByText("Accept the offer").count(), 0)
    await assertAccessible(page)
    const stored = await sandbox.api.get<{ status: string; accepted_by: string }>(`/quotes/${id}`)
    assert.strictEqual(stored.body.data.status, "accepted")
    await takePictures(page, "quote-accepted", (it) => it.locator("table").waitFor())
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("is declined with a reason, and the focus returns if it is not", async () => {
    const { id, token } = await sent()
    const { close, faults, page } = await open(token)
    const decline = page.getByRole("button", { name: "Decline" })
    await decline.click()
    await page.getByRole("dialog").waitFor()
    await assertAccessible(page)
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    assert.strictEqual(await page.evaluate("document.activeElement.textContent.trim()"), "Decline")
    await decline.click()
    await page.getByLabel("Reason (optional)").fill("Too late in the day")
    await page.getByRole("dialog").getByRole("button", { name: "Decline" }).click()
    await shown(page, "You have declined this offer")
    const stored = await sandbox.api.get<{ status: string }>(`/quotes/${id}`)
    assert.strictEqual(stored.body.data.status, "rejected")
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("shows what became of an offer that was answered elsewhere, without an error", async () => {
    const { id, token } = await sent()
    const { close, page } = await open(token)
    await shown(page, "Accept the offer")
    await sandbox.api.post(`/quotes/${id}/reject`)
    await page.getByRole("button", { name: "Accept the offer" }).click()
    await shown(page, "You have declined this offer")
    await assertAccessible(page)
    await close()
    const again = await sent()
    await sandbox.api.post(`/quotes/${again.id}/convert`)
    const booked = await open(again.token, "?lang=de")
    await shown(booked.page, "Ihre Fahrt ist gebucht")
    assert.deepStrictEqual(booked.faults, [])
    await booked.close()
  })

  it("says that an older link does not work any more", async () => {
    const { close, page } = await open("lvq_1_none")
    await shown(page, "This link does not work any more")
    await assertAccessible(page)
    assert.strictEqual(await page.locator("form").count(), 0)
    await close()
  })

  it("keeps the name that was typed while the server is unreachable", async () => {
    const { token } = await sent()
    const { close, page } = await open(token)
    await page.getByLabel("Your name").fill("Grace Hopper")
    await page.context().setOffline(true)
    await page.keyboard.press("Enter")
    await shown(page, "No connection.")
    assert.strictEqual(await page.getByLabel("Your name").inputValue(), "Grace Hopper")
    await assertAccessible(page)
    await page.context().setOffline(false)
    await page.getByRole("button", { name: "Accept the offer" }).click()
    await shown(page, "You have accepted this offer")
    await close()
  })
})
