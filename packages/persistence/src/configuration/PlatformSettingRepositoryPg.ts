import { Effect } from "effect"
import { PlatformSettingRepository, StoredSetting } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const settings = rowsAs(StoredSetting)

export const layer = onPostgres(PlatformSettingRepository, (sql) => {
  const columns = sql.literal(columnsOf(StoredSetting))
  const only = Effect.fnUntraced(function* (rows: Effect.Effect<ReadonlyArray<StoredSetting>>) {
    return yield* oneRow(rows)
  })
  return {
    all: settings(sql`SELECT ${columns} FROM platform_settings ORDER BY setting_key`),
    lock: Effect.fnUntraced(function* (key, defaultValue, now) {
      yield* Effect.orDie(sql`
        INSERT INTO platform_settings (setting_key, value, updated_at)
        VALUES (${key}, ${JSON.stringify(defaultValue)}, ${instant(now)}) ON CONFLICT DO NOTHING`)
      return yield* only(
        settings(sql`SELECT ${columns} FROM platform_settings WHERE setting_key = ${key} FOR UPDATE`)
      )
    }),
    set: (key, value, now) =>
      only(
        settings(sql`
          UPDATE platform_settings SET value = ${JSON.stringify(value)}, updated_at = ${instant(now)}
          WHERE setting_key = ${key} RETURNING ${columns}`)
      )
  }
})
