// The ports on PostgreSQL keep the contracts of the domain's ports, by the statements of the record.
import { assert, it } from "@effect/vitest"
import { Layer } from "effect"
import { contracts } from "../../../test/contract/index.ts"
import { TestDatabase } from "../../../test/support/TestDatabase.ts"
import { differences } from "../../../scripts/statements/Record.ts"
import { PlainWrites } from "../src/sql/schema/WriteForm.ts"
import { RecordsPg } from "./support/RecordsPg.ts"
import { persistenceOn } from "./support/TestPersistence.ts"

const sent = new Set<string>()

const database = TestDatabase.reporting((statement) => {
  // The contracts read the audit log by this statement, and no port does.
  if (!statement.includes("FROM audit_log WHERE subject")) sent.add(statement)
})

// The record is of the statements that a distributed database gets.
const Ports = RecordsPg.pipe(
  Layer.provideMerge(persistenceOn(database)),
  Layer.provide(Layer.succeed(PlainWrites, true))
)

for (const contract of contracts) contract(Ports)

it("the record of statements has those of the ports: npm run statements:write", () => {
  assert.deepStrictEqual(differences("ports", sent), [])
})
