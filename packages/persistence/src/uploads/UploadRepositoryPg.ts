/** The domain's `UploadRepository` on PostgreSQL. */
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Upload, UploadRepository } from "@livery/domain"
import { instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"

const uploads = rowsAs(Upload)

/** The records of uploads in the table `uploads`. The files are elsewhere. */
export const layer = Layer.effect(
  UploadRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return UploadRepository.of({
      insert: (upload) => {
        const row = { ...upload, created_at: instant(upload.created_at) }
        return oneRow(uploads(sql`INSERT INTO uploads ${sql.insert(row)} RETURNING *`))
      },
      named: (businessId, fileName) =>
        Effect.map(
          uploads(sql`SELECT * FROM uploads WHERE business_id = ${businessId} AND file_name = ${fileName}`),
          Array.head
        )
    })
  })
)
