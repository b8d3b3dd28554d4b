/** The secret of an installation on the embedded database: created once, and kept in the data directory. */
import { Effect, Redacted, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** The secret's file cannot be read or created. */
export class SecretUnavailable extends Schema.TaggedError<SecretUnavailable>()("SecretUnavailable", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The installation's secret, ${this.file}, is not available: ${this.reason}`
  }
}

const readSecret = async (file: string) => {
  try {
    return (await readFile(file, "utf8")).trim()
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
}

const draftPrefix = ".secret-"

/** Removes the drafts of processes that were killed while they created the file. */
const removeDrafts = async (directory: string) => {
  for (const name of await readdir(directory))
    if (name.startsWith(draftPrefix)) await rm(join(directory, name), { force: true })
}

/** Creates the file in full or not at all: data that was sealed with half a secret could not be decrypted later. */
const createSecretFile = async (directory: string, file: string) => {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const draft = join(directory, `${draftPrefix}${randomBytes(6).toString("hex")}`)
  await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    // Another process created the file first, and may have removed this draft.
    const isCreated =
      error instanceof Error && "code" in error && ["EEXIST", "ENOENT"].includes(String(error.code))
    if (!isCreated) throw error
  }
  await removeDrafts(directory)
}

const unavailable = (file: string) => (error: unknown) =>
  new SecretUnavailable({ file, reason: error instanceof Error ? error.message : String(error) })

const lost =
  "it is missing, and there is data that was sealed with it: restore the file, or set LIVERY_SECRET to its content"

/**
 * The secret in `directory`. It is created if there is none, unless `isSealed` finds data that was sealed with one.
 * Concurrent processes get the same secret.
 */
export const installationSecret = Effect.fnUntraced(function* <E, R>(
  directory: string,
  isSealed: Effect.Effect<boolean, E, R>
) {
  const file = join(directory, "secret")
  const read = Effect.tryPromise({ try: () => readSecret(file), catch: unavailable(file) })
  if ((yield* read) === undefined) {
    // Another process may have created the secret and sealed data with it meanwhile.
    const isLost = (yield* isSealed) && (yield* read) === undefined
    if (isLost) return yield* new SecretUnavailable({ file, reason: lost })
    yield* Effect.tryPromise({ try: () => createSecretFile(directory, file), catch: unavailable(file) })
  }
  const secret = yield* read
  if (secret === undefined || secret.length < 32)
    return yield* new SecretUnavailable({ file, reason: "it is empty or too short" })
  return Redacted.make(secret)
})
