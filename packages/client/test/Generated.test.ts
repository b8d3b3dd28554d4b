import { Api } from "@livery/contract"
import { OpenApi } from "effect/http-api"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { type Document, operationsOf } from "../../../scripts/client/ApiDocument.ts"
import { operationTable } from "../../../scripts/client/ClientTable.ts"
import { clientTypes } from "../../../scripts/client/ClientTypes.ts"
import { livery } from "../src/index.ts"

const document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api))) as Document

const written = (file: string) => readFileSync(new URL(`../src/generated/${file}`, import.meta.url), "utf8")

describe("the client", () => {
  it("has the types and the operations of the OpenAPI document: after a change, run npm run client:write", () => {
    assert.strictEqual(written("Table.ts"), operationTable(document))
    assert.strictEqual(written("Types.ts"), clientTypes(document))
  })

  it("has a method for each operation, of the same name", () => {
    const client = livery() as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>
    for (const { id } of operationsOf(document)) {
      const [group = "", name = ""] = id.split(".")
      assert.isFunction(client[group]?.[name], id)
    }
  })
})
