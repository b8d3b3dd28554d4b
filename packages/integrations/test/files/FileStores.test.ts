import { FileRecognition, FileStore } from "@livery/domain"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Stream } from "effect"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { DirectoryFiles, MagicNumbers, readFilesAddress, S3Files } from "@livery/integrations"
import { bucket, directory } from "./Places.ts"
import { samples } from "./Samples.ts"

const name = (digit: string) => digit.repeat(40)

const collected = (stream: Stream.Stream<Uint8Array, unknown>) =>
  Effect.map(Stream.runCollect(stream), (chunks) => Buffer.concat(chunks))

const read = Effect.fnUntraced(function* (of: string) {
  const files = yield* FileStore
  const found = yield* files.read(of)
  return Option.isNone(found) ? undefined : yield* collected(found.value)
})

/** The tests of every store. */
const promises = (it: Parameters<Parameters<ReturnType<typeof layer<FileStore, unknown>>>[1]>[0]) => {
  it.effect("returns the stored bytes, for any size", () =>
    Effect.gen(function* () {
      const files = yield* FileStore
      const large = Buffer.alloc(10 * 1024 * 1024, "livery 🚘")
      const every = Uint8Array.from({ length: 256 }, (_, byte) => byte)
      for (const [digit, bytes] of [
        ["1", large],
        ["2", every],
        ["3", Uint8Array.of(0)]
      ] as const) {
        yield* files.write(name(digit), bytes, "image/png")
        const back = yield* read(name(digit))
        assert.isTrue(back?.equals(bytes), digit)
      }
    })
  )

  it.effect("returns None for an absent and for a deleted file", () =>
    Effect.gen(function* () {
      const files = yield* FileStore
      assert.isUndefined(yield* read(name("a")))
      yield* files.remove(name("a"))
      yield* files.write(name("a"), Uint8Array.of(1), "image/png")
      assert.isDefined(yield* read(name("a")))
      yield* files.remove(name("a"))
      assert.isUndefined(yield* read(name("a")))
    })
  )

  it.effect("stores many files concurrently", () =>
    Effect.gen(function* () {
      const files = yield* FileStore
      const names = Array.from({ length: 30 }, (_, index) => index.toString(16).padStart(40, "b"))
      yield* Effect.forEach(names, (name, index) => files.write(name, Uint8Array.of(index), "image/png"), {
        concurrency: "unbounded"
      })
      for (const [index, name] of names.entries())
        assert.deepStrictEqual([...((yield* read(name)) ?? [])], [index])
    })
  )
}

const Directory = Layer.unwrap(Effect.map(directory, (directory) => DirectoryFiles.layer({ directory })))

layer(Directory, { excludeTestServices: true })("a directory", (it) => {
  promises(it)

  it.effect("contains complete files with the owner's permissions, and no incomplete ones", () =>
    Effect.gen(function* () {
      const root = yield* directory
      const context = yield* Layer.build(DirectoryFiles.layer({ directory: join(root, "uploads") }))
      const files = yield* Effect.provide(FileStore, context)
      yield* files.write(name("c"), Buffer.alloc(1000), "image/png")
      const modeOf = (path: string) =>
        Effect.promise(async () => ((await stat(join(root, "uploads", path))).mode & 0o777).toString(8))
      assert.deepStrictEqual(
        [yield* modeOf("."), yield* modeOf("cc"), yield* modeOf(`cc/${name("c")}`)],
        ["700", "700", "600"]
      )
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(root, "uploads", "cc"))), [name("c")])
    })
  )

  it.effect("stores no file outside of itself, by any name", () =>
    Effect.gen(function* () {
      const files = yield* FileStore
      for (const name of [
        "../../etc/passwd",
        "..",
        "/etc/passwd",
        "aa/../../x",
        "",
        ".hidden",
        "abcd\u0000"
      ]) {
        assert.isTrue(Option.isNone(yield* files.read(name)), name)
        for (const refused of [files.write(name, Uint8Array.of(1), "image/png"), files.remove(name)])
          assert.isTrue(Exit.isFailure(yield* Effect.exit(refused)), name)
      }
    })
  )

  it.effect("that cannot be written to dies, and leaves nothing", () =>
    Effect.gen(function* () {
      const root = yield* directory
      const context = yield* Layer.build(DirectoryFiles.layer({ directory: "/dev/null/uploads" }))
      const files = yield* Effect.provide(FileStore, context)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(files.write(name("d"), Uint8Array.of(1), "image/png"))))
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(root)), [])
    })
  )
})

