/** Uploads: images and documents that records of a business refer to by their address (docs/api/uploads.md). */
import { Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import { BusinessId, UploadId } from "../kernel/Ids.ts"

/** The largest size of an upload, in bytes. */
export const maxUploadBytes = 10 * 1024 * 1024

/** The accepted types: images and documents that browsers do not execute. */
export const UploadType = Schema.Literals(["image/png", "image/jpeg", "image/webp", "application/pdf"])
export type UploadType = typeof UploadType.Type

/** The fields of an upload. `file_name` is the name of its file, 40 random hex digits; `size` is in bytes. */
export const uploadFields = Field.ofNobody({
  upload_id: Field.assigned(Value.id(UploadId)),
  business_id: Field.internal(Value.id(BusinessId)),
  file_name: Field.internal(Value.unboundedText),
  url: Field.computed(Schema.String),
  content_type: Field.assigned(Value.unchanged(UploadType)),
  size: Field.assigned(Value.wholeNumber(1, maxUploadBytes)),
  created_at: Field.internal(Value.instant)
})

/** An upload as stored. */
export const Upload = Field.storedOf(uploadFields)
export type Upload = typeof Upload.Type

/** An upload in a response. `url` serves the file without a credential. */
export const UploadRecord = Field.recordOf(uploadFields)
export type UploadRecord = typeof UploadRecord.Type

/** The record of an upload whose file is served at `url`. */
export const uploadRecord = Field.encoderOf<typeof uploadFields, string>(uploadFields, {
  url: (_upload, url) => url
})
