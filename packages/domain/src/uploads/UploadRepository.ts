import { Context, type Effect, type Option } from "effect"
import type { Upload } from "./Upload.ts"

/**
 * The port that knows the uploads.
 *
 * - `insert`: an upload whose file is kept already.
 * - `named`: the upload of that file name, whoever's: who has the name may read it. `None` if there is none.
 */
export class UploadRepository extends Context.Service<
  UploadRepository,
  {
    readonly insert: (upload: Omit<Upload, "upload_id">) => Effect.Effect<Upload>
    readonly named: (fileName: string) => Effect.Effect<Option.Option<Upload>>
  }
>()("@livery/domain/UploadRepository") {}
