/** What the tests of the booking page share: a business with a tariff, the page, and its fields. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, vi } from "vitest"
import { type OpenPage, openPage } from "./Browser.ts"
import { type PagesServer, startSandbox } from "./Sandbox.ts"

/** A name that would be markup if a page took it as such. */
export const hostile = `<img src=x onerror="document.title='owned'">`

/** Waits until the text is on the page. */
export const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** The field with the label. */
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** Fills the fields of a ride on the day. */
export const enterRide = async (page: Page, day = "2031-05-20", time = "10:30") => {
  await field(page, "From").fill("Grand Hotel, Lakeside Road 1")
  await field(page, "Postal code or airport at the start").fill("47.3769, 8.5417")
  await field(page, "To").fill("Airport, Terminal 2")
  await field(page, "Postal code or airport at the destination").fill("ZRH")
  await field(page, "Date").fill(day)
  await field(page, "Time").fill(time)
}

/** Fills the fields of the person who books. */
export const enterContact = async (page: Page, name: string) => {
  await field(page, "Name").fill(name)
  await field(page, "Email").fill("ada@example.com")
}

/** A day from Monday to Friday in a few days, outside of Christmas. */
export const workingDay = () => {
  const days = [3, 4, 5, 6, 7, 8, 9].map((ahead) => new Date(Date.now() + ahead * 86_400_000))
  const isOpen = (day: Date) =>
    day.getUTCDay() % 6 !== 0 && !/-12-2[456]$/u.test(day.toISOString().slice(0, 10))
  return days.find(isOpen)?.toISOString().slice(0, 10)
}

/** The button with the name. */
export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name })

/** A business with a tariff for sedans and vans, and its booking page. */
export interface BookingPage {
  readonly sandbox: PagesServer
  /** Changes settings of the business. */
  readonly settings: (changes: object) => Promise<void>
  readonly open: (query?: string) => Promise<OpenPage>
  /** The trips of the person. */
  readonly tripsOf: (name: string) => Promise<ReadonlyArray<Record<string, unknown>>>
}

/** Starts the server before the tests of a file, and removes it after them. */
export const bookingPage = (): BookingPage => {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
  let sandbox: PagesServer
  let slug: string
  let currency: string

  beforeAll(async () => {
    sandbox = await startSandbox()
    const { api } = sandbox
    const profile = await api.get<{ vendor_slug: string; currency: string }>("/settings/business")
    slug = profile.body.data.vendor_slug
    currency = profile.body.data.currency
    const tariff = await api.post("/tariffs", {
      name: "City",
      currency,
      zones: [
        {
          id: "zrh",
          name: "Airport",
          kind: "airport",
          airport: "ZRH",
          lat: 47.4502,
          lng: 8.5618,
          radius_m: 3000
        }
      ],
      classes: [
        {
          vehicle_class: "sedan",
          max_passengers: 3,
          distance: [{ base: 20, tiers: [{ amount: 2.5 }] }],
          hours: [{ per_hour: 80 }]
        },
        { vehicle_class: "van", distance: [{ base: 90 }] }
      ],
      modifiers: { child_seats: [{ types: ["booster"], amounts: [10] }] }
    })
    assert.strictEqual(tariff.status, 201, tariff.text)
  })
  afterAll(() => sandbox.place.remove())

  return {
    get sandbox() {
      return sandbox
    },
    settings: async (changes) => {
      const { status, text } = await sandbox.api.patch("/settings/business", changes)
      assert.strictEqual(status, 200, text)
    },
    open: (query = "") => openPage(`${sandbox.server.address}/book/${slug}${query}`),
    tripsOf: async (name) => {
      const { body } = await sandbox.api.get<ReadonlyArray<Record<string, unknown>>>("/trips?per_page=100")
      return body.data.filter((trip) => trip["customer_name"] === name)
    }
  }
}
