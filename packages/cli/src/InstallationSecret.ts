/** The secret of an installation on the embedded database: made once, kept in the data directory. */
import { Effect, Redacted, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** The secret's file cannot be read or made. */
export class SecretUnavailable extends Schema.TaggedError<SecretUnavailable>()("SecretUnavailable", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The installation's secret, ${this.file}, is not available: ${this.reason}`
  }
}

const existing = async (file: string) => {
  try {
    return (await readFile(file, "utf8")).trim()
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
}

/** Whole or not at all: a process that ends half-way must not leave half a secret that nothing can be opened with. */
const make = async (directory: string, file: string) => {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const draft = join(directory, `.secret-${randomBytes(6).toString("hex")}`)
  await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    // Another process made it first: that one is the installation's.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** The secret in `directory`, made if there is none. Processes that ask at once get the same. */
export const installationSecret = (directory: string) => {
  const file = join(directory, "secret")
  return Effect.tryPromise({
    try: async () => {
      if ((await existing(file)) === undefined) await make(directory, file)
      const secret = await existing(file)
      if (secret === undefined || secret.length < 32) throw new Error("it is empty or too short")
      return Redacted.make(secret)
    },
    catch: (error) =>
      new SecretUnavailable({ file, reason: error instanceof Error ? error.message : String(error) })
  })
}
