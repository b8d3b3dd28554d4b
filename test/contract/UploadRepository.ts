/** The contract of `UploadRepository`. */
import { UploadRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { contract, unique } from "./Contract.ts"
import { newBusiness, now } from "./Given.ts"

export const uploadRepository = contract("an upload", (it) => {
  it.effect("is found by its id and by the name of its file, by its business alone", () =>
    Effect.gen(function* () {
      const uploads = yield* UploadRepository
      const upload = {
        business_id: yield* newBusiness,
        file_name: unique("file"),
        content_type: "image/png" as const,
        size: 12,
        created_at: now
      }
      const stored = yield* uploads.insert(upload)
      assert.deepInclude(stored, upload)
      assert.deepStrictEqual(yield* uploads.named(upload.business_id, upload.file_name), Option.some(stored))
      assert.deepStrictEqual(yield* uploads.find(upload.business_id, stored.upload_id), Option.some(stored))
      assert.deepStrictEqual(yield* uploads.find(yield* newBusiness, stored.upload_id), Option.none())
      assert.deepStrictEqual(yield* uploads.named(upload.business_id, unique("file")), Option.none())
      assert.deepStrictEqual(yield* uploads.named(yield* newBusiness, upload.file_name), Option.none())
      assert.isTrue(Exit.hasDies(yield* Effect.exit(uploads.insert(upload))))
    })
  )
})
