import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it, vi } from "vitest"
import { type Client, clientOf } from "../support/Client.ts"
import { type Installation, installation } from "../support/Installation.ts"
import { codeFor } from "../support/Mail.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, focused, type OpenPage, openPage } from "./support/Browser.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const password = "correct horse battery"

describePages("the office", () => {
  let place: Installation
  let server: Server
  let api: Client

  const open = (path: string): Promise<OpenPage> => openPage(`${server.address}${path}`)

  const register = async (email: string, business_name: string) => {
    await api.post("/auth/register", { name: "Ada Lovelace", email, password, business_name })
    await api.post("/auth/verify-email", { code: await codeFor(place.directory, email) })
  }

  const signIn = async (page: Page, email: string) => {
    await page.getByLabel("Email address").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
  }

  const titled = (page: Page, title: string) => page.getByRole("heading", { level: 1, name: title }).waitFor()

  beforeAll(async () => {
    place = await installation({ embedded: "copied" })
    server = await place.serve()
    api = clientOf(server.api)
    await register("ada@cars.example", "Lovelace Cars")
  })
  afterAll(() => place.remove())

  it("asks for a sign-in, then shows the screen that was asked for", async () => {
    const opened = await open("/app/nowhere?x=1")
    const { page } = opened
    await titled(page, "Sign in")
    await signIn(page, "ada@cars.example")
    await titled(page, "This page does not exist")
    assert.match(page.url(), /\/app\/nowhere\?x=1$/u)
    await assertAccessible(page)
    await page.getByRole("main").getByRole("link", { name: "Board" }).click()
    await titled(page, "Board")
    await assertAccessible(page)
    await page.reload()
    await titled(page, "Board")
    await page.keyboard.press("Tab")
    await focused(page.getByRole("link", { name: "Skip to the screen" }))
    await assertAccessible(page)
    await page.keyboard.press("Enter")
    await focused(page.getByRole("main"))
    assert.match(page.url(), /\/app$/u)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("says that nothing was changed while the business is being moved, and leads to its new address afterwards", async () => {
    const opened = await open("/app/customers/new")
    const { page } = opened
    const answer = (status: number, error: object) => ({
      status,
      contentType: "application/json",
      body: JSON.stringify({ error, meta: { request_id: "req_1" } })
    })
    await signIn(page, "ada@cars.example")
    await page.getByLabel("Name", { exact: true }).fill("Grace Hopper")
    const requests = "**/api/v1/customers**"
    await page.route(requests, (route) => route.fulfill(answer(503, { type: "server_error", message: "" })))
    await page.keyboard.press("Enter")
    await page.getByRole("alert").getByText("Nothing was changed.").waitFor()
    await assertAccessible(page)
    const url = "https://next.example"
    const moved = answer(421, { type: "business_moved", message: "", details: [{ url }] })
    await page.unroute(requests)
    await page.route("**/api/v1/{customers,ping,business}*", (route) => route.fulfill(moved))
    await page.getByLabel("Name", { exact: true }).press("Enter")
    const sentence = "This business has moved to https://next.example. Please sign in there."
    await page.getByRole("main").getByRole("link", { name: "Open the new address" }).waitFor()
    assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), "Grace Hopper")
    await assertAccessible(page)
    await page.reload()
    await page.getByRole("heading", { name: sentence }).waitFor()
    const there = page.getByRole("link", { name: "Open the new address" })
    assert.strictEqual(await there.getAttribute("href"), `${url}/app/customers/new`)
    await assertAccessible(page)
    await page.getByRole("link", { name: "Account" }).waitFor()
    await opened.close()
  })

  it("shows all keys with ?, and finds a command by its name with Ctrl K", async () => {
    const opened = await open("/app")
    const { page } = opened
    await titled(page, "Sign in")
    await signIn(page, "ada@cars.example")
    await titled(page, "Board")
    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Keys" }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Search for a command" }).fill("boar")
    await page.getByRole("option", { name: "Board" }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("combobox", { name: "Look" }).selectOption("Dark")
    await assertAccessible(page)
    await page.getByLabel("Language").selectOption("Deutsch")
    await titled(page, "Plantafel")
    // The account keeps the language.
    await page.getByLabel("Sprache").selectOption("English")
    await titled(page, "Board")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("keeps the screen when the session ends, and asks for a new sign-in", async () => {
    const opened = await open("/app")
    const { page } = opened
    await signIn(page, "ada@cars.example")
    await titled(page, "Board")
    const other = await page.context().newPage()
    await other.goto(`${server.address}/login`)
    await other.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor()
    await assertAccessible(page)
    await signIn(other, "ada@cars.example")
    await titled(other, "You are signed in")
    await page.bringToFront()
    await page.getByRole("button", { name: "Go on" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
  it("opens the demonstration with the link that the first start printed, once", async () => {
    const fresh = await installation({ embedded: "absent" })
    try {
      const started = await fresh.serve()
      const link = (text: string) => /http:\S+#demo=\S+/u.exec(text)?.[0] ?? ""
      const printed = link(started.program.stdout())
      const opened = await openPage(printed)
      const { page } = opened
      await titled(page, "Board")
      assert.strictEqual(page.url(), `${started.address}/app`)
      await page.getByRole("dialog", { name: "Jobs without a driver wait here" }).waitFor()
      await assertAccessible(page)
      await page.reload()
      await titled(page, "Board")
      await page.getByRole("button", { name: "End the tour" }).click()

      // In a browser that is not signed in, the same link is refused.
      const late = await openPage(printed)
      await titled(late.page, "This link no longer works")
      assert.strictEqual(late.page.url(), `${started.address}/app`)
      await assertAccessible(late.page)
      await late.page.getByRole("button", { name: "Sign in" }).click()
      await titled(late.page, "Sign in")

      const { code, stderr, stdout } = await fresh.run(["demo"], {
        settings: { PORT: new URL(started.address).port }
      })
      assert.strictEqual(code, 0, stderr)
      await late.page.goto(link(stdout))
      await titled(late.page, "Board")
      await late.page.locator("[data-trip]").first().waitFor()
      // The tour was ended, so that it does not begin again.
      assert.strictEqual(await late.page.getByRole("dialog").count(), 0)
      assert.deepStrictEqual([...opened.faults, ...late.faults], [])
      await opened.close()
      await late.close()
    } finally {
      await fresh.remove()
    }
  })
})
