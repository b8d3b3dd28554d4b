import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it, vi } from "vitest"
import { bearer, type Client, clientOf } from "../support/Client.ts"
import { type Installation, installation } from "../support/Installation.ts"
import { codeFor, messageTo } from "../support/Mail.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, type OpenPage, openPage } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const password = "correct horse battery"

const titled = (page: Page, title: string) => page.getByRole("heading", { level: 1, name: title }).waitFor()

describePages("the pages of an account", () => {
  let place: Installation
  let server: Server
  let api: Client

  const open = (path: string): Promise<OpenPage> => openPage(`${server.address}${path}`)

  /** The page that the link of the newest message to an address leads to, on this server. */
  const linkTo = async (email: string) => {
    const link = /https:\/\/app\.example(?<path>\S+)/u.exec(await messageTo(place.directory, email))
    return link?.groups?.["path"] ?? "/no-link"
  }

  const register = async (email: string) => {
    await api.post("/auth/register", { name: "Ada", email, password, business_name: "Lovelace Cars" })
    const code = await codeFor(place.directory, email)
    await api.post("/auth/verify-email", { code })
    return code
  }

  const signIn = async (page: Page, email: string, secret = password) => {
    await page.getByLabel("Email address").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(secret)
    await page.getByRole("button", { name: "Sign in" }).click()
  }

  beforeAll(async () => {
    place = await installation({ embedded: "copied", settings: { APP_URL: "https://app.example" } })
    server = await place.serve()
    api = clientOf(server.api)
  })
  afterAll(() => place.remove())

  it("creates an account by keyboard alone, confirms its address, and is signed in", async () => {
    const opened = await open("/sign-up")
    const { page } = opened
    await titled(page, "Create your account")
    await assertAccessible(page)
    await takePictures(page, "account-sign-up", (it) => it.locator("form").waitFor())
    await page.getByLabel("Your name").focus()
    await page.keyboard.type("Grace Hopper")
    await page.keyboard.press("Tab")
    await page.keyboard.type("Hopper <b>Cars</b>")
    await page.keyboard.press("Tab")
    await page.keyboard.type("grace@hopper.example")
    await page.keyboard.press("Tab")
    await page.keyboard.type("short")
    await page.keyboard.press("Enter")
    await page.getByText("This is too short.").waitFor()
    await assertAccessible(page)
    const focused = () =>
      page.evaluate(
        () =>
          (globalThis as unknown as { document: { activeElement: { name: string } } }).document.activeElement
            .name
      )
    await vi.waitFor(async () => assert.strictEqual(await focused(), "password"))
    assert.strictEqual(await page.getByLabel("Your name").inputValue(), "Grace Hopper")
    await page.getByLabel("New password").fill("")
    await page.keyboard.type(password)
    await page.keyboard.press("Enter")

    await titled(page, "Confirm your email address")
    await page.getByText("We have sent a code to grace@hopper.example").waitFor()
    await assertAccessible(page)
    await page.getByLabel("Code").fill("AAAA-BBBB-CCCC-DDDD")
    await page.keyboard.press("Enter")
    await page.getByText("This code is wrong, was used already").waitFor()
    await assertAccessible(page)
    await page.getByLabel("Code").fill(await codeFor(place.directory, "grace@hopper.example"))
    await page.keyboard.press("Enter")
    await titled(page, "You are signed in")
    await page.getByText("Hopper <b>Cars</b>").waitFor()
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("confirms an address by the link of the message, but only once a person says so", async () => {
    const email = "ida@cars.example"
    await api.post("/auth/register", { name: "Ida", email, password, business_name: "Ida's" })
    const opened = await open(await linkTo(email))
    const { page } = opened
    await titled(page, "Confirm your email address")
    const before = await api.post("/auth/login", { email, password })
    assert.strictEqual(before.body.error?.type, "email_unverified")
    await takePictures(page, "account-verify", (it) => it.locator("form").first().waitFor())
    await page.getByRole("button", { name: "Confirm", exact: true }).click()
    await titled(page, "Your address is confirmed")
    await assertAccessible(page)
    await page.getByRole("link", { name: "Sign in" }).click()
    await titled(page, "Sign in")
    assert.strictEqual(await page.getByLabel("Email address").inputValue(), email)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("says at a sign-in what is wrong, and how to confirm an address", async () => {
    const email = "new@cars.example"
    await api.post("/auth/register", { name: "New", email, password, business_name: "New" })
    const opened = await open("/login")
    const { page } = opened
    await titled(page, "Sign in")
    await assertAccessible(page)
    await takePictures(page, "account-sign-in", (it) => it.locator("form").waitFor())
    await signIn(page, email, "another password")
    await page.getByText("The email address or the password is wrong.").waitFor()
    await assertAccessible(page)
    assert.strictEqual(await page.getByLabel("Email address").inputValue(), email)
    await signIn(page, email)
    await page.getByText("Your email address is not confirmed yet.").waitFor()
    await page.getByRole("link", { name: "Confirm your email address" }).click()
    await titled(page, "Confirm your email address")
    await page.getByText("No code received?").click()
    await assertAccessible(page)
    const resendKeys = new Set<string | undefined>()
    page.on("request", (request) => {
      if (request.url().endsWith("/verify-email/resend")) resendKeys.add(request.headers()["idempotency-key"])
    })
    await page.getByRole("button", { name: "Send a new code" }).click()
    await page.getByText("a new code is on its way").waitFor()
    await page.getByRole("button", { name: "Send a new code" }).click()
    await vi.waitFor(() => assert.strictEqual(resendKeys.size, 2))
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("sets a new password by the link of the message, and refuses the link a second time", async () => {
    const email = "mary@cars.example"
    await register(email)
    const opened = await open("/login")
    const { page } = opened
    await page.getByRole("link", { name: "Forgotten your password?" }).click()
    await titled(page, "Forgotten your password?")
    await assertAccessible(page)
    await page.getByLabel("Email address").fill(email)
    await page.getByRole("button", { name: "Send the code" }).click()
    await titled(page, "Set a new password")
    await assertAccessible(page)
    await vi.waitFor(async () => assert.include(await linkTo(email), "/password-reset#code="), {
      timeout: 20_000
    })
    const link = await linkTo(email)
    await page.goto(`${server.address}${link}`)
    await titled(page, "Set a new password")
    await takePictures(page, "account-reset", (it) => it.locator("form").waitFor())
    await page.getByLabel("New password").fill("another good password")
    await page.getByLabel("Show the password").check()
    assert.strictEqual(await page.getByLabel("New password").getAttribute("type"), "text")
    await page.getByRole("button", { name: "Save the new password" }).click()
    await titled(page, "Your new password is saved")
    await assertAccessible(page)
    await page.getByRole("link", { name: "Sign in" }).click()
    await titled(page, "Sign in")
    await signIn(page, email, "another good password")
    await titled(page, "You are signed in")
    await page.goto(`${server.address}${link}`)
    await page.getByLabel("New password").fill("a third password")
    await page.getByRole("button", { name: "Save the new password" }).click()
    await page.getByText("This code is wrong, was used already").waitFor()
    await assertAccessible(page)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("accepts the invitation of a driver, and refuses the code a second time", async () => {
    await register("boss@cars.example")
    const login = await api.post<{ access_token: string }>("/auth/login", {
      email: "boss@cars.example",
      password
    })
    const boss = clientOf(server.api, bearer(login.body.data.access_token))
    const driver = await boss.post<{ driver_id: number }>("/drivers", {
      name: "Josephine",
      email: "josephine@cars.example"
    })
    await boss.post(`/drivers/${driver.body.data.driver_id}/invite`)
    const opened = await open(await linkTo("josephine@cars.example"))
    const { page } = opened
    await titled(page, "Accept your invitation")
    await assertAccessible(page)
    await takePictures(page, "account-invitation", (it) => it.locator("form").waitFor())
    const address = page.url()
    await page.getByLabel("New password").fill(password)
    await page.getByRole("button", { name: "Accept the invitation" }).click()
    await titled(page, "Welcome aboard")
    await assertAccessible(page)
    await page.goto("about:blank")
    await page.goto(address)
    await page.getByLabel("New password").fill(password)
    await page.getByRole("button", { name: "Accept the invitation" }).click()
    await page.getByText("Please ask the business for a new invitation.").waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("lets a person with several businesses choose one, keeps the session for a new page, and ends it", async () => {
    const email = "owner@cars.example"
    await register(email)
    const login = await api.post<{ access_token: string }>("/auth/login", { email, password })
    const owner = clientOf(server.api, bearer(login.body.data.access_token))
    await owner.post("/me/businesses", { business_name: "Second Cars" })
    const opened = await open("/login")
    const { page } = opened
    await signIn(page, email)
    await titled(page, "Choose the business")
    await assertAccessible(page)
    await takePictures(page, "account-businesses", (it) => it.locator(".choices").waitFor())
    await page.getByRole("button", { name: "Second Cars" }).click()
    await titled(page, "You are signed in")
    await page.reload()
    await titled(page, "You are signed in")
    await page.getByText("Second Cars").waitFor()
    await takePictures(page, "account-home", (it) => it.locator(".facts").waitFor())
    const other = await page.context().newPage()
    await other.goto(`${server.address}/login`)
    await titled(other, "You are signed in")
    await page.getByRole("button", { name: "Sign out" }).click()
    await titled(page, "Sign in")
    await titled(other, "Sign in")
    await page.reload()
    await titled(page, "Sign in")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("stays signed in while two tabs renew the session at once, until it ends elsewhere", async () => {
    const email = "tabs@cars.example"
    await register(email)
    const opened = await open("/login")
    const { page } = opened
    await signIn(page, email)
    await titled(page, "You are signed in")
    const other = await page.context().newPage()
    await other.goto(`${server.address}/login`)
    for (let round = 0; round < 3; round++) {
      await Promise.all([page.reload(), other.reload()])
      await Promise.all([titled(page, "You are signed in"), titled(other, "You are signed in")])
    }
    const login = await api.post<{ access_token: string }>("/auth/login", { email, password })
    const elsewhere = clientOf(server.api, bearer(login.body.data.access_token))
    const change = { current_password: password, new_password: "another good password" }
    assert.strictEqual((await elsewhere.post("/me/password", change)).status, 200)
    await Promise.all([page.reload(), other.reload()])
    await Promise.all([titled(page, "Sign in"), titled(other, "Sign in")])
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("keeps what was typed while there is no connection", async () => {
    const opened = await open("/login?lang=de")
    const { page } = opened
    await titled(page, "Anmelden")
    await page.context().setOffline(true)
    await page.getByLabel("E-Mail-Adresse").fill("ada@cars.example")
    await page.getByRole("button", { name: "Anmelden" }).click()
    await page.getByText("Keine Verbindung.").waitFor()
    await assertAccessible(page)
    assert.strictEqual(await page.getByLabel("E-Mail-Adresse").inputValue(), "ada@cars.example")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("fits the narrowest screen at twice the size of text, and runs from right to left in Arabic", async () => {
    const opened = await open("/sign-up?lang=ar")
    const { page } = opened
    await page.locator("form").waitFor()
    assert.strictEqual(await page.locator("html").getAttribute("dir"), "rtl")
    await assertAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
    const overflow = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    assert.isAtMost(overflow, 0)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
