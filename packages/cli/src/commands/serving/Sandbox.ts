/**
 * `livery serve --sandbox`: an emulated Stripe account beside the API, so that invoices can be paid without an account.
 * Payments in it are not real. It therefore starts only with the embedded database, on this machine alone and without
 * Stripe settings, and marks the data directory, so that no real Stripe account is used with that data later.
 */
import { Context, Effect, Option, Redacted, Schema } from "effect"
import type { StripeEmulator } from "@livery/stripe-emulator"
import { access, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { SettingsShape } from "../../settings/Settings.ts"

/** The emulated account that runs beside the API; undefined without `--sandbox`. */
export const Sandbox = Context.Reference<SandboxAccount | undefined>("@livery/cli/Sandbox", {
  defaultValue: () => undefined
})

/** An emulated account. It sends its notices to `receiver` once that is set. */
export interface SandboxAccount extends Pick<StripeEmulator, "publishableKey" | "url"> {
  receiver: string | undefined
}

/** The sandbox cannot start with a setting, or Stripe cannot be used with the data of a sandbox. */
export class SandboxRefused extends Schema.TaggedError<SandboxRefused>()("SandboxRefused", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/**
 * The keys of browsers and of the account's owner. They are always the same, so that examples can contain them. Neither is
 * secret: the account is reached from this machine alone, and its payments are not real.
 */
const sandboxKeys = { publishableKey: "pk_test_sandbox", secretKey: Redacted.make("sk_test_sandbox") }

/** The port of the emulated account. If it is taken, any free port is used. */
const sandboxPort = 12_111

/** Whether a server on that host is reached from this machine alone. */
export const isLoopback = (host: string) =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/u.test(host)

const markerOf = ({ dataDirectory }: SettingsShape) => join(dataDirectory, "sandbox")

/** The reason why the settings do not permit the sandbox; undefined if they do. */
const obstacleIn = ({ baseUrl, databaseUrl, host, stripe }: SettingsShape): string | undefined => {
  const { apiBase, secretKey, webhookSecret } = stripe
  if (secretKey !== undefined || webhookSecret !== undefined || apiBase !== undefined)
    return "with STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET or STRIPE_API_BASE: it brings its own account"
  if (databaseUrl !== undefined) return "with DATABASE_URL: it only runs on the embedded database"
  if (!isLoopback(host)) return "unless HOST is an address of this machine only"
  if (baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname))
    return "unless BASE_URL is an address of this machine only"
  return undefined
}

/** Fails if the settings do not permit the sandbox. */
export const requireSandboxPermitted = (settings: SettingsShape) =>
  Option.match(Option.fromUndefinedOr(obstacleIn(settings)), {
    onNone: () => Effect.void,
    onSome: (reason) => Effect.fail(new SandboxRefused({ reason: `--sandbox cannot be used ${reason}` }))
  })

/** Fails if Stripe is configured for data that contains payments of the sandbox. */
export const requireNoSandboxData = Effect.fnUntraced(function* (settings: SettingsShape) {
  if (settings.stripe.secretKey === undefined || settings.databaseUrl !== undefined) return
  const marked = yield* Effect.promise(() =>
    access(markerOf(settings)).then(
      () => true,
      () => false
    )
  )
  if (marked)
    return yield* new SandboxRefused({
      reason:
        "STRIPE_SECRET_KEY cannot be used with the data in LIVERY_DATA_DIR: `livery serve --sandbox` has written payments there that are not real"
    })
})

const emulated = Effect.fnUntraced(function* (account: { receiver: string | undefined }, port: number) {
  // Loaded here, because only `--sandbox` needs it.
  const { makeStripeEmulator } = yield* Effect.promise(() => import("@livery/stripe-emulator"))
  return yield* makeStripeEmulator({
    port,
    ...sandboxKeys,
    webhookUrl: () => account.receiver
  })
})

/** Starts the emulated account, and returns it with the settings that use it. It ends with the scope. */
export const startSandbox = Effect.fnUntraced(function* (settings: SettingsShape) {
  yield* Effect.promise(async () => {
    await mkdir(settings.dataDirectory, { recursive: true, mode: 0o700 })
    await writeFile(markerOf(settings), "Payments in this directory are not real (livery serve --sandbox).\n")
  })
  const target: { receiver: string | undefined } = { receiver: undefined }
  const emulator = yield* emulated(target, settings.port === 0 ? 0 : sandboxPort).pipe(
    Effect.catch(() => emulated(target, 0)),
    Effect.orDie
  )
  const { publishableKey, secretKey, url, webhookSecret } = emulator
  const account: SandboxAccount = Object.assign(target, { publishableKey, url })
  return {
    account,
    settings: {
      ...settings,
      stripe: { secretKey, webhookSecret, apiBase: url },
      stripePublishableKey: publishableKey
    }
  }
})

/** The lines of the greeting that show how a customer pays an invoice. */
export const sandboxLines = ({ publishableKey, url }: Pick<SandboxAccount, "publishableKey" | "url">) => [
  `  Sandbox         ${url} (payments are not real)`,
  "",
  "Pay as a customer with the client_secret of POST /public/invoices/{payment_hash}/pay:",
  "",
  `  curl -s ${url}/v1/payment_intents/\${secret%%_secret_*}/confirm -u ${publishableKey}: \\`,
  "    -d client_secret=$secret -d payment_method=pm_card_visa"
]
