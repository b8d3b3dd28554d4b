/** Writes the OpenAPI document to the path that is given, for the linters of `npm run check:openapi`. */
import { OpenApi } from "effect/http-api"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { Api } from "@livery/contract"

const path = process.argv[2]
if (path === undefined) throw new Error("Usage: node scripts/openapi.ts PATH")
mkdirSync(dirname(path), { recursive: true })
writeFileSync(path, JSON.stringify(OpenApi.fromApi(Api), null, 2))
