import { layer } from "@effect/vitest"
import { PersonalData, UserId } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assertBounded } from "../sql/ListPlans.ts"
import { TestPersistence } from "../support/TestPersistence.ts"

/** An audit log of so many entries, of which two have the text `unusual@example.com`, and one is about the user 7000001. */
const populate = Effect.fnUntraced(function* (entries: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO audit_log (at, actor, action, subject, before, after, reason)
    SELECT now(), 'user:1', 'business.updated', CASE WHEN n = 1 THEN 'user:7000001' ELSE 'business:' || n % 1000 END,
      jsonb_build_object('business_email', 'office' || n || '@example.com'),
      jsonb_build_object('business_email', CASE WHEN n = 2 THEN 'Unusual@Example.com' ELSE 'desk' || n || '@example.com' END),
      CASE WHEN n = 3 THEN 'Asked by unusual@example.com' END
    FROM generate_series(1, ${entries}::int) n`
  yield* sql.unsafe("VACUUM ANALYZE audit_log").unprepared
})

layer(TestPersistence)("the erasure of an account in a large installation", (it) => {
  it.effect("reads the entries of the audit log that may be about the person, by indexes", () =>
    Effect.gen(function* () {
      yield* populate(20_000)
      const personal = yield* PersonalData
      const person = (user: number, ...texts: ReadonlyArray<string>) => ({
        business_id: null,
        customer_ids: [],
        driver_ids: [],
        user_ids: [UserId.make(user)],
        names: texts.slice(1),
        emails: texts.slice(0, 1),
        phones: []
      })
      const found = (...of: Parameters<typeof person>) =>
        Effect.map(personal.documents("audit", person(...of), "", 500), ({ documents }) => ({
          items: documents
        }))
      yield* assertBounded([
        ["the entries of nobody", found(7_000_002, "nobody@unknown.example", "Nobody Unknown"), 0, 100],
        ["the entries of a person", found(7_000_001, "unusual@example.com", "Nobody Unknown"), 3, 100]
      ])
    })
  )
})
