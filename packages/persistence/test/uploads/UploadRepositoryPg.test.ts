import { UploadRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { at, TestPersistence, newBusiness } from "../support/TestPersistence.ts"

const upload = { content_type: "image/png", size: 70, created_at: at("12:00:00") } as const

layer(TestPersistence)("an upload", (it) => {
  it.effect("is found by the name of its file, as it was stored, and by no other name", () =>
    Effect.gen(function* () {
      const uploads = yield* UploadRepository
      const business_id = yield* newBusiness()
      const file_name = "a".repeat(40)
      const stored = yield* uploads.insert({ ...upload, business_id, file_name })
      assert.deepStrictEqual(
        { ...stored },
        { ...upload, business_id, file_name, upload_id: stored.upload_id }
      )
      assert.deepStrictEqual(yield* uploads.named(business_id, file_name), Option.some(stored))
      assert.isTrue(Option.isNone(yield* uploads.named(business_id, "b".repeat(40))))
    })
  )

  it.effect("has a file name that no other upload of its business has", () =>
    Effect.gen(function* () {
      const uploads = yield* UploadRepository
      const file_name = "c".repeat(40)
      const business_id = yield* newBusiness()
      yield* uploads.insert({ ...upload, business_id, file_name })
      const again = uploads.insert({ ...upload, business_id, file_name })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(again)))
    })
  )
})
