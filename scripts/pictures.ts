/**
 * Makes the pictures of the office in `docs/images` again, from a new demonstration business with more drivers, trips of a
 * month and their invoices: `npm run pictures`.
 */
import bundled from "@sparticuz/chromium"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"
import { createDay } from "../test/pages/support/Day.ts"

const root = join(import.meta.dirname, "..")

const startServer = async (directory: string) => {
  const server = spawn(process.execPath, [join(root, "packages/cli/bin/livery.js"), "serve", "--sandbox"], {
    env: { ...process.env, PORT: "0", LIVERY_DATA_DIR: directory, DATABASE_URL: "" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const said = await new Promise<string>((resolve, reject) => {
    let text = ""
    server.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      if (/#demo=\S+/u.test(text) && /lvk_\S+/u.test(text) && text.endsWith("\n\n")) resolve(text)
    })
    server.on("exit", () => reject(new Error("The server stopped before it was ready")))
  })
  return {
    link: /http:\S+#demo=\S+/u.exec(said)?.[0] ?? "",
    key: /lvk_\S+/u.exec(said)?.[0] ?? "",
    stop: () =>
      new Promise((resolve) => {
        server.removeAllListeners("exit").on("exit", resolve)
        server.kill("SIGTERM")
      })
  }
}

type Send = <A>(method: "PATCH" | "POST", path: string, body?: unknown) => Promise<A>

/** The day of the board: tomorrow, so that the picture is the same at each hour. */
const boardDay = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

/** A day of eight drivers, and trips of the past month with invoices. Returns an invoice and one of its trips. */
const fillBusiness = async (send: Send) => {
  const post = <A>(path: string, body: unknown) => send<A>("POST", path, body)
  const { drivers } = await createDay(post, { date: boardDay, drivers: 8, jobs: 64, openEvery: 13 })
  await post(`/drivers/${drivers[5]}/absences`, {
    kind: "sick",
    starts_at: `${boardDay}T00:00:00`,
    ends_at: `${boardDay}T23:59:00`,
    force: true
  })
  const names = ["Grand Hotel", "Conference Centre", "Lake Villa"]
  const made = []
  for (const [index, name] of names.entries()) {
    const { customer_id } = await post<{ customer_id: number }>("/customers", {
      name,
      email: `desk${index}@hotel.example`,
      address: "Lakeside Road 1, 8001 Zürich"
    })
    for (let week = 0; week < 4; week++) {
      const trips = []
      for (let trip = 0; trip < 2 + index; trip++) {
        const at = new Date(Date.now() - (week * 6 + trip + 1) * 86_400_000).toISOString()
        const { trip_id } = await post<{ trip_id: number }>("/trips", {
          trip_date: at,
          pickup_address: name,
          dropoff_address: "Airport, Terminal 2",
          customer_id,
          vehicle_class: trip % 2 === 0 ? "sedan" : "van",
          total_amount: 95 + 20 * trip
        })
        await post(`/trips/${trip_id}/drivers`, { driver_ids: [drivers[trip]], force: true })
        await send("PATCH", `/trips/${trip_id}`, { status: "completed" })
        trips.push(trip_id)
      }
      const { invoice_id } = await post<{ invoice_id: number }>("/invoices", {
        customer_id,
        trip_ids: trips,
        tax_rate: 8.1,
        issued_on: new Date(Date.now() - week * 6 * 86_400_000).toISOString().slice(0, 10)
      })
      made.push({ invoice_id, trip_id: trips[0] })
    }
  }
  return made.at(-1) ?? { invoice_id: 0, trip_id: 0 }
}

const show = (page: Page, path: string) => page.goto(`${new URL(page.url()).origin}/app${path}`)

const keep = async (page: Page, name: string) => {
  // Charts and the frame of a PDF are drawn after their data.
  await page.waitForTimeout(1500)
  await page.screenshot({ path: join(root, "docs/images", `office-${name}.png`) })
}

const take = async (page: Page, name: string, path: string, ready: string) => {
  await show(page, path)
  await page.locator(ready).first().waitFor()
  await keep(page, name)
}

/** A sheet of customers with a header that no program has, and a line that is refused. */
const sheet = [
  "Client;Contact mail;Mobile;Town;Country;Favourite seat",
  "Ada Lovelace;ada@engines.example;+41 44 668 18 00;Zürich;Switzerland;left",
  "Grace Hopper;grace@navy.example;+41 44 668 18 01;Basel;Switzerland;right",
  "Charles Babbage;no address;+41 44 668 18 02;Bern;Switzerland;left",
  "Mary Somerville;mary@stars.example;+41 44 668 18 03;Geneva;Switzerland;"
].join("\n")

const takeImport = async (page: Page) => {
  await show(page, "/import")
  const file = { name: "clients.csv", mimeType: "text/csv", buffer: Buffer.from(sheet) }
  await page.locator("input[type=file]").setInputFiles(file)
  await page.getByLabel("Column “Client” is read as").selectOption("Name")
  await page.getByLabel("Column “Contact mail” is read as").selectOption("Email")
  await page.getByRole("button", { name: "Preview" }).click()
  await page.locator(".counts").waitFor()
  await page.locator("#columns").evaluate((title) => title.scrollIntoView())
  await keep(page, "import")
}

const directory = mkdtempSync(join(tmpdir(), "livery-pictures-"))
const { key, link, stop } = await startServer(directory)
const browser = await chromium.launch({
  executablePath: process.env["LIVERY_CHROMIUM"] ?? (await bundled.executablePath()),
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
})
try {
  const send: Send = async <A>(method: string, path: string, body: unknown = {}) => {
    const response = await fetch(`${new URL(link).origin}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body)
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return ((await response.json()) as { readonly data: A }).data
  }
  const { invoice_id, trip_id } = await fillBusiness(send)
  const page = await browser.newPage({ locale: "en-GB", viewport: { width: 1280, height: 800 } })
  await page.goto(link)
  const kept = page.waitForResponse((response) => response.request().method() === "PATCH")
  await page.getByRole("button", { name: "End the tour" }).click()
  await kept
  await show(page, `?date=${boardDay}`)
  await page.locator("[data-trip]").first().waitFor()
  // The morning, at the width of an hour.
  await page.locator(".timeline").evaluate((timeline) => {
    timeline.scrollLeft = 8 * 84
  })
  await keep(page, "board")
  await take(page, "trip", `/trips/${trip_id}`, ".timeline li")
  // Below the width at which the PDF stands beside the form: this browser shows no PDF in a frame.
  await page.setViewportSize({ width: 1090, height: 800 })
  await take(page, "invoice", `/money/${invoice_id}`, ".timeline li")
  await page.setViewportSize({ width: 1280, height: 800 })
  await take(page, "reports", "/reports", "main table, main svg")
  await page.setViewportSize({ width: 1280, height: 1000 })
  await takeImport(page)
} finally {
  await browser.close()
  await stop()
  rmSync(directory, { recursive: true, force: true })
}
