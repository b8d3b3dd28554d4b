/** Taking files in and giving them out (specification, `POST /uploads`). */
import {
  Context,
  DateTime,
  Deferred,
  Duration,
  Effect,
  Exit,
  Layer,
  Option,
  Schema,
  Semaphore,
  type Stream
} from "effect"
import * as Hex from "effect/encoding/Hex"
import type { ActingBusiness } from "../business/Business.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { InvalidInput, NotFound } from "../kernel/Errors.ts"
import type { Issue } from "../kernel/fields/FieldIssue.ts"
import { FileStore, FilesUnavailable, type FileUnreadable } from "./FileStore.ts"
import { FileRecognition } from "./FileRecognition.ts"
import { largestUpload, type Upload, UploadType } from "./Upload.ts"
import { UploadRepository } from "./UploadRepository.ts"

/** So many files are in memory at once, at most: more wait their turn. */
const inHandAtMost = 8

/** A file waits so long for its turn: while others wait for a store that does not answer, this one need not. */
const turnPatience = Duration.seconds(5)

const isUploadType = Schema.is(UploadType)

const isFileName = (name: string) => /^[0-9a-f]{40}$/u.test(name)

const wrongFile = (issue: Issue) => new InvalidInput({ issues: [{ field: "file", issue }] })

/** A file as it is given out. */
export interface ServedFile {
  readonly upload: Upload
  readonly bytes: Stream.Stream<Uint8Array, FileUnreadable>
}

/**
 * - `take`: keeps a file of the acting business. `read` gives its bytes, once it is this file's turn. `InvalidInput`
 *   names `file` where it is empty, larger than {@link largestUpload}, or nothing that may be uploaded. The file is
 *   kept before the upload is known, and forgotten if that fails or is given up: there is no upload without a file. A
 *   process that ends in between, and a store that does not answer, leave a file that nothing refers to.
 *   `FilesUnavailable` if the store does not answer, or no turn came within five seconds.
 * - `find`: what is known of the file of that name, for anybody who has it; else `NotFound`.
 * - `open`: the same with its bytes, which have to be read or given up. `FilesUnavailable` if the store does not answer.
 */
export class Uploads extends Context.Service<
  Uploads,
  {
    readonly take: <E>(
      acting: ActingBusiness,
      read: Effect.Effect<Uint8Array, E>
    ) => Effect.Effect<Upload, InvalidInput | FilesUnavailable | E>
    readonly find: (fileName: string) => Effect.Effect<Upload, NotFound>
    readonly open: (fileName: string) => Effect.Effect<ServedFile, NotFound | FilesUnavailable>
  }
>()("@livery/domain/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const files = yield* FileStore
      const recognition = yield* FileRecognition
      const uploads = yield* UploadRepository
      const { randomBytes } = yield* Cryptography
      const turns = yield* Semaphore.make(inHandAtMost)

      /** The caller hears that it may come again; the log, why. */
      const told = <A, E>(effect: Effect.Effect<A, E | FilesUnavailable>) =>
        Effect.tapError(effect, (error) =>
          error instanceof FilesUnavailable
            ? Effect.logWarning("files are out of reach", { reason: error.reason })
            : Effect.void
        )

      const inTurn = Effect.fnUntraced(function* <A, E>(work: Effect.Effect<A, E>) {
        const begun = yield* Deferred.make<void>()
        const late = Effect.gen(function* () {
          yield* Effect.sleep(turnPatience)
          if (yield* Deferred.isDone(begun)) return yield* Effect.never
          const reason = `no turn within ${Duration.format(turnPatience)}`
          return yield* new FilesUnavailable({ reason, retryAfterSeconds: Duration.toSeconds(turnPatience) })
        })
        const taken = turns.withPermits(1)(Effect.andThen(Deferred.succeed(begun, undefined), work))
        return yield* Effect.raceFirst(taken, late)
      })

      const typeOf = Effect.fnUntraced(function* (bytes: Uint8Array) {
        if (bytes.length === 0) return yield* wrongFile("required")
        if (bytes.length > largestUpload) return yield* wrongFile("too_long")
        const type = Option.filter(yield* recognition.contentTypeOf(bytes), isUploadType)
        return yield* Effect.mapError(Effect.fromOption(type), () => wrongFile("invalid"))
      })

      const keep = Effect.fnUntraced(function* ({ business_id }: ActingBusiness, bytes: Uint8Array) {
        const content_type = yield* typeOf(bytes)
        const file_name = Hex.encode(yield* randomBytes(20))
        const created_at = yield* DateTime.now
        return yield* Effect.andThen(
          files.write(file_name, bytes, content_type),
          uploads.insert({ business_id, file_name, content_type, size: bytes.length, created_at })
        ).pipe(
          Effect.onExit((exit) =>
            Exit.isSuccess(exit) ? Effect.void : Effect.ignoreCause(files.remove(file_name))
          )
        )
      })

      const present = <A>(found: Option.Option<A>): Effect.Effect<A, NotFound> =>
        Effect.mapError(Effect.fromOption(found), () => new NotFound({ resource: "file" }))

      const find = Effect.fn("Uploads.find")(function* (fileName: string) {
        return yield* present(isFileName(fileName) ? yield* uploads.named(fileName) : Option.none<Upload>())
      })

      return Uploads.of({
        take: (acting, read) =>
          Effect.flatMap(read, (bytes) => keep(acting, bytes)).pipe(
            inTurn,
            told,
            Effect.withSpan("Uploads.take")
          ),
        find,
        open: Effect.fn("Uploads.open")(function* (fileName: string) {
          const upload = yield* find(fileName)
          return { upload, bytes: yield* present(yield* told(files.read(fileName))) }
        })
      })
    })
  )
}
