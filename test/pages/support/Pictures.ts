/**
 * Pictures of a screen's states, to look at while a screen is made: `LIVERY_PICTURES=/tmp/pictures npx vitest run test/pages`.
 * Without that variable, none are taken.
 */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "playwright-core"

const directory = process.env["LIVERY_PICTURES"]

const widths = [360, 768, 1440]
const languages = ["en", "de", "ar"]

/** Takes the pictures of what the page shows, in three widths and languages, light and dark. `ready` waits for the state. */
export const takePictures = async (
  page: Page,
  name: string,
  ready: (page: Page) => Promise<unknown>
): Promise<void> => {
  if (directory === undefined) return
  await mkdir(directory, { recursive: true })
  const before = page.url()
  for (const language of languages) {
    const address = new URL(before)
    address.searchParams.set("lang", language)
    await page.goto(address.href)
    await ready(page)
    for (const width of widths)
      for (const colorScheme of ["light", "dark"] as const) {
        if (width !== 360 && (language !== "en" || colorScheme === "dark")) continue
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        await page.screenshot({
          path: join(directory, `${name}-${width}-${language}-${colorScheme}.png`),
          fullPage: true
        })
      }
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.goto(before)
  await ready(page)
}
