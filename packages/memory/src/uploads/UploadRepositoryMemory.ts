/** The domain's `UploadRepository` in memory. */
import { UploadId, UploadRepository } from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  UploadRepository,
  Effect.map(Store, ({ step, uploads }) => {
    const named = (fileName: string) => uploads.find(({ file_name }) => file_name === fileName)
    return UploadRepository.of({
      insert: (upload) =>
        step(() => {
          if (named(upload.file_name)) throw new Error(`There is an upload named ${upload.file_name}`)
          const upload_id = UploadId.make(uploads.next())
          return uploads.set(upload_id, { ...upload, upload_id })
        }),
      named: (fileName) => step(() => Option.fromUndefinedOr(named(fileName)))
    })
  })
)
