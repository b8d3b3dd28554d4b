import { assert, describe, it } from "@effect/vitest"
import { parse } from "libpg-query"
import { migrations } from "../../src/migrations/index.ts"
import { tables } from "../../src/migrations/Tables.ts"
import { citusMigrationFaults } from "../../../../test/support/CitusRules.ts"
import { upgradeFaults } from "../../../../test/support/UpgradeRules.ts"

const texts = Object.entries(migrations).map(
  ([name, migration]) => [name, typeof migration === "string" ? migration : migration.join(";\n")] as const
)

/** The last migration of the first release. */
const lastOfFirstRelease = "0017_administration"

describe("a migration that the previous version survives", () => {
  for (const migration of [
    "ALTER TABLE trips ADD COLUMN rating smallint",
    "ALTER TABLE trips ADD COLUMN rating smallint NOT NULL DEFAULT 0",
    "ALTER TABLE trips ALTER COLUMN notes DROP NOT NULL",
    "ALTER TABLE trips SET (fillfactor = 90)",
    "CREATE INDEX ON trips (business_id, rating)",
    "DROP INDEX trips_by_rating",
    "UPDATE trips SET rating = 1",
    "CREATE TABLE ratings (business_id bigint NOT NULL); ALTER TABLE ratings ADD PRIMARY KEY (business_id)"
  ])
    it(`may have ${migration}`, async () => {
      assert.deepStrictEqual(await upgradeFaults(migration), [])
    })

  for (const migration of [
    "ALTER TABLE trips ADD COLUMN rating smallint NOT NULL",
    "ALTER TABLE trips ADD COLUMN rating smallint UNIQUE",
    "ALTER TABLE trips DROP COLUMN notes",
    "ALTER TABLE trips ALTER COLUMN notes TYPE bigint",
    "ALTER TABLE trips ALTER COLUMN notes SET NOT NULL",
    "ALTER TABLE trips ADD CHECK (rating > 0)",
    "ALTER TABLE trips RENAME COLUMN notes TO remarks",
    "ALTER TABLE trips RENAME TO rides",
    "CREATE UNIQUE INDEX ON trips (business_id, rating)",
    "CREATE TRIGGER t BEFORE INSERT ON trips EXECUTE FUNCTION f()",
    "DROP TABLE trips",
    "TRUNCATE trips",
    "DO 'BEGIN END'"
  ])
    it(`never has ${migration}`, async () => {
      assert.lengthOf(await upgradeFaults(migration), 1)
    })

  it("is not a change of a released migration: the colour of a brand is in the first one after the release", () => {
    const withColour = texts.filter(([, text]) => text.includes("accent_color"))
    assert.deepStrictEqual(
      withColour.map(([name]) => name),
      ["0018_link_keys"]
    )
  })

  it("is each migration after those of the first release", async () => {
    assert.include(Object.keys(migrations), lastOfFirstRelease)
    for (const [name, migration] of texts)
      if (name > lastOfFirstRelease) assert.deepStrictEqual(await upgradeFaults(migration), [], name)
  })
})

/** The first migration of those that must be accepted by a database that is distributed already. */
const firstForCitus = "0055"

/** The first migration that is a list. A database is distributed after the earlier ones. */
const firstOfLists = "0061"

const faultsForCitus = (migration: string) =>
  citusMigrationFaults(
    migration,
    (table) => tables.find(({ history, name }) => table === name || table === history)?.kind
  )

describe("a migration that Citus accepts", () => {
  for (const migration of [
    "ALTER TABLE trips ADD COLUMN rating smallint NOT NULL DEFAULT 0",
    "ALTER TABLE trips ADD CONSTRAINT trips_rating CHECK (rating > 0)",
    "CREATE TABLE ratings (business_id bigint NOT NULL REFERENCES businesses, stars smallint CHECK (stars > 0))",
    "CREATE TRIGGER audit_append_only BEFORE UPDATE ON audit_history EXECUTE FUNCTION f()"
  ])
    it(`may have ${migration}`, async () => {
      assert.deepStrictEqual(await faultsForCitus(migration), [])
    })

  for (const migration of [
    "ALTER TABLE trips ADD COLUMN rating smallint CHECK (rating > 0)",
    "ALTER TABLE trips ADD COLUMN rater_id bigint REFERENCES users",
    "ALTER TABLE trips ADD CHECK (rating > 0)",
    "ALTER TABLE trips ADD COLUMN a text, ADD COLUMN b text",
    "CREATE TRIGGER trips_checked BEFORE UPDATE ON trips FOR EACH ROW EXECUTE FUNCTION f()",
    "CREATE TRIGGER trail_checked BEFORE UPDATE ON driver_trail_history EXECUTE FUNCTION f()"
  ])
    it(`never has ${migration}`, async () => {
      assert.lengthOf(await faultsForCitus(migration), 1)
    })

  it("is each migration from 0055 on", async () => {
    const later = texts.flatMap(([name, text]) => (name >= firstForCitus ? [text] : []))
    assert.deepStrictEqual((await Promise.all(later.map(faultsForCitus))).flat(), [])
  })

  it("is a list of single statements from 0061 on, because a database that is distributed takes one at a time", async () => {
    const lists = Object.entries(migrations).flatMap(([name, migration]) =>
      name < firstOfLists ? [] : typeof migration === "string" ? [[migration, ""]] : [migration]
    )
    const parsed = await Promise.all(lists.flat().map(async (statement) => (await parse(statement)).stmts))
    assert.isTrue(parsed.every((statements) => statements?.length === 1))
  })
})
