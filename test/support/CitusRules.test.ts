import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { citusFaults, type CitusRule, type KindOf } from "./CitusRules.ts"

const kinds: Readonly<Record<string, ReturnType<KindOf>>> = {
  businesses: "copied",
  sessions: "platform",
  trips: "business",
  drivers: "business"
}

const faults = async (statement: string, reachesNodes = false) => [
  ...(await citusFaults(statement, (table) => kinds[table], reachesNodes))
]

const refused: ReadonlyArray<readonly [CitusRule, string]> = [
  ["lock", "SELECT FROM businesses WHERE business_id = $1 FOR NO KEY UPDATE"],
  ["lock", "SELECT 1 FROM trips t JOIN businesses b USING (business_id) FOR UPDATE OF b"],
  ["update", "UPDATE businesses SET status = 'D' WHERE business_id = $1"],
  ["returning", "INSERT INTO trips (business_id) VALUES ($1) RETURNING (SELECT 1)"],
  [
    "writing-cte",
    "WITH t AS (INSERT INTO trips (business_id) VALUES ($1) RETURNING trip_id) SELECT * FROM t"
  ],
  ["setval", "SELECT setval('trips_trip_id_seq', 5)"]
]

describe("the rules of Citus", () => {
  for (const [rule, statement] of refused)
    it(`refuse as ${rule}: ${statement}`, async () => {
      assert.deepStrictEqual(await faults(statement), [rule])
    })

  for (const statement of [
    "SELECT FROM trips WHERE business_id = $1 FOR NO KEY UPDATE",
    "SELECT 1 FROM trips t JOIN businesses b USING (business_id) FOR UPDATE OF t",
    "UPDATE sessions SET revoked_at = $1",
    "INSERT INTO trips (business_id) VALUES ($1) RETURNING trip_id",
    "WITH t AS (SELECT 1 FROM trips WHERE business_id = $1) SELECT * FROM t",
    "SELECT EXISTS (SELECT FROM trips WHERE business_id = $1)"
  ])
    it(`accept ${statement}`, async () => {
      assert.deepStrictEqual(await faults(statement), [])
    })

  it("refuse an EXISTS without columns over several businesses", async () => {
    assert.deepStrictEqual(await faults("SELECT EXISTS (SELECT FROM trips)", true), ["exists"])
    assert.deepStrictEqual(await faults("SELECT EXISTS (SELECT 1 FROM trips)", true), [])
  })
})

describe("a sequence is set", () => {
  it("by the claims of a node and by an import only, because a distributed database sets it on one node", () => {
    const source = join(import.meta.dirname, "../../packages/persistence/src")
    const setting = globSync("**/*.ts", { cwd: source }).filter(
      (file) =>
        !file.startsWith("migrations") && readFileSync(join(source, file), "utf8").includes("setval('")
    )
    assert.sameMembers(setting, ["platform/IdReservation.ts", "webhooks/ClaimSteps.ts"])
  })
})
