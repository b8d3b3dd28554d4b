import { Context, type Effect, type Option } from "effect"

/**
 * The port that tells what a file is by its content, whatever it is called.
 *
 * - `contentTypeOf`: its media type (`image/png`); `None` for what nobody knows.
 */
export class FileRecognition extends Context.Service<
  FileRecognition,
  { readonly contentTypeOf: (bytes: Uint8Array) => Effect.Effect<Option.Option<string>> }
>()("@livery/domain/FileRecognition") {}
