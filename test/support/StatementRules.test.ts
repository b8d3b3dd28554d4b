import { assert, describe, it } from "vitest"
import { statementFaults } from "./StatementRules.ts"

const faults = (statement: string) => statementFaults(statement, (table) => table === "trips")

describe("the rules for statements of one business", () => {
  for (const [statement, fault] of [
    ["SELECT 1 FROM trips WHERE trip_id = $1", "trips is not bound by the business's id"],
    [
      "SELECT 1 FROM drivers d JOIN trips t ON t.business_id = d.business_id WHERE d.business_id = $1",
      "t is not bound by the business's id"
    ],
    ["SELECT 1 FROM trips WHERE business_id = $1 OR trip_id = $2", "trips is not bound by the business's id"],
    ["DELETE FROM trips WHERE trip_id = $1", "trips is not bound by the business's id"],
    [
      "UPDATE trips SET updated_at = clock_timestamp() WHERE business_id = $1",
      "clock_timestamp() is volatile in an UPDATE"
    ],
    ["DELETE FROM trips WHERE business_id = $1 AND random() < 0.5", "random() is volatile in a DELETE"],
    [
      "INSERT INTO trips (business_id) VALUES ($1) ON CONFLICT (business_id) DO UPDATE SET token = gen_random_uuid()",
      "gen_random_uuid() is volatile in an ON CONFLICT"
    ]
  ] as const)
    it(`refuse ${statement}`, async () => {
      assert.deepStrictEqual(await faults(statement), [fault])
    })

  for (const statement of [
    "SELECT 1 FROM trips WHERE business_id = $1",
    "SELECT 1 FROM drivers d JOIN trips t ON t.business_id = $1 WHERE d.business_id = $1",
    "WITH trips AS (SELECT 1) SELECT * FROM trips",
    "UPDATE trips SET updated_at = now() WHERE business_id = $1::bigint",
    "INSERT INTO trips (business_id, token) VALUES ($1, gen_random_uuid())"
  ])
    it(`accept ${statement}`, async () => {
      assert.deepStrictEqual(await faults(statement), [])
    })
})
