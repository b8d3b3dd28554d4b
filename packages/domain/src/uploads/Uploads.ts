/** Receiving and serving uploaded files (docs/api/uploads.md). */
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
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { invalidField, InvalidInput, orNotFound } from "../kernel/Errors.ts"
import type { Issue } from "../kernel/fields/FieldIssue.ts"
import { earlierResult, oncePerRequest } from "../kernel/idempotency/CurrentRequestParts.ts"
import type { BusinessId, UploadId } from "../kernel/Ids.ts"
import { FileStore, type FileUnreadable } from "./FileStore.ts"
import { FilesUnavailable } from "./FilesUnavailable.ts"
import { FileRecognition } from "./FileRecognition.ts"
import { maxUploadBytes, type Upload, UploadType } from "./Upload.ts"
import { UploadRepository } from "./UploadRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** The most uploads that are in memory at the same time. */
const concurrentUploads = 8

/** The longest wait of an upload for its turn, while earlier ones wait for a store that does not respond. */
const queueTimeout = Duration.seconds(5)

const isUploadType = Schema.is(UploadType)

/** The part of a request that stores the row, for requests with an idempotency key. Its result is the file's name. */
const uploadPart = "upload"

/** The name of a new file: random, so that it cannot be guessed, and then the link key of its business. */
const newFileName = (random: Uint8Array, key: string) => `${Hex.encode(random)}_${key}`

/** The link key that a file name ends in; undefined if the text is no file name. */
const keyIn = (fileName: string) => /^[0-9a-f]{40}_([0-9a-z]{1,16})$/u.exec(fileName)?.[1]

const wrongFile = (issue: Issue) => invalidField("file", issue)

/** The refusal of a type that is not accepted, such as HEIC. It names the accepted types. */
const wrongType = new InvalidInput({
  issues: [{ field: "file", issue: "invalid", accepted: UploadType.literals.join(", ") }]
})

/** An upload and the bytes of its file. */
export interface ServedFile {
  readonly upload: Upload
  readonly bytes: Stream.Stream<Uint8Array, FileUnreadable>
}

export class Uploads extends Context.Service<Uploads>()("@livery/domain/Uploads", {
  make: Effect.gen(function* () {
    const files = yield* FileStore
    const recognition = yield* FileRecognition
    const uploads = yield* UploadRepository
    const { randomBytes } = yield* Cryptography
    const { businessOfKey, linkKeyOf } = yield* makeBusinessTokens
    const permits = yield* Semaphore.make(concurrentUploads)

    /** Logs why the store is unavailable; the caller's error does not say. */
    const logged = <A, E>(effect: Effect.Effect<A, E | FilesUnavailable>) =>
      Effect.tapError(effect, (error) =>
        error instanceof FilesUnavailable
          ? Effect.logWarning("the file store is not available", { reason: error.reason })
          : Effect.void
      )

    /** Runs the work when it gets a slot. */
    const queued = Effect.fnUntraced(function* <A, E>(work: Effect.Effect<A, E>) {
      const started = yield* Deferred.make<void>()
      const timedOut = Effect.gen(function* () {
        yield* Effect.sleep(queueTimeout)
        if (yield* Deferred.isDone(started)) return yield* Effect.never
        const reason = `no free slot within ${Duration.format(queueTimeout)}`
        return yield* new FilesUnavailable({ reason, retryAfterSeconds: Duration.toSeconds(queueTimeout) })
      })
      const running = permits.withPermits(1)(Effect.andThen(Deferred.succeed(started, undefined), work))
      return yield* Effect.raceFirst(running, timedOut)
    })

    /** The recognised type of a file; fails if the file is not accepted. */
    const typeOf = Effect.fnUntraced(function* (bytes: Uint8Array) {
      if (bytes.length === 0) return yield* wrongFile("required")
      if (bytes.length > maxUploadBytes) return yield* wrongFile("too_long")
      const type = Option.filter(yield* recognition.contentTypeOf(bytes), isUploadType)
      return yield* Effect.mapError(Effect.fromOption(type), () => wrongType)
    })

    /** The upload of a request that was carried out before, up to its response. */
    const earlier = Effect.fnUntraced(function* (businessId: BusinessId) {
      const fileName = yield* earlierResult<string>(uploadPart)
      return Option.isSome(fileName)
        ? yield* uploads.named(businessId, fileName.value)
        : Option.none<Upload>()
    })

    const write = Effect.fnUntraced(function* ({ business_id }: ActingBusiness, sent: Uint8Array) {
      const stored = yield* earlier(business_id)
      if (Option.isSome(stored)) return stored.value
      const content_type = yield* typeOf(sent)
      const bytes = yield* recognition.withoutMetadata(content_type, sent)
      const file_name = newFileName(yield* randomBytes(20), yield* linkKeyOf(business_id))
      const created_at = yield* DateTime.now
      const row = { business_id, file_name, content_type, size: bytes.length, created_at }
      let upload: Upload | undefined
      const insert = Effect.map(uploads.insert(row), (inserted) => {
        upload = inserted
        return file_name
      })
      return yield* files.write(file_name, bytes, content_type).pipe(
        Effect.andThen(oncePerRequest(uploadPart, insert)),
        Effect.andThen(Effect.suspend(() => Effect.orDie(Effect.fromNullishOr(upload)))),
        Effect.onExit((exit) =>
          Exit.isSuccess(exit) ? Effect.void : Effect.ignoreCause(files.remove(file_name))
        )
      )
    })

    const requireFile = orNotFound("file")

    const find = traced("Uploads.find")(function* (fileName: string) {
      const key = keyIn(fileName)
      const businessId = key === undefined ? Option.none<BusinessId>() : yield* businessOfKey(key)
      return yield* requireFile(
        Option.isNone(businessId) ? Option.none<Upload>() : yield* uploads.named(businessId.value, fileName)
      )
    })

    return {
      /**
       * Stores a file of the acting business. `read` returns its bytes; it runs when the upload gets a slot. A picture
       * is stored without its metadata. `InvalidInput` (`file`) if the file is empty, larger than
       * {@link maxUploadBytes} or of another type. The file is written before its row and deleted if the row cannot be
       * written, so that no row lacks its file. A process that ends in between leaves a file without a row.
       * `FilesUnavailable` if the store does not respond, or if no slot was free within five seconds.
       */
      store: <E>(acting: ActingBusiness, read: Effect.Effect<Uint8Array, E>) =>
        Effect.flatMap(read, (bytes) => write(acting, bytes)).pipe(
          queued,
          logged,
          Effect.withSpan("Uploads.store")
        ),

      /**
       * The acting business's picture with that id, which a field of a request names. `InvalidInput` on that field if there is
       * none (`not_found`), or if the upload is no picture (`invalid`).
       */
      picture: traced("Uploads.picture")(function* (
        acting: ActingBusiness,
        uploadId: UploadId,
        field: string
      ) {
        const upload = yield* uploads.find(acting.business_id, uploadId)
        if (Option.isNone(upload)) return yield* invalidField(field, "not_found")
        return upload.value.content_type.startsWith("image/")
          ? upload.value
          : yield* invalidField(field, "invalid")
      }),

      /** The upload with that file name, for any caller; else `NotFound`. */
      find,

      /**
       * The upload and its bytes, which the caller must consume or close. `FilesUnavailable` if the store does not
       * respond.
       */
      open: traced("Uploads.open")(function* (fileName: string) {
        const upload = yield* find(fileName)
        return { upload, bytes: yield* requireFile(yield* logged(files.read(fileName))) }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Uploads, Uploads.make)
}
