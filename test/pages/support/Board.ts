/** What the tests of the dispatch board share: a business with a day of jobs, its desks, and the keys that they press. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, vi } from "vitest"
import { bearer, type Client, clientOf } from "../../support/Client.ts"
import { type Installation, installation } from "../../support/Installation.ts"
import { codeFor } from "../../support/Mail.ts"
import type { Server } from "../../support/Server.ts"
import { type OpenPage, openPage } from "./Browser.ts"
import { createDay } from "./Day.ts"

const password = "correct horse battery"
const email = "ada@cars.example"
const zone = "Europe/Zurich"

/** The day after the present one on the business's clock: nothing of it has begun. */
const tomorrow = () =>
  new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short" }).format(Date.now() + 86_400_000)

/** The fields of a trip that the tests read. */
export interface Trip {
  readonly trip_id: number
  readonly reference: string
  readonly status: string
  readonly trip_date: string
  readonly driver_ids: ReadonlyArray<number>
}

/** Waits until the board shows jobs. */
export const ready = (page: Page) => page.locator("[data-trip]").first().waitFor()

/** Assigns the selected job with the keys alone. */
export const assign = async (page: Page, letters: string) => {
  await page.keyboard.press("a")
  await page.getByRole("combobox", { name: "Driver’s name" }).waitFor()
  await page.keyboard.type(letters)
  await page.keyboard.press("Enter")
}

/** Starts the installation before the tests of a file, and removes it after them. The day of the jobs is the next one. */
export const boardOffice = (size: { readonly drivers: number; readonly jobs: number }) => {
  vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
  let place: Installation
  let server: Server
  let api: Client
  let day: { readonly drivers: ReadonlyArray<number>; readonly trips: ReadonlyArray<number> }
  const date = tomorrow()
  const board = `/app?date=${date}`

  const create = async <A>(path: string, body: unknown): Promise<A> => {
    const { body: answer, status } = await api.post<A>(path, body)
    assert.isBelow(status, 300, JSON.stringify(answer))
    return answer.data
  }

  const trip = async (id: number) => (await api.get<Trip>(`/trips/${id}`)).body.data

  const open = async (path = board, { base = server.address } = {}): Promise<OpenPage> => {
    const opened = await openPage(`${base}${path}`, { viewport: { width: 1440, height: 900 } })
    const { page } = opened
    await page.getByLabel("Email address").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await ready(page)
    return opened
  }

  /** Selects a job by its reference with the keys alone. */
  const goTo = async (page: Page, id: number) => {
    const { reference } = await trip(id)
    await page.keyboard.press("/")
    await page.keyboard.type(reference)
    await page.getByText("1 found", { exact: true }).waitFor()
    await page.keyboard.press("Enter")
    await page.locator(`.job.selected[data-trip="${id}"]`).first().waitFor()
    await page.getByRole("complementary", { name: "Selected job" }).getByText(reference).waitFor()
  }

  /** Waits until the server has what was done. */
  const until = (id: number, isSo: (found: Trip) => boolean) =>
    vi.waitFor(async () => assert.isTrue(isSo(await trip(id)), JSON.stringify(await trip(id))), 10_000)

  beforeAll(async () => {
    place = await installation({ embedded: "copied" })
    server = await place.serve()
    const visitor = clientOf(server.api)
    const tokenOf = async (address: string) =>
      (await visitor.post<{ access_token: string }>("/auth/login", { email: address, password })).body.data
        .access_token
    await visitor.post("/auth/register", {
      name: "Ada Lovelace",
      email,
      password,
      business_name: "Lovelace Cars"
    })
    await visitor.post("/auth/verify-email", { code: await codeFor(place.directory, email) })
    const root = ["--name", "Root", "--email", "root@platform.example", "--account-type", "S"]
    const { code, stderr } = await place.command(["users", "create", ...root], { input: password })
    assert.strictEqual(code, 0, stderr)
    api = clientOf(server.api, bearer(await tokenOf(email)))
    const business = (await api.get<{ business_id: number }>("/business")).body.data.business_id
    const admin = clientOf(server.api, bearer(await tokenOf("root@platform.example")))
    const moved = await admin.patch(`/admin/businesses/${business}`, { subscription_plan_id: 3 })
    assert.strictEqual(moved.status, 200, moved.text)
    await api.patch("/settings/business", { timezone: zone, clash_policy: "enforce" })
    day = await createDay(create, { date, ...size })
  })
  afterAll(() => place.remove())

  return {
    get server() {
      return server
    },
    get api() {
      return api
    },
    get day() {
      return day
    },
    date,
    board,
    create,
    trip,
    open,
    goTo,
    until
  }
}
