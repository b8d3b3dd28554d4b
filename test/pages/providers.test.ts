import { Effect, Exit, Scope } from "effect"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it, vi } from "vitest"
import { clientOf } from "../support/Client.ts"
import { clientId, type IdentityProvider, identityProvider } from "../support/IdentityProvider.ts"
import { type Installation, installation } from "../support/Installation.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, type OpenPage, openPage } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const titled = (page: Page, title: string) => page.getByRole("heading", { level: 1, name: title }).waitFor()

/** A port that nothing listens on. The address of the return has to be known before the start. */
const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describePages("signing in with an identity provider", () => {
  const scope = Scope.makeUnsafe()
  let provider: IdentityProvider
  let place: Installation
  let server: Server

  const open = (path = "/login"): Promise<OpenPage> => openPage(`${server.address}${path}`)

  const button = (page: Page) => page.getByRole("button", { name: "Continue with Example & Sons" })

  /** The address to which the provider sends a browser that has just begun, without going there. */
  const returnOf = async (page: Page): Promise<string> => {
    let asked = ""
    provider.answerWith((request, response, properly) => {
      if (!request.url?.startsWith("/authorize")) return properly()
      asked = request.url
      return void response.end("held")
    })
    await button(page).click()
    await page.getByText("held").waitFor()
    provider.answerWith(undefined)
    const sent = await fetch(provider.issuer + asked, { redirect: "manual" })
    return sent.headers.get("location") ?? ""
  }

  beforeAll(async () => {
    provider = await Effect.runPromise(Scope.provide(scope)(identityProvider))
    const port = String(await freePort())
    place = await installation({
      embedded: "copied",
      settings: {
        PORT: port,
        BASE_URL: `http://127.0.0.1:${port}`,
        OIDC_ISSUERS: `${provider.issuer};${clientId};Example %26 Sons;the secret`
      }
    })
    server = await place.serve()
  })
  afterAll(async () => {
    await place.remove()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("signs in a new person by keyboard, who names a business, and keeps the session", async () => {
    provider.identifyAs({ sub: "ada", email: "ada@cars.example", email_verified: true, name: "Ada" })
    const opened = await open("/login?lang=de")
    const { page } = opened
    const german = page.getByRole("button", { name: "Weiter mit Example & Sons" })
    await german.waitFor()
    await assertAccessible(page)
    await takePictures(page, "account-providers", (it) => it.locator(".providers .button").waitFor())
    await german.focus()
    await page.keyboard.press("Enter")
    await titled(page, "Wie heißt Ihr Unternehmen?")
    assert.strictEqual(page.url(), `${server.address}/login?lang=de`)
    assert.include(
      provider.asked.map((path) => path.split("?")[0]),
      "/authorize"
    )
    await page.getByLabel("Name Ihres Unternehmens").fill("Lovelace <b>Cars</b>")
    await page.keyboard.press("Enter")
    await titled(page, "Sie sind angemeldet")
    await page.reload()
    await titled(page, "Sie sind angemeldet")
    await page.getByText("Lovelace <b>Cars</b>").waitFor()
    const cookies = await page.context().cookies(`${server.address}/api/v1/auth/refresh`)
    assert.deepStrictEqual(
      cookies.map(({ httpOnly, name, sameSite }) => [name, httpOnly, sameSite]),
      [["livery_refresh", true, "Strict"]]
    )
    await page.getByRole("button", { name: "Abmelden" }).click()
    await titled(page, "Anmelden")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("does not sign a person in by the return of another browser", async () => {
    provider.identifyAs({ sub: "eve", email: "eve@cars.example", email_verified: true })
    const attacker = await open()
    const address = await returnOf(attacker.page)
    const victim = await open(address.slice(server.address.length))
    await victim.page.getByText("The sign-in was not completed.").waitFor()
    await titled(victim.page, "Sign in")
    assert.strictEqual(victim.page.url(), `${server.address}/login`)
    assert.isEmpty(await victim.page.context().cookies(`${server.address}/api/v1/auth/refresh`))
    await assertAccessible(victim.page)
    assert.deepStrictEqual(victim.faults, [])
    await attacker.close()
    await victim.close()
  })

  it("uses a return once, also after the back button and from the history", async () => {
    provider.identifyAs({ sub: "bob", email: "bob@cars.example", email_verified: true })
    const opened = await open()
    const { page } = opened
    const address = await returnOf(page)
    await page.goto(address)
    await titled(page, "Name your business")
    await page.getByRole("button", { name: "Sign out" }).click()
    await titled(page, "Sign in")
    await page.goto("about:blank")
    await page.goBack()
    await titled(page, "Sign in")
    assert.strictEqual(page.url(), `${server.address}/login`)
    await page.goto(address)
    await page.getByText("The sign-in was not completed.").waitFor()
    await titled(page, "Sign in")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("says why a sign-in was refused, and leaves the password", async () => {
    const opened = await open()
    const { page } = opened
    const cases: ReadonlyArray<readonly [query: string, text: string]> = [
      ["error=access_denied&state=x", "The sign-in was cancelled."],
      ["error=server_error&state=x&error_description=<b>hostile</b>", "The sign-in was not completed."],
      ["code=x&state=x", "The sign-in was not completed."]
    ]
    for (const [query, text] of cases) {
      await page.goto(`${server.address}/login?${query}`)
      await page.getByRole("alert").getByText(text).waitFor()
      assert.strictEqual(page.url(), `${server.address}/login`)
      assert.strictEqual(await page.locator("b").count(), 0)
      await assertAccessible(page)
    }
    provider.identifyAs({ sub: "mal", email: "mal@cars.example", email_verified: false })
    await button(page).click()
    await page.getByText("The provider has not confirmed your email address.").waitFor()
    await takePictures(page, "account-provider-refused", (it) => it.locator("form").waitFor())
    await page.getByLabel("Password", { exact: true }).waitFor()
    provider.identifyAs({ sub: "dan", email: "dan@cars.example", email_verified: true })
    provider.answerWith((request, response, properly) => {
      if (request.url === "/token") response.writeHead(503).end()
      else properly()
    })
    await button(page).click()
    await page.getByText("The provider cannot be reached at the moment.").waitFor()
    await assertAccessible(page)
    provider.answerWith(undefined)
    await button(page).click()
    await titled(page, "Name your business")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("tells a person without an account to ask for an invitation, where nobody can sign up", async () => {
    await place.command(["settings", "set", "registration_open", "false"])
    const probe = { name: "P", email: "probe@cars.example", password: "a good password", business_name: "P" }
    await vi.waitFor(
      async () => assert.strictEqual((await clientOf(server.api).post("/auth/register", probe)).status, 403),
      { timeout: 20_000, interval: 500 }
    )
    provider.identifyAs({ sub: "new", email: "new@cars.example", email_verified: true })
    const opened = await open()
    await button(opened.page).click()
    await opened.page.getByText("There is no account for your email address here.").waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("goes to no address that a link names", async () => {
    provider.identifyAs({ sub: "bob", email: "bob@cars.example", email_verified: true })
    const opened = await open("/login?return_to=https://evil.example&redirect_uri=https://evil.example")
    const { page } = opened
    const begun = page.waitForRequest(/\/authorize\?/u)
    await button(page).click()
    const asked = new URL((await begun).url())
    assert.strictEqual(asked.searchParams.get("redirect_uri"), `${server.address}/login`)
    await titled(page, "Name your business")
    assert.strictEqual(page.url(), `${server.address}/login`)
    await opened.close()
  })

  it("has no secret in what the page or the API show", async () => {
    const answer = await clientOf(server.api).get<ReadonlyArray<object>>("/auth/idp")
    assert.deepStrictEqual(answer.body.data, [{ issuer: provider.issuer, name: "Example & Sons" }])
  })
})
