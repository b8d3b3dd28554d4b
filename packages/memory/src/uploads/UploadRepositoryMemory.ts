import { type BusinessId, UploadId, UploadRepository } from "@livery/domain"
import { Option } from "effect"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(UploadRepository, ({ step, uploads }) => {
  const named = (businessId: BusinessId, fileName: string) =>
    uploads.find(({ business_id, file_name }) => business_id === businessId && file_name === fileName)
  return {
    insert: (upload) =>
      step(() => {
        if (named(upload.business_id, upload.file_name))
          throw new Error(`There is an upload named ${upload.file_name}`)
        const upload_id = UploadId.make(uploads.next())
        return uploads.set(upload_id, { ...upload, upload_id })
      }),
    find: (businessId, uploadId) =>
      step(() =>
        Option.filter(
          Option.fromUndefinedOr(uploads.get(uploadId)),
          ({ business_id }) => business_id === businessId
        )
      ),
    named: (businessId, fileName) => step(() => Option.fromUndefinedOr(named(businessId, fileName)))
  }
})
