/** The domain's `Mailer` without a mail server: it writes messages to files that any mail program opens. */
import { join, resolve } from "node:path"
import { importedAfterStart, Mailer, MailRefused, type Reference, referencesIn, traced } from "@livery/domain"
import { Clock, Effect, Layer, Predicate, Random } from "effect"
import { writeWhole } from "../files/WriteWhole.ts"
import { compose, readSender } from "./MailComposition.ts"
import type { MailSettingRefused } from "./MailSettingRefused.ts"

/** Where messages are written, and their sender. */
export interface EmlMailerOptions {
  /** The directory of the files. It is created with the first message. */
  readonly directory: string
  /** The sender: one address, with or without a name; `Livery <livery@localhost>` by default. */
  readonly from?: string
}

const textOf = ({ id, kind }: Reference) => `${kind}:${id}`

/** The header of a file with the id of the business that sent the message. A message about an account has none. */
export const businessHeader = "X-Business-Id"

/** The header of a file with the records that the message may name. */
export const namesHeader = "X-Names"

const fileName = Effect.gen(function* () {
  const time = new Date(yield* Clock.currentTimeMillis).toISOString().replaceAll(/[-:]/gu, "")
  const random = yield* Random.nextIntBetween(0, 2 ** 32)
  return `${time}-${random.toString(16).padStart(8, "0")}.eml`
})

const refusal = (cause: unknown): MailRefused => {
  const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : "unknown"
  return new MailRefused({ reason: `the message could not be written (${code})` })
}

/**
 * Writes each message to `<directory>/<UTC time>-<random>.eml` (RFC 5322, mode 0600). It logs the path, not the content,
 * because messages carry codes. `MailRefused` if the file cannot be written.
 */
export const layer = (options: EmlMailerOptions): Layer.Layer<Mailer, MailSettingRefused> =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const from = yield* readSender(options.from ?? "Livery <livery@localhost>")
      const directory = resolve(options.directory)
      const imported = yield* importedAfterStart(() => import("nodemailer/lib/mail-composer"))
      return Mailer.of({
        send: traced("Mailer.send")(function* (message, stamp) {
          const { business_id, names = [] } = message
          const composed = yield* compose(from, message, stamp, {
            ...(business_id === undefined ? {} : { [businessHeader]: String(business_id) }),
            ...(names.length === 0 ? {} : { [namesHeader]: referencesIn(names).map(textOf).join(", ") })
          })
          const file = join(directory, yield* fileName)
          const { default: MailComposer } = yield* imported
          yield* Effect.tryPromise({
            try: async () => {
              const bytes = await new MailComposer({ ...composed, newline: "win" }).compile().build()
              await writeWhole(file, bytes)
            },
            catch: refusal
          }).pipe(Effect.uninterruptible)
          yield* Effect.logInfo(`A message was written to ${file}`)
        })
      })
    })
  )
