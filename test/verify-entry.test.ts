import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { createHmac } from "node:crypto"
import { rolldown } from "rolldown"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

describe("@livery/domain/verify", () => {
  let directory: string
  let file: string
  beforeAll(async () => {
    directory = mkdtempSync(join(import.meta.dirname, "../.livery-verify-"))
    file = join(directory, "verify.mjs")
    const bundle = await rolldown({
      input: "@livery/domain/verify",
      cwd: join(import.meta.dirname, ".."),
      // With the dependencies in it, if there were any.
      external: [],
      resolve: { conditionNames: ["@livery/source", "import", "default"] },
      platform: "neutral"
    })
    await bundle.write({ file })
    await bundle.close()
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  it("is a bundle of less than 10 kB without a dependency, unminified", async () => {
    const { readFile } = await import("node:fs/promises")
    const code = await readFile(file, "utf8")
    assert.isBelow(Buffer.byteLength(code), 10_000)
    assert.notMatch(code, /\b(?:import|require)\b\s*[("'{*]/u)
  })

  it("compiles where neither the DOM's types nor Effect's are, with the types of libraries checked", () => {
    writeFileSync(
      join(directory, "worker.ts"),
      `import { type EventBody, makeVerify, SignatureRefused, verify, type VerifyOptions } from "@livery/domain/verify"
       export const receive = async (secret: string, options: VerifyOptions): Promise<EventBody["type"]> =>
         (await verify("t=1,v1=x", "{}", secret, options)).type
       export const businessOf = ({ meta }: EventBody): number => meta.business_id
       export const others: ReadonlyArray<unknown> = [makeVerify, SignatureRefused]
      `
    )
    const compilerOptions = { noEmit: true, composite: false, declarationMap: false, skipLibCheck: false }
    writeFileSync(
      join(directory, "tsconfig.json"),
      JSON.stringify({ extends: "../tsconfig.base.json", compilerOptions, files: ["worker.ts"] })
    )
    const compiler = join(import.meta.dirname, "../node_modules/.bin/tsc")
    const { stdout } = spawnSync(compiler, ["-p", directory, "--listFiles"], { encoding: "utf8" })
    assert.notInclude(stdout, "error TS")
    assert.include(stdout, "domain/dist/webhooks/Verify.d.ts")
    assert.notInclude(stdout, "node_modules/effect")
  })

  it("verifies, with and without the modules of Node", () => {
    const body = JSON.stringify({ id: "evt_1", type: "trip.created" })
    const time = Math.floor(Date.now() / 1000)
    const header = `t=${time},v1=${createHmac("sha256", "whsec_1").update(`${time}.${body}`).digest("hex")}`
    for (const without of ["", "process.getBuiltinModule = undefined;"]) {
      const program = `${without} const { verify } = await import(${JSON.stringify(file)});
        console.log((await verify(${JSON.stringify(header)}, ${JSON.stringify(body)}, "whsec_1")).id);
        await verify(${JSON.stringify(header)}, "{}", "whsec_1").catch(({ reason }) => console.log(reason))`
      const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
        encoding: "utf8"
      })
      assert.strictEqual(stdout, "evt_1\nmismatch\n", stderr)
    }
  })
})
