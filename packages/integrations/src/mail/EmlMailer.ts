/** The domain's `Mailer` without a mail server: it writes messages to files that any mail program opens. */
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Mailer, MailRefused, traced } from "@livery/domain"
import { Clock, Effect, Layer, Predicate, Random } from "effect"
import { compose, readSender } from "./MailComposition.ts"
import type { MailSettingRefused } from "./MailSettingRefused.ts"

/** Where messages are written, and their sender. */
export interface EmlMailerOptions {
  /** The directory of the files. It is created with the first message. */
  readonly directory: string
  /** The sender: one address, with or without a name; `Livery <livery@localhost>` by default. */
  readonly from?: string
}

const fileName = Effect.gen(function* () {
  const time = new Date(yield* Clock.currentTimeMillis).toISOString().replaceAll(/[-:]/gu, "")
  const random = yield* Random.nextIntBetween(0, 2 ** 32)
  return `${time}-${random.toString(16).padStart(8, "0")}.eml`
})

/** Writes under a hidden name first, so that a program which watches the directory never reads an incomplete file. */
const writeWhole = async (directory: string, name: string, bytes: Uint8Array): Promise<string> => {
  const partial = join(directory, `.${name}.partial`)
  const file = join(directory, name)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  try {
    await writeFile(partial, bytes, { flag: "wx", mode: 0o600 })
    await rename(partial, file)
  } catch (cause) {
    await rm(partial, { force: true })
    throw cause
  }
  return file
}

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
      return Mailer.of({
        send: traced("Mailer.send")(function* (message) {
          const composed = yield* compose(from, message)
          const name = yield* fileName
          const file = yield* Effect.tryPromise({
            try: async () => {
              // Imported with the first message, because most starts write none.
              const { default: MailComposer } = await import("nodemailer/lib/mail-composer")
              const bytes = await new MailComposer({ ...composed, newline: "win" }).compile().build()
              return await writeWhole(directory, name, bytes)
            },
            catch: refusal
          }).pipe(Effect.uninterruptible)
          yield* Effect.logInfo(`A message was written to ${file}`)
        })
      })
    })
  )
