import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { emailCredits } from "../../src/migrations/0057_email_credits.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { newBusiness } from "../support/TestPersistence.ts"

it.effect("the migration of email credits keeps each balance, and may run beside the previous version", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [spent, bought, none] = [yield* newBusiness(), yield* newBusiness(), yield* newBusiness()]
    yield* sql`UPDATE businesses SET email_credits = 10 WHERE business_id IN (${spent}, ${bought})`
    yield* sql`INSERT INTO business_counters (business_id, email_credits_change) VALUES (${spent}, -3)`
    const ofPreviousVersion = sql`
      SELECT b.business_id, b.email_credits + coalesce(c.email_credits_change, 0) AS credits
      FROM businesses b LEFT JOIN business_counters c USING (business_id) ORDER BY b.business_id`
    const balances = [
      { business_id: spent, credits: 7 },
      { business_id: bought, credits: 10 },
      { business_id: none, credits: 0 }
    ]
    assert.deepStrictEqual(yield* ofPreviousVersion, balances)
    yield* sql.unsafe(`DO $all$ BEGIN EXECUTE $one$${emailCredits}$one$; END $all$`).unprepared
    assert.deepStrictEqual(yield* ofPreviousVersion, balances)
    const stored = yield* sql`
      SELECT business_id, email_credits_change AS credits FROM business_counters ORDER BY business_id`
    assert.deepStrictEqual(stored, balances.slice(0, 2))
  }).pipe(Effect.provide(TestDatabase.layer), Effect.scoped)
)
