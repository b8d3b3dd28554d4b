/** A business on a server of its own, with a record for each page to show. */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDay } from "../../test/pages/support/Day.ts"

const executable = join(import.meta.dirname, "../../packages/cli/bin/livery.js")

/** A page to measure: its path, and the selector of what the reader came for. */
export interface Target {
  readonly path: string
  readonly ready: string
  /** Who has to be signed in for it. */
  readonly person?: Person
  /** A key whose painted answer is measured; without one, an address is typed into the first field. */
  readonly key?: string
}

/** A member of the business. */
export interface Person {
  readonly email: string
  readonly password: string
  readonly business: number
}

/** The server's address, and the pages by the names of their HTML. */
export interface Business {
  readonly address: string
  readonly targets: Readonly<Record<string, Target>>
  readonly stop: () => Promise<void>
}

const startServer = async () => {
  const directory = mkdtempSync(join(tmpdir(), "livery-pages-"))
  const env = { ...process.env, PORT: "0", LIVERY_DATA_DIR: directory, DATABASE_URL: "" }
  const server = spawn(process.execPath, [executable, "serve", "--sandbox"], {
    env,
    stdio: ["ignore", "pipe", "ignore"]
  })
  const said = await new Promise<string>((resolve, reject) => {
    let text = ""
    server.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      if (/lvk_\S+/u.test(text) && text.endsWith("\n\n")) resolve(text)
    })
    server.on("exit", () => reject(new Error("livery stopped before it was ready")))
  })
  return {
    address: /(http:\S+)\/api\/v1/u.exec(said)?.[1] ?? "",
    key: /lvk_\S+/u.exec(said)?.[0] ?? "",
    run: (args: ReadonlyArray<string>, input: string) =>
      spawnSync(process.execPath, [executable, ...args], { env, input }),
    stop: async () => {
      server.removeAllListeners("exit")
      const gone = new Promise((resolve) => server.on("exit", resolve))
      server.kill("SIGTERM")
      await gone
      rmSync(directory, { recursive: true, force: true })
    }
  }
}

const sedans = {
  name: "City",
  currency: "USD",
  classes: [{ vehicle_class: "sedan", max_passengers: 3, distance: [{ base: 20, tiers: [{ amount: 2.5 }] }] }]
}

const trip = {
  trip_date: new Date(Date.now() + 3_600_000).toISOString(),
  pickup_address: "Grand Hotel, Lakeside Road 1",
  dropoff_address: "Airport, Terminal 2",
  pickup_lat: 47.3667,
  pickup_lng: 8.545,
  dropoff_lat: 47.4503,
  dropoff_lng: 8.5616,
  pickup_timezone: "Europe/Zurich",
  customer_name: "Ada Lovelace"
}

const password = "a password of measurements"

/** Makes a member of the demonstration business. */
const makePerson = async ({
  run,
  send
}: {
  readonly run: (args: ReadonlyArray<string>, input: string) => unknown
  readonly send: <A>(method: string, path: string, body?: unknown, token?: string) => Promise<A>
}): Promise<Person> => {
  const root = "root@platform.example"
  const email = "desk@cars.example"
  run(["users", "create", "--name", "Root", "--email", root, "--account-type", "S"], password)
  const { access_token } = await send<{ access_token: string }>("POST", "/auth/login", {
    email: root,
    password
  })
  const { business_id: business } = await send<{ business_id: number }>("GET", "/business")
  const user = { name: "Desk", email, password, account_type: "A" }
  const { id } = await send<{ id: number }>("POST", "/admin/users", user, access_token)
  const assignment = { business_id: business, action: "assign" }
  await send("POST", `/admin/users/${id}/business-assignment`, assignment, access_token)
  return { email, password, business }
}

/** Starts the server, and writes the records. */
export const startBusiness = async (): Promise<Business> => {
  const { address, key, run, stop } = await startServer()
  const send = async <A>(method: string, path: string, body?: unknown, token = key): Promise<A> => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return ((await response.json()) as { readonly data: A }).data
  }
  const post = <A>(path: string, body: unknown = {}) => send<A>("POST", path, body)
  const profile = await send<{ vendor_slug: string; currency: string }>("GET", "/settings/business")
  await post("/tariffs", { ...sedans, currency: profile.currency })
  const invoice = await post<{ payment_hash: string }>("/invoices", {
    currency: "EUR",
    items: [{ description: "Airport transfer", quantity: 1, unit_price: 120 }]
  })
  const quote = await post<{ quote_id: number }>("/quotes", {
    customer_name: "Ada Lovelace",
    customer_email: "ada@example.com",
    valid_until: new Date(Date.now() + 86_400_000).toISOString(),
    items: [{ description: "Transfer to the airport", trip, amount: 240 }]
  })
  const offer = await post<{ token: string }>(`/quotes/${quote.quote_id}/send`, { email: false })
  const { driver_id } = await post<{ driver_id: number }>("/drivers", { name: "Josephine Baker" })
  const { trip_id } = await post<{ trip_id: number }>("/trips", trip)
  const assigned = await post<{ drivers: ReadonlyArray<{ driver_token: string }> }>(
    `/trips/${trip_id}/drivers`,
    { driver_ids: [driver_id] }
  )
  const link = await post<{ token: string }>(`/trips/${trip_id}/tracking-link`)
  const person = await makePerson({ run, send })
  const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await createDay(post, { date, drivers: 60, jobs: 320 })
  const form = "main input"
  return {
    address,
    stop,
    targets: {
      app: { path: `/app?date=${date}`, ready: "main [data-trip]", person, key: "j" },
      "[slug]": { path: `/book/${profile.vendor_slug}`, ready: form },
      drive: { path: `/drive#${assigned.drivers[0]?.driver_token}`, ready: "main .button.primary" },
      login: { path: "/login", ready: form },
      "password-reset": { path: "/password-reset", ready: form },
      pay: { path: `/pay#invoice=${invoice.payment_hash}`, ready: "main table" },
      quote: { path: `/quote#${offer.token}`, ready: "main table" },
      "sign-up": { path: "/sign-up", ready: form },
      track: { path: `/track#${link.token}`, ready: "main h1" }
    }
  }
}
