import { Upload, UploadRepository } from "@livery/domain"
import { instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const uploads = rowsAs(Upload)

/** The records of uploads in the table `uploads`. The files are elsewhere. */
export const layer = onPostgres(UploadRepository, (sql) => ({
  insert: (upload) => {
    const row = { ...upload, created_at: instant(upload.created_at) }
    return oneRow(uploads(sql`INSERT INTO uploads ${sql.insert(row)} RETURNING *`))
  },
  find: (businessId, uploadId) =>
    firstOf(
      uploads(sql`SELECT * FROM uploads WHERE business_id = ${businessId} AND upload_id = ${uploadId}`)
    ),
  named: (businessId, fileName) =>
    firstOf(uploads(sql`SELECT * FROM uploads WHERE business_id = ${businessId} AND file_name = ${fileName}`))
}))
