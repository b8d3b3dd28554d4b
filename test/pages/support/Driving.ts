/** What the tests of the driver's page share: a business with a driver, the phone, and its clock, positions and stores. */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, vi } from "vitest"
import { bearer, type Client, clientOf } from "../../support/Client.ts"
import { type Installation, installation } from "../../support/Installation.ts"
import type { Server } from "../../support/Server.ts"
import { type OpenPage, openPage } from "./Browser.ts"

/** Waits for the headline of the page. */
export const headline = (page: Page, title: string) =>
  page.getByRole("heading", { level: 1, name: title }).waitFor()

/** Taps the one next action. A touch soon after another counts as the same one, and the times of milestones have whole seconds. */
export const tap = async (page: Page, name: string) => {
  await page.waitForTimeout(1050)
  await page.getByRole("button", { name, exact: true }).click()
}

/** Lets a test say where the phone is. */
export const fakePosition = `
  Geolocation.prototype.watchPosition = (found) => {
    globalThis.moveTo = (latitude, longitude, timestamp) =>
      found({ coords: { latitude, longitude, accuracy: 5, heading: null, speed: 10 }, timestamp })
    return 1
  }`

/**
 * Sets the phone's clock back by so many seconds, so that a test can have ten minutes of its positions behind it, and so that
 * `tapAfterSkip` can move it on.
 */
export const slowClock = (seconds: number) => `
  globalThis.behind = ${seconds * 1000}
  globalThis.Date = class extends Date {
    constructor(...parts) { parts.length === 0 ? super(new.target.now()) : super(...parts) }
    static now() { return super.now() - behind }
  }`

/** `tap` on a phone with a slow clock, which skips the time that two touches must be apart. */
export const tapAfterSkip = async (page: Page, name: string) => {
  await page.evaluate("behind -= 1050")
  await page.getByRole("button", { name, exact: true }).click()
}

/** Counts how often the page asks to keep the screen awake, and how often it lets the screen sleep again. */
export const fakeWakeLock = `
  globalThis.locks = { asked: 0, released: 0 }
  Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
    locks.asked += 1
    return { release: async () => { locks.released += 1 } }
  } } })`

export const overflow = "document.documentElement.scrollWidth - innerWidth"

/** The expression that asks something of a store of the phone. */
const inStore = (store: string, question: string) =>
  `new Promise((done) => { const it = indexedDB.open('livery-drive'); it.onsuccess = () => { const all = it.result.transaction('${store}').objectStore('${store}').${question}; all.onsuccess = () => done(all.result) } })`

export const waitingCount = inStore("waiting", "count()")
export const waitingReports = async (page: Page) =>
  (await page.evaluate<ReadonlyArray<{ kind: string }>>(inStore("waiting", "getAll()"))).filter(
    ({ kind }) => kind === "report"
  ).length
export const keptNames = inStore("kept", "getAllKeys()")

export interface TripDrivers {
  readonly status: string
  readonly drivers: ReadonlyArray<{
    readonly milestones: ReadonlyArray<{
      milestone: string
      stop_index: number | null
      at: string
      lat: number | null
      lng: number | null
    }>
  }>
}

/** The changes of a booking, and the driver who gets it. */
type NewJob = (changes?: object, driver?: number) => Promise<{ readonly id: number; readonly token: string }>

/** An installation with a business and its driver Josephine Baker, which begins and ends with the file's tests. */
export interface DrivingOffice {
  readonly place: Installation
  readonly server: Server
  readonly api: Client
  readonly driverId: number
  /** Books a trip that begins in a minute, and assigns it. */
  readonly newJob: NewJob
  /** What the trip's driver reported so far. */
  readonly milestonesOf: (trip: number) => Promise<TripDrivers["drivers"][number]["milestones"]>
  /** Opens the page of a driver's link, near the airport of Zurich. */
  readonly open: (token: string, query?: string) => Promise<OpenPage>
}

/** Starts the installation before the tests of a file, and removes it after them. */
export const drivingOffice = (): DrivingOffice => {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
  let place: Installation
  let server: Server
  let api: Client
  let driverId: number

  beforeAll(async () => {
    place = await installation({ embedded: "copied" })
    server = await place.serve()
    const key = /lvk_\S+/u.exec(server.program.stdout())?.[0] ?? "none"
    api = clientOf(server.api, bearer(key))
    await api.patch("/settings/business", { phone: "+41 44 123 45 67", business_name: "Lake Limousines" })
    const driver = await api.post<{ driver_id: number }>("/drivers", {
      name: "Josephine Baker",
      email: "josephine@cars.example"
    })
    driverId = driver.body.data.driver_id
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
    get driverId() {
      return driverId
    },
    newJob: async (changes = {}, driver = driverId) => {
      const trip = await api.post<{ trip_id: number }>("/trips", {
        trip_date: new Date(Date.now() + 60_000).toISOString(),
        pickup_address: "Zurich Airport, Terminal 1",
        dropoff_address: "Grand Hotel, Bahnhofstrasse 1",
        pickup_lat: 47.4503,
        pickup_lng: 8.5616,
        dropoff_lat: 47.3667,
        dropoff_lng: 8.545,
        customer_name: "Ada <b>Lovelace</b>",
        customer_phone: "+41 79 000 00 00",
        pickup_sign: "Ms Lovelace",
        flight_number: "LX 1234",
        notes: "Two large bags.\nNo phone calls, please.",
        stops: [{ address: "Paradeplatz 2" }],
        pickup_timezone: "Europe/Zurich",
        ...changes
      })
      const id = trip.body.data.trip_id
      const assigned = await api.post<{ drivers: ReadonlyArray<{ driver_token: string }> }>(
        `/trips/${id}/drivers`,
        { driver_ids: [driver] }
      )
      return { id, token: assigned.body.data.drivers[0]?.driver_token ?? "" }
    },
    milestonesOf: async (trip) =>
      (await api.get<TripDrivers>(`/trips/${trip}`)).body.data.drivers[0]?.milestones ?? [],
    open: (token, query = "") =>
      openPage(`${server.address}/drive${query}#${token}`, {
        permissions: ["geolocation"],
        geolocation: { latitude: 47.45, longitude: 8.56 }
      })
  }
}
