import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it, vi } from "vitest"
import { bearer, type Client, clientOf } from "../support/Client.ts"
import { type Installation, installation } from "../support/Installation.ts"
import { codeFor } from "../support/Mail.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, type OpenPage, openPage } from "./support/Browser.ts"
import { createDay } from "./support/Day.ts"
import { takePictures } from "./support/Pictures.ts"

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const password = "correct horse battery"
const email = "ada@cars.example"
const zone = "Europe/Zurich"

const today = () => new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short" }).format(new Date())

describePages("the dispatch board", () => {
  let place: Installation
  let server: Server
  let api: Client
  let day: { readonly drivers: ReadonlyArray<number>; readonly trips: ReadonlyArray<number> }

  const create = async <A>(path: string, body: unknown): Promise<A> => {
    const { body: answer, status } = await api.post<A>(path, body)
    assert.isBelow(status, 300, JSON.stringify(answer))
    return answer.data
  }

  const signIn = async (page: Page) => {
    await page.getByLabel("Email address").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
  }

  const ready = (page: Page) => page.locator("[data-trip]").first().waitFor()

  const open = async (path = "/app"): Promise<OpenPage> => {
    const opened = await openPage(`${server.address}${path}`, { viewport: { width: 1440, height: 900 } })
    await signIn(opened.page)
    await ready(opened.page)
    return opened
  }

  beforeAll(async () => {
    place = await installation({ embedded: "copied" })
    server = await place.serve()
    const visitor = clientOf(server.api)
    await visitor.post("/auth/register", {
      name: "Ada Lovelace",
      email,
      password,
      business_name: "Lovelace Cars"
    })
    await visitor.post("/auth/verify-email", { code: await codeFor(place.directory, email) })
    const { body } = await visitor.post<{ access_token: string }>("/auth/login", { email, password })
    api = clientOf(server.api, bearer(body.data.access_token))
    const root = ["--name", "Root", "--email", "root@platform.example", "--account-type", "S"]
    const { code, stderr } = await place.run(["users", "create", ...root], { input: password })
    assert.strictEqual(code, 0, stderr)
    const platform = await visitor.post<{ access_token: string }>("/auth/login", {
      email: "root@platform.example",
      password
    })
    const business = (await api.get<{ business_id: number }>("/business")).body.data.business_id
    const admin = clientOf(server.api, bearer(platform.body.data.access_token))
    const moved = await admin.patch(`/admin/businesses/${business}`, { subscription_plan_id: 3 })
    assert.strictEqual(moved.status, 200, moved.text)
    await api.patch("/settings/business", { timezone: zone, clash_policy: "enforce" })
    day = await createDay(create, { date: today(), drivers: 12, jobs: 64 })
  })
  afterAll(() => place.remove())

  it("shows the day", async () => {
    const opened = await open()
    const { page } = opened
    await assertAccessible(page)
    await page.keyboard.press("j")
    await page.locator(".job.selected").waitFor()
    await assertAccessible(page)
    await takePictures(page, "board", ready)
    assert.strictEqual(day.drivers.length, 12)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
