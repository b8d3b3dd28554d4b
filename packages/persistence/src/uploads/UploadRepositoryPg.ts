/** The domain's `UploadRepository` on PostgreSQL. */
import { Array, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BusinessId, UploadId, UploadRepository, UploadType } from "@livery/domain"
import { Instant, instant, rowsAs } from "../sql/Rows.ts"

const uploads = rowsAs(
  Schema.Struct({
    upload_id: UploadId,
    business_id: BusinessId,
    file_name: Schema.String,
    content_type: UploadType,
    size: Schema.Int,
    created_at: Instant
  })
)

export const layer = Layer.effect(
  UploadRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return UploadRepository.of({
      insert: (upload) => {
        const row = { ...upload, created_at: instant(upload.created_at) }
        return Effect.flatMap(uploads(sql`INSERT INTO uploads ${sql.insert(row)} RETURNING *`), (inserted) =>
          Effect.orDie(Effect.fromOption(Array.head(inserted)))
        )
      },
      named: (fileName) =>
        Effect.map(uploads(sql`SELECT * FROM uploads WHERE file_name = ${fileName}`), Array.head)
    })
  })
)
