import { Api } from "@livery/contract"
import { OpenApi } from "effect/http-api"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import type { Document } from "../../../scripts/client/ApiDocument.ts"
import { guidePages } from "../../../scripts/reference/GuidePages.ts"
import { referenceOf } from "../../../scripts/reference/ReferenceData.ts"

const root = join(import.meta.dirname, "../../..")
const document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api))) as Document
const examples = referenceOf(document, guidePages()).groups.flatMap(({ operations }) =>
  operations.map(({ example, id }) => ({ id, ...example }))
)

const run = (command: string, args: ReadonlyArray<string>, input = "") => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8", input })
  return { isAbsent: error !== undefined, status, output: `${stdout}${stderr}` }
}

describe("the requests of the reference", () => {
  it("in TypeScript compile with the types of the client", () => {
    const folder = mkdtempSync(join(root, "packages/client/.livery-examples-"))
    try {
      const functions = examples.map(
        ({ id, ts }) => `// ${id}\nexport const _${id.replace(".", "_")} = async () => {\n${ts}\n}\n`
      )
      const declared =
        'import type { Livery } from "@livery/client"\ndeclare const client: Livery\ndeclare const file: File\n'
      writeFileSync(join(folder, "examples.ts"), declared + functions.join("\n"))
      const compilerOptions = {
        target: "ES2024",
        lib: ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
        module: "esnext",
        moduleResolution: "bundler",
        customConditions: ["@livery/source"],
        allowImportingTsExtensions: true,
        exactOptionalPropertyTypes: true,
        strict: true,
        noEmit: true,
        types: ["node"]
      }
      writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions, files: ["examples.ts"] })
      )
      const { output, status } = run(process.execPath, [
        "node_modules/typescript/bin/tsc",
        "--project",
        folder
      ])
      assert.deepStrictEqual([status, output], [0, ""])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it("for the shell and in Python have no error of syntax", (context) => {
    const shell = run("bash", ["-n"], examples.map(({ curl }) => curl).join("\n"))
    assert.deepStrictEqual([shell.status, shell.output], [0, ""])
    const check = "import ast, json, sys\nfor one in json.load(sys.stdin): ast.parse(one)"
    const python = run("python3", ["-c", check], JSON.stringify(examples.map((example) => example.python)))
    if (python.isAbsent) context.skip("There is no python3")
    assert.deepStrictEqual([python.status, python.output], [0, ""])
  })
})
