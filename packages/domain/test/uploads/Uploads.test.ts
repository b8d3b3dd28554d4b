import { assert, describe, it } from "@effect/vitest"
import {
  BusinessRepository,
  Cryptography,
  FileRecognition,
  FileStore,
  FilesUnavailable,
  maxUploadBytes,
  uploadRecord,
  UploadRepository,
  Uploads
} from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { Deferred, Effect, Exit, Fiber, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { addBusiness } from "../support/Businesses.ts"
import { business } from "../support/People.ts"

const away = new FilesUnavailable({ reason: "no answer within 10000 ms", retryAfterSeconds: 5 })

const png = (size = 4) => new Uint8Array(size).fill(1)

/** Uploads on the port in memory, and their files, which a test can make fail or hang. The first byte is the file's type. */
const uploadsInMemory = Effect.gen(function* () {
  const store = Store.make()
  addBusiness(store, 1)
  const files = new Map<string, Uint8Array>()
  const steps: Array<string> = []
  const failing = { write: false, insert: false, away: false, hanging: false }
  const types: Record<number, string> = { 1: "image/png", 2: "application/pdf", 3: "image/svg+xml" }
  const stored = Memory.layerOn(Layer.succeed(Store, store))
  const ports = Layer.mergeAll(
    Cryptography.layerWebCrypto,
    Layer.succeed(
      FileRecognition,
      FileRecognition.of({
        contentTypeOf: (bytes) => Effect.sync(() => Option.fromUndefinedOr(types[bytes[0] ?? 0])),
        // The metadata of these files are their bytes 9.
        withoutMetadata: (_type, bytes) => Effect.succeed(bytes.filter((byte) => byte !== 9))
      })
    ),
    Layer.succeed(
      FileStore,
      FileStore.of({
        write: (name, bytes) =>
          Effect.suspend(() => {
            steps.push("write")
            files.set(name, bytes)
            if (failing.away) return Effect.fail(away)
            if (failing.hanging) return Effect.never
            return failing.write ? Effect.die("the disk is full") : Effect.void
          }),
        read: (name) =>
          Effect.suspend(() =>
            failing.away
              ? Effect.fail(away)
              : Effect.succeed(
                  Option.map(Option.fromUndefinedOr(files.get(name)), (bytes) => Stream.make(bytes))
                )
          ),
        remove: (name) => Effect.sync(() => void files.delete(name))
      })
    ),
    Layer.effect(
      UploadRepository,
      Effect.map(UploadRepository, (uploads) =>
        UploadRepository.of({
          ...uploads,
          insert: (upload) =>
            Effect.suspend(() => {
              steps.push("insert")
              return failing.insert ? Effect.die("the database is away") : uploads.insert(upload)
            })
        })
      )
    ).pipe(Layer.provide(stored)),
    Layer.effect(BusinessRepository, BusinessRepository).pipe(Layer.provide(stored))
  )
  const context = yield* Layer.build(Uploads.layer.pipe(Layer.provide(ports)))
  const run = <A, E>(effect: Effect.Effect<A, E, Uploads>) => Effect.provide(effect, context)
  return {
    failing,
    files,
    steps,
    uploads: () => store.uploads.where(),
    take: <E = never>(read: Effect.Effect<Uint8Array, E>) =>
      run(Uploads.use((it) => it.store(business(1), read))),
    open: (name: string) => run(Uploads.use((it) => it.open(name))),
    find: (name: string) => run(Uploads.use((it) => it.find(name)))
  }
})

describe("an upload", () => {
  it.effect("is stored under a random name, and served to a caller that knows it", () =>
    Effect.gen(function* () {
      const { find, open, steps, take } = yield* uploadsInMemory
      const [one, other] = [yield* take(Effect.succeed(png())), yield* take(Effect.succeed(png()))]
      assert.match(one.file_name, /^[0-9a-f]{40}_b[0-9a-f]{11}$/u)
      assert.notStrictEqual(one.file_name, other.file_name)
      assert.deepStrictEqual([one.content_type, one.size, one.business_id as number], ["image/png", 4, 1])
      assert.deepStrictEqual(uploadRecord(one, `https://api.example.com/uploads/${one.file_name}`), {
        upload_id: 1,
        url: `https://api.example.com/uploads/${one.file_name}`,
        content_type: "image/png",
        size: 4
      })
      const { bytes, upload } = yield* open(one.file_name)
      assert.deepStrictEqual(upload, one)
      assert.deepStrictEqual(yield* Stream.runCollect(bytes), [png()])
      assert.deepStrictEqual(yield* find(one.file_name), one)
      assert.deepStrictEqual(steps, ["write", "insert", "write", "insert"])
    })
  )

  it.effect("is stored without the metadata of a picture, and its size is that of the stored file", () =>
    Effect.gen(function* () {
      const { files, take } = yield* uploadsInMemory
      const upload = yield* take(Effect.succeed(Uint8Array.of(1, 9, 9, 2)))
      assert.deepStrictEqual(files.get(upload.file_name), Uint8Array.of(1, 2))
      assert.strictEqual(upload.size, 2)
    })
  )

  it.effect("must be an image or a document, not empty and not too large", () =>
    Effect.gen(function* () {
      const { files, take, uploads } = yield* uploadsInMemory
      const issueOf = (bytes: Uint8Array) =>
        Effect.map(Effect.flip(take(Effect.succeed(bytes))), (refusal) =>
          refusal._tag === "InvalidInput" ? refusal.issues : refusal
        )
      const accepted = "image/png, image/jpeg, image/webp, application/pdf"
      for (const bytes of [[3, 1], [9]])
        assert.deepStrictEqual(yield* issueOf(new Uint8Array(bytes)), [
          { field: "file", issue: "invalid", accepted }
        ])
      assert.deepStrictEqual(yield* issueOf(new Uint8Array()), [{ field: "file", issue: "required" }])
      assert.deepStrictEqual(yield* issueOf(png(maxUploadBytes + 1)), [{ field: "file", issue: "too_long" }])
      assert.deepStrictEqual([files.size, uploads().length], [0, 0])
      assert.strictEqual((yield* take(Effect.succeed(png(maxUploadBytes)))).size, maxUploadBytes)
    })
  )

  it.effect("leaves no file if its row cannot be written, and no row if its file cannot be written", () =>
    Effect.gen(function* () {
      const { failing, files, take, uploads } = yield* uploadsInMemory
      failing.insert = true
      assert.isTrue(Exit.isFailure(yield* Effect.exit(take(Effect.succeed(png())))))
      assert.deepStrictEqual([files.size, uploads().length], [0, 0])
      failing.insert = false
      failing.write = true
      assert.isTrue(Exit.isFailure(yield* Effect.exit(take(Effect.succeed(png())))))
      assert.deepStrictEqual([files.size, uploads().length], [0, 0])
    })
  )

  it.effect("waits for its turn before it is read: eight are in memory at once", () =>
    Effect.gen(function* () {
      const { take } = yield* uploadsInMemory
      const gate = yield* Deferred.make<void>()
      let reading = 0
      const slow = Effect.suspend(() => {
        reading++
        return Effect.as(Deferred.await(gate), png())
      })
      const fibers = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(take(slow)))
      yield* Effect.yieldNow
      yield* Effect.yieldNow
      assert.strictEqual(reading, 8)
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.strictEqual(reading, 20)
    })
  )

  it.effect("reports when to retry if the store does not respond, and leaves nothing", () =>
    Effect.gen(function* () {
      const { failing, files, open, take, uploads } = yield* uploadsInMemory
      const { file_name } = yield* take(Effect.succeed(png()))
      failing.away = true
      assert.strictEqual(yield* Effect.flip(take(Effect.succeed(png()))), away)
      assert.strictEqual(yield* Effect.flip(open(file_name)), away)
      assert.deepStrictEqual([files.size, uploads().length], [1, 1])
      assert.notInclude(away.message, "10000")
    })
  )

  it.effect("waits at most five seconds for its turn; its own work is not limited by that", () =>
    Effect.gen(function* () {
      const { take } = yield* uploadsInMemory
      const gate = yield* Deferred.make<void>()
      const slow = Effect.as(Deferred.await(gate), png())
      const first = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.forkChild(take(slow)))
      yield* TestClock.adjust("1 second")
      const late = yield* Effect.forkChild(Effect.flip(take(slow)))
      yield* TestClock.adjust("5 seconds")
      assert.deepInclude(yield* Fiber.join(late), { _tag: "FilesUnavailable", retryAfterSeconds: 5 })
      const next = yield* Effect.forkChild(take(slow))
      yield* TestClock.adjust("4 seconds")
      yield* Deferred.succeed(gate, undefined)
      yield* TestClock.adjust("1 minute")
      yield* Effect.forEach([...first, next], Fiber.join)
    })
  )

  it.effect("leaves no file if it is interrupted, and frees its turn", () =>
    Effect.gen(function* () {
      const { failing, files, take, uploads } = yield* uploadsInMemory
      failing.hanging = true
      for (let round = 0; round < 9; round++) {
        const taking = yield* Effect.forkChild(take(Effect.succeed(png())))
        yield* TestClock.adjust("1 second")
        assert.strictEqual(files.size, 1)
        yield* Fiber.interrupt(taking)
        assert.deepStrictEqual([files.size, uploads().length], [0, 0])
      }
      failing.hanging = false
      yield* take(Effect.succeed(png()))
    })
  )

  it.effect("is not found under any other name, also a malformed one", () =>
    Effect.gen(function* () {
      const { find, files, open, take } = yield* uploadsInMemory
      const { file_name } = yield* take(Effect.succeed(png()))
      for (const name of [
        "",
        "../x",
        file_name.toUpperCase(),
        `${file_name}/`,
        `${file_name}0`,
        "a".repeat(40)
      ]) {
        assert.strictEqual((yield* Effect.flip(find(name)))._tag, "NotFound", name)
        assert.strictEqual((yield* Effect.flip(open(name)))._tag, "NotFound", name)
      }
      // A file that was lost is absent as well.
      files.clear()
      assert.strictEqual((yield* Effect.flip(open(file_name)))._tag, "NotFound")
    })
  )
})
