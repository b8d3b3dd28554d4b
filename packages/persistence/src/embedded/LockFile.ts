// A lock between processes: one at a time starts, joins or leaves a cluster, or renews the tokens of a sign-in. The lock is a
// file that only one process can create: it is written under another name and hard-linked into place, so that it is never
// read half written. It contains its owner's process id and start time. A lock whose owner is dead is removed under a
// second lock, `<lock>.breaking`. Otherwise two processes that saw the same stale lock could remove each other's new one.
import { monotonicMillis } from "@livery/domain"
import { Effect, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { closeSync, linkSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { isAlive, startedAt } from "./LivingProcess.ts"

const Owner = Schema.fromJsonString(
  Schema.Struct({ pid: Schema.Int, startedAt: Schema.String, token: Schema.String })
)
const readOwner = Schema.decodeUnknownSync(Owner)

/** The longest time between reading a stale lock and removing it, in milliseconds. */
const breakingMillis = 5000

const waitMillis = 180_000

const isCode = (cause: unknown, code: string) => (cause as NodeJS.ErrnoException).code === code

/** The owner in the lock file; `undefined` if the file does not exist. A file that names no owner counts as stale. */
const ownerOf = (path: string) => {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (cause) {
    if (isCode(cause, "ENOENT")) return undefined
    throw cause
  }
  try {
    return readOwner(text)
  } catch {
    return { pid: 0, startedAt: "", token: "" }
  }
}

const isAbandoned = (path: string) => {
  const owner = ownerOf(path)
  return owner !== undefined && !isAlive(owner.pid, owner.startedAt)
}

const breakAbandoned = (path: string) => {
  const breaking = `${path}.breaking`
  try {
    closeSync(openSync(breaking, "wx", 0o600))
  } catch {
    const since = statSync(breaking, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && Date.now() - since > breakingMillis) rmSync(breaking, { force: true })
    return
  }
  try {
    if (isAbandoned(path)) rmSync(path, { force: true })
  } finally {
    rmSync(breaking, { force: true })
  }
}

const tryTake = (path: string, token: string) => {
  const draft = `${path}.${token}`
  try {
    // On a full disk, this creates an empty file, which is removed below.
    writeFileSync(draft, JSON.stringify({ pid: process.pid, startedAt: startedAt(process.pid), token }), {
      mode: 0o600
    })
    linkSync(draft, path)
    return true
  } catch (cause) {
    if (!isCode(cause, "EEXIST")) throw cause
    if (isAbandoned(path)) breakAbandoned(path)
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

const release = (path: string, token: string) => {
  if (ownerOf(path)?.token === token) rmSync(path, { force: true })
}

/** The lock could not be taken: a living process holds it, or the file system refused. */
export class LockUnavailable extends Schema.TaggedError<LockUnavailable>()("LockUnavailable", {
  path: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `The lock ${this.path} could not be taken: ${this.detail}`
  }
}

/**
 * Runs `use` while this process alone holds the lock file at `path`. Waits up to three minutes for a living owner; the
 * lock of a dead owner is taken over immediately. `use` is not interruptible.
 */
export const withLockFile = <A, E, R>(path: string, use: Effect.Effect<A, E, R>) => {
  const token = randomUUID()
  const attempt = Effect.try({
    try: () => tryTake(path, token),
    catch: (cause) => new LockUnavailable({ path, detail: String(cause) })
  })
  const take = Effect.gen(function* () {
    const deadline = (yield* monotonicMillis) + waitMillis
    while (!(yield* attempt)) {
      if ((yield* monotonicMillis) > deadline) {
        return yield* new LockUnavailable({ path, detail: `process ${ownerOf(path)?.pid} holds it` })
      }
      // Only the pause is interruptible: an interruption after the lock was taken would keep it until this process
      // exits.
      yield* Effect.interruptible(Effect.sleep("10 millis"))
    }
  })
  return Effect.acquireUseRelease(
    take,
    () => Effect.uninterruptible(use),
    () => Effect.sync(() => release(path, token))
  )
}
