/** The ports behind uploads: where files are kept, and what a file is. */
import { Context, type Effect, type Option, Schema, type Stream } from "effect"

/** A file that is there cannot be read to its end. */
export class FileUnreadable extends Schema.TaggedError<FileUnreadable>()("FileUnreadable", {
  reason: Schema.String
}) {
  override get message() {
    return `The file could not be read: ${this.reason}`
  }
}

/** Where files are kept does not answer, or there is no turn to ask: it may in `retryAfterSeconds`. `reason` is for logs. */
export class FilesUnavailable extends Schema.TaggedError<FilesUnavailable>()("FilesUnavailable", {
  reason: Schema.String,
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Files cannot be reached at the moment; try again in ${this.retryAfterSeconds} s`
  }
}

/**
 * The port that keeps files by name. Names are lower-case hexadecimal, and a file never changes once it is there.
 *
 * - `write`: keeps a file, whole or not at all; who gives it up, or is told `FilesUnavailable`, cannot know which.
 * - `read`: the bytes of a file, as they come; `None` if there is none of that name.
 * - `remove`: forgets a file; one that is not there is forgotten already.
 *
 * All of them die if the store refuses for good.
 */
export class FileStore extends Context.Service<
  FileStore,
  {
    readonly write: (
      name: string,
      bytes: Uint8Array,
      contentType: string
    ) => Effect.Effect<void, FilesUnavailable>
    readonly read: (
      name: string
    ) => Effect.Effect<Option.Option<Stream.Stream<Uint8Array, FileUnreadable>>, FilesUnavailable>
    readonly remove: (name: string) => Effect.Effect<void, FilesUnavailable>
  }
>()("@livery/domain/FileStore") {}
