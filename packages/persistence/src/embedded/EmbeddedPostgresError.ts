import { Schema } from "effect"

/**
 * The embedded PostgreSQL cannot be used. `reason` says which step failed, `detail` says how to fix it, and `log` is
 * the end of the server's log if there is one.
 */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()(
  "EmbeddedPostgresError",
  {
    reason: Schema.Literals([
      "binaries_missing",
      "directory_unusable",
      "disk_full",
      "version_mismatch",
      "init_failed",
      "start_failed",
      "stop_failed",
      "lock_timeout",
      "connection_failed"
    ]),
    directory: Schema.String,
    detail: Schema.String,
    log: Schema.String
  }
) {
  override get message() {
    const tail = this.log === "" ? "" : `\n${this.log}`
    return `The embedded PostgreSQL in ${this.directory}: ${this.detail}${tail}`
  }
}
