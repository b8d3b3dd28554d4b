/** Generates a client in TypeScript from an OpenAPI document: the path of the document, and that of the client. */
import { writeFileSync } from "node:fs"
import { generateApi } from "swagger-typescript-api"

const [input, path] = process.argv.slice(2)
if (input === undefined || path === undefined)
  throw new Error("Usage: node scripts/generateClient.ts OPENAPI CLIENT")
const { files } = await generateApi({ input, output: false, silent: true })
writeFileSync(path, files.map(({ fileContent }) => fileContent).join("\n"))
