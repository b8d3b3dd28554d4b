/** Writes the data of the reference at `/docs`, which the build of the pages puts into the site. */
import { Api } from "@livery/contract"
import { OpenApi } from "effect/http-api"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Document } from "./client/ApiDocument.ts"
import { guidePages } from "./reference/GuidePages.ts"
import { eventSamples, referenceOf } from "./reference/ReferenceData.ts"

const root = join(import.meta.dirname, "..")
const folder = join(root, "packages/pages/src/docs/data")
const document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api))) as Document
const { groups, index } = referenceOf(document, guidePages())
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const write = (name: string, value: unknown) =>
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(value))
for (const { file, operations } of groups) write(file, operations)
write("events-samples", eventSamples(document))
write("index", index)
