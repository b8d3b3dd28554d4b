/** The port that stores uploads. */
import { Context, type Effect, type Option } from "effect"
import type { Upload } from "./Upload.ts"

/**
 * - `insert`: stores an upload whose file is stored already.
 * - `named`: the upload with that file name, of any business; `None` if there is none. Knowing the name permits reading.
 */
export class UploadRepository extends Context.Service<
  UploadRepository,
  {
    readonly insert: (upload: Omit<Upload, "upload_id">) => Effect.Effect<Upload>
    readonly named: (fileName: string) => Effect.Effect<Option.Option<Upload>>
  }
>()("@livery/domain/UploadRepository") {}
