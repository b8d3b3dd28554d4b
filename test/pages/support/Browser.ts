/**
 * A browser for the tests of the pages. It comes with the project's packages. Where it cannot start, the tests are skipped and
 * say so in one line; with `CI` set they fail.
 */
import bundled from "@sparticuz/chromium"
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request
} from "playwright-core"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert, describe, onTestFailed } from "vitest"

const launchOptions = async () => ({
  executablePath: process.env["LIVERY_CHROMIUM"] ?? (await bundled.executablePath()),
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none"]
})

const launch = async (): Promise<Browser | undefined> => {
  try {
    return await chromium.launch(await launchOptions())
  } catch (cause) {
    if (process.env["CI"] !== undefined) throw cause
    process.stderr.write(
      `The tests of the pages are skipped, because their browser cannot start: ${String(cause).split("\n")[0]}\n`
    )
    return undefined
  }
}

const started = launch()

/** Whether the browser can start on this machine. */
const hasBrowser = (await started) !== undefined

/** Describes tests that need the browser. */
export const describePages: (name: string, tests: () => void) => unknown = hasBrowser
  ? describe
  : describe.skip

/** The browser of this process. */
const theBrowser = async (): Promise<Browser> => {
  const browser = await started
  if (browser === undefined) throw new Error("There is no browser")
  return browser
}

/** A page of its own, and what it reported as an error. */
export interface OpenPage {
  readonly page: Page
  readonly faults: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** What a page shows, as a reader program tells it, and what its browser was told last. */
const shownBy = async (page: Page, requests: ReadonlyArray<string>): Promise<string> => {
  const shown = await page
    .locator("body")
    .ariaSnapshot({ timeout: 2000 })
    .catch((error: unknown) => String(error))
  return `\n${page.url()} shows:\n${shown}\nIts last requests:\n${requests.join("\n")}\n`
}

/** Adds what a page shows to the error of the test that opened it, if the test fails. */
const describeAfterFailure = (page: Page): void => {
  const requests: Array<string> = []
  const keep = (outcome: number | string, request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith("/assets/")) return
    requests.push(`${outcome} ${request.method()} ${pathname}${search}`)
    if (requests.length > 12) requests.shift()
  }
  page.on("response", (response) => keep(response.status(), response.request()))
  page.on("requestfailed", (request) => keep("failed", request))
  try {
    onTestFailed(async ({ task }) => {
      const [error] = task.result?.errors ?? []
      if (error !== undefined) error.message += await shownBy(page, requests)
    })
  } catch {
    // The page is opened outside of a test.
  }
}

/** Opens a page in a context of its own. Its faults are exceptions, refusals of its security policy, and error messages. */
export const openPage = async (url: string, options: BrowserContextOptions = {}): Promise<OpenPage> => {
  const context = await (
    await theBrowser()
  ).newContext({ locale: "en-GB", timezoneId: "Europe/Zurich", ...options })
  const page = await context.newPage()
  const faults: Array<string> = []
  page.on("pageerror", (error) => faults.push(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/u.test(message.text()))
      faults.push(message.text())
  })
  describeAfterFailure(page)
  await page.goto(url)
  return { page, faults, close: () => context.close() }
}

/** A browser of its own whose data stay in a directory, as on a phone. `kill` ends it as a crash does. */
export const keptBrowser = async (
  directory: string,
  initScript: string
): Promise<{
  readonly page: Page
  readonly kill: () => Promise<void>
  readonly close: () => Promise<void>
}> => {
  const context = await chromium.launchPersistentContext(directory, {
    ...(await launchOptions()),
    locale: "en-GB"
  })
  await context.addInitScript(initScript)
  const page = await context.newPage()
  return {
    page,
    kill: async () => {
      const ended = new Promise((resolve) => context.once("close", resolve))
      const session = await context.browser()?.newBrowserCDPSession()
      session?.send("Browser.crash").catch(() => undefined)
      await ended
    },
    close: () => context.close()
  }
}

/** Waits until an element has the focus. */
export const focused = (locator: Locator): Promise<void> =>
  locator.and(locator.page().locator(":focus")).waitFor()

/** How many pixels of a page are beside its window: a person would have to scroll sideways. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth")

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface AxeResults {
  readonly violations: ReadonlyArray<{
    readonly id: string
    readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
  }>
}

interface Axe {
  readonly run: (options: object) => Promise<AxeResults>
}

/** Fails if the page has a barrier for people who use it with a reader program, by keyboard, or with weak eyes. */
export const assertAccessible = async (page: Page): Promise<void> => {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource)
  const { violations } = await page.evaluate(() => {
    const { axe } = globalThis as unknown as { readonly axe: Axe }
    // Only the selectors of barriers are computed.
    return axe.run({ resultTypes: ["violations"] })
  })
  assert.deepStrictEqual(
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ failureSummary, html }) => `${id}: ${html} ${failureSummary ?? ""}`)
    ),
    []
  )
}
