/** An upload: a picture or a document that a business refers to by its address (specification, `POST /uploads`). */
import { type DateTime, Schema } from "effect"
import type { BusinessId, UploadId } from "../kernel/Ids.ts"

/** An upload holds at most this many bytes. */
export const largestUpload = 10 * 1024 * 1024

/** What may be uploaded: pictures and documents that no browser runs. */
export const UploadType = Schema.Literals(["image/png", "image/jpeg", "image/webp", "application/pdf"])
export type UploadType = typeof UploadType.Type

/** An upload as stored. */
export interface Upload {
  readonly upload_id: UploadId
  readonly business_id: BusinessId
  /** By what its file is kept and asked for: 40 hex digits that nobody can guess. */
  readonly file_name: string
  readonly content_type: UploadType
  /** In bytes. */
  readonly size: number
  readonly created_at: DateTime.Utc
}

/** An upload in an answer. `url` serves the file to whoever has it; `size` is in bytes. */
export const UploadRecord = Schema.Struct({
  upload_id: Schema.Int,
  url: Schema.String,
  content_type: UploadType,
  size: Schema.Int
})
export type UploadRecord = typeof UploadRecord.Type

/** Where files are served, below the server's address. */
export const uploadsPath = "/uploads"

/** Where an upload's file is served, below the server's address. */
export const pathOfUpload = ({ file_name }: Pick<Upload, "file_name">) => `${uploadsPath}/${file_name}`

/** The record of an upload whose file is served at `url`. */
export const uploadRecord = (upload: Upload, url: string): UploadRecord => ({
  upload_id: upload.upload_id,
  url,
  content_type: upload.content_type,
  size: upload.size
})
