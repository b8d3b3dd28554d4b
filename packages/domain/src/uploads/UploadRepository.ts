/** The port that stores uploads. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Upload } from "./Upload.ts"

/**
 * - `insert`: stores an upload whose file is stored already.
 * - `named`: the business's upload with that file name; `None` if there is none. The name is the permission to read the
 *   file.
 */
export class UploadRepository extends Context.Service<
  UploadRepository,
  {
    readonly insert: (upload: Omit<Upload, "upload_id">) => Effect.Effect<Upload>
    readonly named: (businessId: BusinessId, fileName: string) => Effect.Effect<Option.Option<Upload>>
  }
>()("@livery/domain/UploadRepository") {}
