/** Uploads: images and documents that records of a business refer to by their address (docs/api/uploads.md). */
import { type DateTime, Schema } from "effect"
import type { BusinessId, UploadId } from "../kernel/Ids.ts"

/** The largest size of an upload, in bytes. */
export const largestUpload = 10 * 1024 * 1024

/** The accepted types: images and documents that browsers do not execute. */
export const UploadType = Schema.Literals(["image/png", "image/jpeg", "image/webp", "application/pdf"])
export type UploadType = typeof UploadType.Type

/** An upload as stored. */
export interface Upload {
  readonly upload_id: UploadId
  readonly business_id: BusinessId
  /** The name of its file: 40 random hex digits. */
  readonly file_name: string
  readonly content_type: UploadType
  /** In bytes. */
  readonly size: number
  readonly created_at: DateTime.Utc
}

/** An upload in a response. `url` serves the file without a credential; `size` is in bytes. */
export const UploadRecord = Schema.Struct({
  upload_id: Schema.Int,
  url: Schema.String,
  content_type: UploadType,
  size: Schema.Int
})
export type UploadRecord = typeof UploadRecord.Type

/** The record of an upload whose file is served at `url`. */
export const uploadRecord = (upload: Upload, url: string): UploadRecord => ({
  upload_id: upload.upload_id,
  url,
  content_type: upload.content_type,
  size: upload.size
})
