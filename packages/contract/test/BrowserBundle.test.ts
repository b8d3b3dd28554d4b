import { assert, beforeAll, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { type OutputChunk, rolldown } from "rolldown"

const root = join(import.meta.dirname, "../../..")

/** Whether a module declares a service, a setting or a layer: a use case, a port, or the wiring of one. */
const declaresService = (file: string) =>
  /\bContext\.(?:Service|Reference)\b|\bLayer\./u.test(readFileSync(file, "utf8"))

describe("the contract in a browser", () => {
  const warnings: Array<string> = []
  let chunks: ReadonlyArray<OutputChunk> = []

  beforeAll(async () => {
    const bundle = await rolldown({
      cwd: root,
      input: "packages/contract/src/index.ts",
      platform: "browser",
      resolve: { conditionNames: ["@livery/source", "import", "browser", "default"] },
      onLog: (_level, { message }) => warnings.push(message)
    })
    const { output } = await bundle.generate({ format: "esm", minify: true })
    await bundle.close()
    chunks = output.filter((part) => part.type === "chunk")
  })

  it("bundles without a warning, and imports nothing", () => {
    assert.deepStrictEqual(warnings, [])
    for (const { dynamicImports, imports } of chunks)
      assert.deepStrictEqual([...imports, ...dynamicImports], [])
  })

  it("has no use case and no port of the domain", () => {
    const domain = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => id.includes("/domain/src/")))
    assert.isAbove(domain.length, 50)
    assert.deepStrictEqual(domain.filter(declaresService), [])
  })

  it("has the size that its page states, within 5 kB", () => {
    const bytes = gzipSync(chunks.map(({ code }) => code).join("")).length
    const [, stated = ""] =
      /(\d+) kB gzip/u.exec(readFileSync(join(root, "packages/contract/README.md"), "utf8")) ?? []
    assert.closeTo(Number(stated), bytes / 1000, 5)
  })
})
