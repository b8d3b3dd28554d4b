import { AdminUserRepository, maxCount } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestPersistence } from "../support/TestPersistence.ts"

const perPage = 20
const rows = 2 * maxCount + 2000

layer(TestPersistence)("the pages of a search that found more than 1,000 records", (it) => {
  it.effect("have the records in their order, near and far, also when few match any more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { list } = yield* AdminUserRepository
      const search = "common"
      yield* sql`
        INSERT INTO users (email, name, account_type, password_hash, created_at, updated_at)
        SELECT 'user' || n || '@example.com', CASE WHEN n % 2 = 0 THEN 'A Common ' ELSE 'Rare ' END || n,
          CASE WHEN n % 3 = 0 THEN 'D' ELSE 'A' END, 'none', now(), now()
        FROM generate_series(1, ${rows}::int) n`
      yield* sql`VACUUM ANALYZE users`.unprepared
      const assertPages = Effect.fnUntraced(function* (
        accountType: "A" | undefined,
        pages: ReadonlyArray<number>
      ) {
        const found = yield* sql<{ user_id: number }>`
          SELECT user_id FROM users WHERE name ILIKE '%common%' AND (${accountType ?? null}::text IS NULL OR account_type = ${accountType ?? null})
          ORDER BY user_id`
        for (const page of pages) {
          const { hasMore, items } = yield* list({ accountType, search }, { page, perPage })
          const expected = found.slice((page - 1) * perPage, page * perPage)
          assert.deepStrictEqual(
            [items.map(({ user_id }) => user_id), hasMore],
            [expected.map(({ user_id }) => user_id), found.length > page * perPage],
            `page ${page} of ${String(accountType)}`
          )
        }
      })
      const { total } = yield* list({ accountType: undefined, search }, { page: 1, perPage })
      assert.isUndefined(total)
      const pages = [1, 2, 13, 30]
      yield* assertPages(undefined, [...pages, 60, 100, 101])
      yield* assertPages("A", pages)
      yield* sql`UPDATE users SET name = 'Rare' WHERE user_id NOT IN (SELECT user_id FROM users ORDER BY user_id DESC LIMIT 100)`
      yield* assertPages(undefined, [1, 2, 3, 4])
      yield* sql`UPDATE users SET name = 'Rare'`
      yield* assertPages(undefined, [1, 2])
    })
  )
})
