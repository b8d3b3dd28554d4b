/** The port that stores files. */
import { Context, type Effect, type Option, Schema, type Stream } from "effect"
import type { FilesUnavailable } from "./FilesUnavailable.ts"

/** An existing file cannot be read to its end. */
export class FileUnreadable extends Schema.TaggedError<FileUnreadable>()("FileUnreadable", {
  reason: Schema.String
}) {
  override get message() {
    return `The file could not be read: ${this.reason}`
  }
}

/**
 * Names are lower-case hexadecimal. A stored file never changes.
 *
 * - `write`: stores a file completely or not at all. After an interruption or `FilesUnavailable`, either is possible.
 * - `read`: the bytes of a file as a stream; `None` if there is no file with that name.
 * - `remove`: deletes a file, if it exists.
 *
 * Each of them dies if the store refuses permanently.
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
