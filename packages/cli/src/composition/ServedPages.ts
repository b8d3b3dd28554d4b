/** The pages that the server shows to people: their folder, and how the payment page takes cards. */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { SettingsShape } from "../settings/Settings.ts"

const inPackage = () => {
  try {
    const manifest = createRequire(import.meta.url).resolve("@livery/pages/package.json")
    return [join(dirname(manifest), "dist/site")]
  } catch {
    return []
  }
}

/**
 * The folder beside the bundle of the executable, or the one in the package of the pages; undefined before the pages are
 * built.
 */
export const pagesFolder = (): string | undefined =>
  [fileURLToPath(new URL("site/", import.meta.url)), ...inPackage()].find((folder) =>
    existsSync(join(folder, "404.html"))
  )

type CardSettings = Pick<SettingsShape, "stripe" | "stripePublishableKey">

/** How pages take cards: with the provider's key for browsers, at the address of an emulated provider if there is one. */
export const cardFormOf = ({ stripe, stripePublishableKey }: CardSettings) =>
  stripePublishableKey === undefined
    ? undefined
    : {
        publishable_key: stripePublishableKey,
        // Only an emulator on this machine has an address without TLS.
        api_base: stripe.apiBase?.startsWith("http:") === true ? stripe.apiBase : null
      }

/** The origins that the payment page needs (https://docs.stripe.com/security/guide#content-security-policy). */
export const paymentOrigins = (settings: CardSettings): ReadonlyArray<string> => {
  const card = cardFormOf(settings)
  if (card === undefined) return []
  return card.api_base === null
    ? [
        "https://js.stripe.com",
        "https://*.js.stripe.com",
        "https://api.stripe.com",
        "https://hooks.stripe.com"
      ]
    : [card.api_base]
}
