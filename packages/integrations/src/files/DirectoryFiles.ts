/** The domain's `FileStore` in a directory. */
import { FileStore, FileUnreadable, traced } from "@livery/domain"
import { Effect, Layer, Option, Predicate, Stream } from "effect"
import { createReadStream } from "node:fs"
import { rm, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { writeWhole } from "./WriteWhole.ts"

const isAbsent = (cause: unknown) => Predicate.hasProperty(cause, "code") && cause.code === "ENOENT"

/** The names of files: they cannot leave the directory or name a hidden file. */
const safeName = /^[0-9a-f]{4,128}(?:_[0-9a-z]{1,16})?$/u

const exists = async (file: string) => {
  try {
    return (await stat(file)).isFile()
  } catch (cause) {
    if (isAbsent(cause)) return false
    throw cause
  }
}

const chunkBytes = 64 * 1024

/**
 * Stores each file as `<directory>/<first two characters of its name>/<name>` with mode 0600, in directories with mode
 * 0700 that are created on demand. Several nodes may share the directory.
 */
export const layer = (options: { readonly directory: string }): Layer.Layer<FileStore> =>
  Layer.sync(FileStore, () => {
    const root = resolve(options.directory)
    const fileOf = (name: string) =>
      safeName.test(name) ? Option.some(join(root, name.slice(0, 2), name)) : Option.none()
    const requireFile = (name: string) =>
      Option.match(fileOf(name), {
        onNone: () => Effect.die("This is not the name of a file"),
        onSome: Effect.succeed
      })
    return FileStore.of({
      write: traced("FileStore.write")(function* (name, bytes) {
        const file = yield* requireFile(name)
        // An interrupted write would continue and leave a file that is never removed.
        yield* Effect.uninterruptible(Effect.promise(() => writeWhole(file, bytes)))
      }),
      read: traced("FileStore.read")(function* (name) {
        const file = fileOf(name)
        if (Option.isNone(file)) return Option.none()
        const path = file.value
        if (!(yield* Effect.promise(() => exists(path)))) return Option.none()
        // Opens the file with the first read, so that an unread stream holds no file open.
        return Option.some(
          Stream.suspend(() =>
            Stream.fromAsyncIterable<Uint8Array, FileUnreadable>(
              createReadStream(path, { highWaterMark: chunkBytes }),
              (cause) => new FileUnreadable({ reason: String(cause) })
            )
          )
        )
      }),
      remove: traced("FileStore.remove")(function* (name) {
        const file = yield* requireFile(name)
        yield* Effect.promise(() => rm(file, { force: true }))
      })
    })
  })
