/** Writes the generated files of `@livery/client` from the contract. */
import { Api } from "@livery/contract"
import { OpenApi } from "effect/http-api"
import { mkdirSync, writeFileSync } from "node:fs"
import type { Document } from "./client/ApiDocument.ts"
import { operationTable } from "./client/ClientTable.ts"
import { clientTypes } from "./client/ClientTypes.ts"

const folder = "packages/client/src/generated"
const document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api))) as Document
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}/Table.ts`, operationTable(document))
writeFileSync(`${folder}/Types.ts`, clientTypes(document))
