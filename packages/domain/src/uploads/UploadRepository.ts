/** The port that stores uploads. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId, UploadId } from "../kernel/Ids.ts"
import type { Upload } from "./Upload.ts"

/**
 * - `insert`: stores an upload whose file is stored already.
 * - `find`: an upload of the business; `None` if it has none with that id.
 * - `named`: the business's upload with that file name; `None` if there is none. The name is the permission to read the
 *   file.
 */
export class UploadRepository extends Context.Service<
  UploadRepository,
  {
    readonly insert: (upload: Omit<Upload, "upload_id">) => Effect.Effect<Upload>
    readonly find: (businessId: BusinessId, uploadId: UploadId) => Effect.Effect<Option.Option<Upload>>
    readonly named: (businessId: BusinessId, fileName: string) => Effect.Effect<Option.Option<Upload>>
  }
>()("@livery/domain/UploadRepository") {}
