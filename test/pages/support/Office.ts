/** What the tests of the office share: a business with an owner, and its office in a browser. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, vi } from "vitest"
import { bearer, type Client, clientOf } from "../../support/Client.ts"
import { type Installation, installation } from "../../support/Installation.ts"
import { codeFor } from "../../support/Mail.ts"
import type { Server } from "../../support/Server.ts"
import { type OpenPage, openPage } from "./Browser.ts"

const email = "ada@cars.example"
const password = "correct horse battery"

/** A business, its server, and its office. */
export interface Office {
  readonly place: Installation
  readonly server: Server
  /** The API with the access token of the owner. */
  readonly api: Client
  /** Opens a screen, signed in as the owner, or as another person with the same password. */
  readonly open: (path: string, as?: string) => Promise<OpenPage>
  /** Makes a super-admin of the platform with the same password. Returns the email address. */
  readonly superAdmin: () => Promise<string>
}

/** Waits for the title of a screen. */
export const titled = (page: Page, title: string): Promise<void> =>
  page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor()

/** Starts the server before the tests of a file, with further settings, and removes it after them. */
export const office = (
  settings: () => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({})
): Office => {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
  let place: Installation
  let server: Server
  let api: Client

  beforeAll(async () => {
    place = await installation({ embedded: "copied", settings: await settings() })
    server = await place.serve(["--sandbox"])
    const anyone = clientOf(server.api)
    await anyone.post("/auth/register", {
      name: "Ada Lovelace",
      email,
      password,
      business_name: "Lovelace Cars"
    })
    await anyone.post("/auth/verify-email", { code: await codeFor(place.directory, email) })
    const login = await anyone.post<{ access_token: string }>("/auth/login", { email, password })
    assert.strictEqual(login.status, 200, login.text)
    api = clientOf(server.api, bearer(login.body.data.access_token))
    const { business_id } = (await api.get<{ business_id: number }>("/ping")).body.data
    const credits = ["businesses", "credits", String(business_id), "20", "--reason", "Test"]
    const { code, stderr } = await place.command(credits)
    assert.strictEqual(code, 0, stderr)
    await api.patch("/settings/business", { timezone: "Europe/Zurich", currency: "CHF" })
  })
  afterAll(() => place.remove())

  return {
    get place() {
      return place
    },
    get server() {
      return server
    },
    get api() {
      return api
    },
    superAdmin: async () => {
      const address = "root@platform.example"
      const args = ["users", "create", "--name", "Mary Somerville", "--email", address, "--account-type", "S"]
      const { code, stderr } = await place.command(args, { input: password })
      assert.strictEqual(code, 0, stderr)
      return address
    },
    open: async (path, as = email) => {
      const opened = await openPage(`${server.address}/app${path}`)
      const { page } = opened
      await page.getByLabel("Email address").fill(as)
      await page.getByLabel("Password", { exact: true }).fill(password)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("navigation").first().waitFor()
      return opened
    }
  }
}
