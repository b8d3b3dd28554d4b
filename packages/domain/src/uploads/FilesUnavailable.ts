/** The error of a file store that does not respond. */
import { Schema } from "effect"

/**
 * The store does not respond, or too many callers wait for it. The caller may retry after `retryAfterSeconds`; `reason` is
 * for logs.
 */
export class FilesUnavailable extends Schema.TaggedError<FilesUnavailable>()("FilesUnavailable", {
  reason: Schema.String,
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `The file store is not available; try again in ${this.retryAfterSeconds} s`
  }
}
