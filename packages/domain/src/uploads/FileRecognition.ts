/** The port that recognises the type of a file by its content. */
import { Context, type Effect, type Option } from "effect"

/**
 * - `contentTypeOf`: the media type of the content, such as `image/png`; `None` if it is not recognised.
 * - `withoutMetadata`: the file without what tells about the maker and the place of a picture. Its pixels, its colours and its way up
 *   stay as they are.
 */
export class FileRecognition extends Context.Service<
  FileRecognition,
  {
    readonly contentTypeOf: (bytes: Uint8Array) => Effect.Effect<Option.Option<string>>
    readonly withoutMetadata: (contentType: string, bytes: Uint8Array) => Effect.Effect<Uint8Array>
  }
>()("@livery/domain/FileRecognition") {}