const Bucket = Layer.unwrap(Effect.map(bucket, (options) => S3Files.layer(options)))

layer(Bucket, { excludeTestServices: true })("a bucket", (it) => {
  promises(it)

  it.effect("that does not exist dies", () =>
    Effect.gen(function* () {
      const options = yield* bucket
      const context = yield* Layer.build(S3Files.layer({ ...options, bucket: "nowhere-at-all" }))
      const files = yield* Effect.provide(FileStore, context)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(files.write(name("e"), Uint8Array.of(1), "image/png"))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(files.read(name("e")))))
    })
  )
})

describe("UPLOADS_URL", () => {
  it.each([
    ["file:/var/lib/livery", { _tag: "Directory", directory: "/var/lib/livery" }],
    ["file:///var/lib/a%20b", { _tag: "Directory", directory: "/var/lib/a b" }],
    ["file:uploads", { _tag: "Directory", directory: "uploads" }],
    ["s3://pictures", { _tag: "S3", bucket: "pictures", prefix: "", region: undefined, endpoint: undefined }],
    [
      "s3://pictures/livery/files/?region=eu-central-1&endpoint=http://127.0.0.1:9000",
      {
        _tag: "S3",
        bucket: "pictures",
        prefix: "livery/files",
        region: "eu-central-1",
        endpoint: "http://127.0.0.1:9000"
      }
    ]
  ] as const)("%s is understood", (address, expected) => {
    assert.deepStrictEqual<unknown>(readFilesAddress(address), expected)
  })

  it.each([
    "",
    "/var/lib/livery",
    "file:",
    "file://elsewhere/share",
    "file:%zz",
    "http://example.com",
    "s3:",
    "s3://",
    "s3://UPPER",
    "s3://a",
    "s3://user:secret@pictures",
    "s3://pictures?acl=public",
    "s3://pictures?region=",
    "s3://pictures?region=eu&region=us",
    "s3://pictures?endpoint=ftp://x",
    "s3://pictures#x",
    "s3://pictures/%zz",
    "s3://pictures/%ff",
    "s3://pictures/a%00b",
    "s3://[",
    "file:///a%zz",
    "file:///a%00b"
  ])("%s is refused", (address) => {
    assert.isUndefined(readFilesAddress(address))
  })
})

layer(MagicNumbers.layer)("a file's content type", (it) => {
  it.effect(
    "is recognised by its content from the first byte, a PDF in its first 1,024; an animated PNG is a PNG",
    () =>
      Effect.gen(function* () {
        const recognition = yield* FileRecognition
        const reported = Effect.forEach(Object.values(samples), (bytes) =>
          Effect.map(recognition.contentTypeOf(bytes), Option.getOrNull)
        )
        assert.deepStrictEqual(
          Object.fromEntries((yield* reported).map((type, index) => [Object.keys(samples)[index], type])),
          {
            apng: "image/png",
            gif: "image/gif",
            html: null,
            jpeg: "image/jpeg",
            late: "application/pdf",
            byteOrderMark: "application/pdf",
            tooLate: null,
            page: null,
            heic: "image/heic",
            marked: null,
            nothing: null,
            pdf: "application/pdf",
            png: "image/png",
            script: null,
            svg: "application/xml",
            tagged: null,
            text: null,
            webp: "image/webp",
            zip: "application/zip"
          }
        )
      })
  )
})
