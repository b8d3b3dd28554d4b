/**
 * The times of the pages in Chromium with a processor four times slower and a slow mobile network (150 ms, 1.6 Mbit/s down,
 * 750 kbit/s up), with an empty cache.
 */
import bundled from "@sparticuz/chromium"
import { type Browser, type BrowserContext, chromium } from "playwright-core"
import { type Person, startBusiness, type Target } from "./business.ts"

const rounds = 5

/** Milliseconds, as texts: until something is painted, until what the reader came for is painted, and from a key to its paint. */
export interface Times {
  readonly content: string
  readonly ready: string
  readonly key: string
}

/** The script that watches the page from its beginning. The frame after the next one begins when the next one is painted. */
const watch = (ready: string) => `
  globalThis.marks = { ready: 0, keys: [] }
  const seen = new MutationObserver(() => {
    if (document.querySelector(${JSON.stringify(ready)}) === null) return
    seen.disconnect()
    requestAnimationFrame(() => requestAnimationFrame(() => { marks.ready = performance.now() }))
  })
  seen.observe(document, { childList: true, subtree: true })
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name.startsWith("key")) marks.keys.push(duration)
  }).observe({ type: "event", durationThreshold: 16 })`

interface Marks {
  readonly content: number
  readonly ready: number
  readonly keys: ReadonlyArray<number>
}

/** Signs in, as the page of the sign-in does: the cookie, and the marks beside it. */
const signIn = async (context: BrowserContext, address: string, { business, email, password }: Person) => {
  const response = await context.request.post(`${address}/api/v1/auth/login`, {
    headers: { "Livery-Session": "cookie" },
    data: { email, password }
  })
  const { data } = (await response.json()) as { readonly data: { readonly access_token: string } }
  const claims = Buffer.from(data.access_token.split(".")[1] ?? "", "base64url").toString()
  const { sub } = JSON.parse(claims) as { readonly sub: string }
  await context.addInitScript(
    `localStorage.setItem("livery.session", "${sub}"); localStorage.setItem("livery.business", "${business}")`
  )
}

const load = async (browser: Browser, address: string, { key, path, person, ready }: Target) => {
  const viewport = person === undefined ? { width: 360, height: 800 } : { width: 1440, height: 900 }
  const context = await browser.newContext({ locale: "en-GB", viewport })
  if (person !== undefined) await signIn(context, address, person)
  const page = await context.newPage()
  const tools = await context.newCDPSession(page)
  await tools.send("Emulation.setCPUThrottlingRate", { rate: 4 })
  await tools.send("Network.enable")
  await tools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8
  })
  await page.addInitScript(watch(ready))
  const isReady = () =>
    page.waitForFunction(() => (globalThis as unknown as { readonly marks: Marks }).marks.ready > 0)
  await page.goto(`${address}${path}`)
  await isReady()
  const warm = async () => {
    await page.reload()
    await isReady()
    return page.evaluate<number>("marks.ready")
  }
  const cold = await page.evaluate<number>("marks.ready")
  const warmReady = person === undefined ? undefined : await warm()
  if (key !== undefined)
    for (let press = 0; press < 8; press++) {
      await page.keyboard.press(key)
      await page.waitForTimeout(250)
    }
  const field = page.locator("main input:not([type=checkbox],[type=radio],[type=date],[type=time])").first()
  const hasField = key !== undefined || (await field.count()) > 0
  if (key === undefined && hasField) {
    await field.focus()
    await page.keyboard.type("Lakeside 1", { delay: 80 })
    await page.waitForTimeout(300)
  }
  const marks = await page.evaluate<Marks>(
    "({ ...marks, content: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN })"
  )
  await context.close()
  return { ...marks, ready: cold, warmReady, hasField }
}

const median = (values: ReadonlyArray<number>) =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(0)

/** The times of these pages, or of each page that shows something to people: medians of five visits, and the slowest key of all of them. */
export const times = async (names: ReadonlyArray<string> = []): Promise<ReadonlyMap<string, Times>> => {
  const browser = await chromium.launch({
    executablePath: process.env["LIVERY_CHROMIUM"] ?? (await bundled.executablePath()),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
  })
  const business = await startBusiness()
  const measured = new Map<string, Times>()
  for (const [name, target] of Object.entries(business.targets)) {
    if (names.length > 0 && !names.includes(name)) continue
    const visits = []
    for (let round = 0; round < rounds; round++) visits.push(await load(browser, business.address, target))
    const keys = visits.flatMap((visit) => visit.keys)
    const slowest = keys.length === 0 ? "below 16" : String(Math.max(...keys))
    measured.set(name, {
      content: median(visits.map(({ content }) => content)),
      ready: [
        median(visits.map(({ ready }) => ready)),
        ...(target.person === undefined
          ? []
          : [`${median(visits.map(({ warmReady = Number.NaN }) => warmReady))} warm`])
      ].join(", "),
      key: visits.some(({ hasField }) => hasField) ? slowest : ""
    })
  }
  await browser.close()
  await business.stop()
  return measured
}
