/** The port that recognises the type of a file by its content. */
import { Context, type Effect, type Option } from "effect"

/** - `contentTypeOf`: the media type of the content, such as `image/png`; `None` if it is not recognised. */
export class FileRecognition extends Context.Service<
  FileRecognition,
  { readonly contentTypeOf: (bytes: Uint8Array) => Effect.Effect<Option.Option<string>> }
>()("@livery/domain/FileRecognition") {}
