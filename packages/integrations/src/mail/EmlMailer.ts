/** The domain's `Mailer` for a machine without a mail server: letters become files that any mail program opens. */
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Mailer, MailRefused } from "@livery/domain"
import { Clock, Effect, Layer, Predicate, Random } from "effect"
import { compose, readSender } from "./Composition.ts"
import type { MailSettingRefused } from "./MailSettingRefused.ts"

/** Where letters are written. */
export interface EmlMailerOptions {
  /** The directory of the letters, made when the first is written; the data directory's `mail/`. */
  readonly directory: string
  /** `MAIL_FROM`: one address, with or without a name; `Livery <livery@localhost>` by default. */
  readonly from?: string
}

const fileName = Effect.gen(function* () {
  const time = new Date(yield* Clock.currentTimeMillis).toISOString().replaceAll(/[-:]/gu, "")
  const random = yield* Random.nextIntBetween(0, 2 ** 32)
  return `${time}-${random.toString(16).padStart(8, "0")}.eml`
})

/** Under a hidden name first, so that a program that watches the directory never sees half a letter. */
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
  return new MailRefused({ reason: `the letter could not be written (${code})` })
}

/**
 * Writes each letter as `<directory>/<UTC time>-<random>.eml` (RFC 5322, mode 0600) and logs where it is, never
 * what it says: letters carry codes. `MailRefused` when the disk refuses.
 */
export const layer = (options: EmlMailerOptions): Layer.Layer<Mailer, MailSettingRefused> =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const from = yield* readSender(options.from ?? "Livery <livery@localhost>")
      const directory = resolve(options.directory)
      return Mailer.of({
        send: Effect.fn("Mailer.send")(function* (letter) {
          const message = yield* compose(from, letter)
          const name = yield* fileName
          const file = yield* Effect.tryPromise({
            try: async () => {
              // Read with the first letter: most starts write none.
              const { default: MailComposer } = await import("nodemailer/lib/mail-composer")
              const bytes = await new MailComposer({ ...message, newline: "win" }).compile().build()
              return await writeWhole(directory, name, bytes)
            },
            catch: refusal
          }).pipe(Effect.uninterruptible)
          yield* Effect.logInfo(`A letter was written to ${file}`)
        })
      })
    })
  )
