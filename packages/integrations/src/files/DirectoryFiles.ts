/** The domain's `FileStore` in a directory of this machine. */
import { FileStore, FileUnreadable } from "@livery/domain"
import { Effect, Layer, Option, Predicate, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open, rename, rm, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"

const isAbsent = (cause: unknown) => Predicate.hasProperty(cause, "code") && cause.code === "ENOENT"

/** What is no name of a file here leads nowhere: neither upwards nor to a hidden file. */
const safeName = /^[0-9a-f]{4,128}$/u

/** A name is safe only once its directory is. Windows has no such thing, and refuses to open one. */
const flushNames = async (directory: string) => {
  if (process.platform === "win32") return
  const handle = await open(directory, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Under another name first and flushed to the disk: whoever sees the file sees all of it, also after a crash. */
const writeWhole = async (file: string, bytes: Uint8Array) => {
  const partial = `${file}.${randomUUID()}.partial`
  const made = await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  try {
    const handle = await open(partial, "wx", 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(partial, file)
    await flushNames(dirname(file))
    if (made !== undefined) await flushNames(dirname(made))
  } catch (cause) {
    await rm(partial, { force: true })
    throw cause
  }
}

const exists = async (file: string) => {
  try {
    return (await stat(file)).isFile()
  } catch (cause) {
    if (isAbsent(cause)) return false
    throw cause
  }
}

const chunk = 64 * 1024

/**
 * Keeps each file as `<directory>/<first two letters of its name>/<name>`, mode 0600, in directories of mode 0700 that
 * are made when the first file is. Several nodes may share the directory.
 */
export const layer = (options: { readonly directory: string }): Layer.Layer<FileStore> =>
  Layer.sync(FileStore, () => {
    const root = resolve(options.directory)
    const fileOf = (name: string) =>
      safeName.test(name) ? Option.some(join(root, name.slice(0, 2), name)) : Option.none()
    const named = (name: string) =>
      Option.match(fileOf(name), {
        onNone: () => Effect.die("What is no name of a file cannot be kept"),
        onSome: Effect.succeed
      })
    return FileStore.of({
      write: Effect.fn("FileStore.write")(function* (name, bytes) {
        const file = yield* named(name)
        // A write that was given up would go on behind it, and leave what nobody removes.
        yield* Effect.uninterruptible(Effect.promise(() => writeWhole(file, bytes)))
      }),
      read: Effect.fn("FileStore.read")(function* (name) {
        const file = fileOf(name)
        if (Option.isNone(file)) return Option.none()
        const path = file.value
        if (!(yield* Effect.promise(() => exists(path)))) return Option.none()
        // Opened with the first byte that is asked for, so that a stream that nobody reads holds nothing open.
        return Option.some(
          Stream.suspend(() =>
            Stream.fromAsyncIterable<Uint8Array, FileUnreadable>(
              createReadStream(path, { highWaterMark: chunk }),
              (cause) => new FileUnreadable({ reason: String(cause) })
            )
          )
        )
      }),
      remove: Effect.fn("FileStore.remove")(function* (name) {
        const file = yield* named(name)
        yield* Effect.promise(() => rm(file, { force: true }))
      })
    })
  })
