import { Array, Effect, Schema } from "effect"
import { maxViewsPerUser, Preferences, SavedView, ScreenRepository, type UserId } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { execute, firstOf, instant, rowsAs } from "../sql/rows/Rows.ts"
import { lockAccount } from "../sql/statements/BusinessLock.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const views = rowsAs(SavedView)
const preferenceRows = rowsAs(
  Schema.Struct({
    language: Preferences.fields.language,
    theme: Preferences.fields.theme,
    board: Schema.fromJsonString(Preferences.fields.board)
  })
)
const ids = rowsAs(Schema.Struct({ view_id: SavedView.fields.view_id }))

export const layer = onPostgres(ScreenRepository, (sql) => {
  const columns = sql.literal(columnsOf(SavedView))
  /** Lets concurrent changes of a user's views and preferences wait for each other. */
  const lockUser = (userId: UserId) => lockAccount(sql, userId)
  const preferences = (userId: UserId) =>
    firstOf(
      preferenceRows(sql`SELECT language, theme, board FROM user_preferences WHERE user_id = ${userId}`)
    )
  return {
    views: (userId) =>
      views(sql`
        SELECT ${columns} FROM saved_views WHERE user_id = ${userId}
        ORDER BY screen COLLATE "C", name COLLATE "C", view_id LIMIT ${maxViewsPerUser}`),
    insertView: (userId, { name, query, screen }, now) =>
      Effect.andThen(
        execute(lockUser(userId)),
        firstOf(
          views(sql`
            INSERT INTO saved_views (user_id, name, screen, query, created_at, updated_at)
            SELECT ${userId}::bigint, ${name}::text, ${screen}::text, ${query}::text,
              ${instant(now)}::timestamptz, ${instant(now)}::timestamptz
            WHERE (SELECT count(*) FROM saved_views WHERE user_id = ${userId}) < ${maxViewsPerUser}
            RETURNING ${columns}`)
        )
      ),
    changeView: (userId, viewId, { name, query, screen }, now) =>
      firstOf(
        views(sql`
          UPDATE saved_views
          SET name = coalesce(${name ?? null}, name), screen = coalesce(${screen ?? null}, screen),
            query = coalesce(${query ?? null}, query), updated_at = ${instant(now)}
          WHERE user_id = ${userId} AND view_id = ${viewId} RETURNING ${columns}`)
      ),
    removeView: (userId, viewId) =>
      Effect.map(
        ids(sql`DELETE FROM saved_views WHERE user_id = ${userId} AND view_id = ${viewId} RETURNING view_id`),
        Array.isReadonlyArrayNonEmpty
      ),
    preferences,
    lockPreferences: (userId) => Effect.andThen(execute(lockUser(userId)), preferences(userId)),
    setPreferences: (userId, { board, language, theme }, now) =>
      execute(sql`
        INSERT INTO user_preferences (user_id, language, theme, board, updated_at)
        VALUES (${userId}, ${language}, ${theme}, ${JSON.stringify(board)}, ${instant(now)})
        ON CONFLICT (user_id) DO UPDATE SET language = excluded.language, theme = excluded.theme,
          board = excluded.board, updated_at = excluded.updated_at`)
  }
})
