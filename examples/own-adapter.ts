/** Uploads a picture (second argument) for a business (first argument) to a file store of its own. */
import { Effect, Layer, Option, Schema, Stream } from "effect"
import { liveryWith, Settings } from "@livery/cli"
import { BusinessId, Businesses, FileStore, Uploads } from "@livery/domain"
import { readFile } from "node:fs/promises"

const files = new Map<string, Uint8Array>()

/** Keeps files in this process. Another store calls its service here. */
const OwnFiles = Layer.succeed(FileStore, {
  write: (name, bytes) => Effect.sync(() => void files.set(name, bytes)),
  read: (name) => Effect.succeed(Option.map(Option.fromUndefinedOr(files.get(name)), Stream.succeed)),
  remove: (name) => Effect.sync(() => void files.delete(name))
})

const program = Effect.gen(function* () {
  const [, , id, picture = ""] = process.argv
  const businesses = yield* Businesses
  const business = yield* businesses.acting(yield* Schema.decodeEffect(BusinessId)(Number(id)))
  const uploads = yield* Uploads
  const upload = yield* uploads.store(
    business,
    Effect.tryPromise(() => readFile(picture))
  )
  yield* Effect.log(`${upload.content_type} of ${files.get(upload.file_name)?.length} bytes`)
})

await Effect.runPromise(
  program.pipe(Effect.provide(liveryWith(OwnFiles).pipe(Layer.provide(Settings.layer))))
)
