import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "../..")
const compiler = join(root, "node_modules/typescript/bin/tsc")
const generator = join(root, "scripts/generateClient.ts")

/** The project's options, but those that restrict how a module is written: the client is not ours. */
const compilerOptions = {
  composite: false,
  declaration: false,
  declarationMap: false,
  sourceMap: false,
  verbatimModuleSyntax: false,
  erasableSyntaxOnly: false,
  exactOptionalPropertyTypes: false,
  noUnusedLocals: false,
  noEmit: true,
  lib: ["ES2024", "DOM"],
  types: ["node"]
}

/** A client in TypeScript, generated from an OpenAPI document by `scripts/generateClient.ts`. */
export interface GeneratedClient {
  readonly source: string
  /**
   * Compiles a program that imports `./client.ts`, runs it with these arguments and returns its standard output. It
   * throws with the compiler's messages, or with the program's standard error.
   */
  readonly run: (program: string, args: ReadonlyArray<string>) => Promise<string>
  /** Removes the files. */
  readonly remove: () => void
}

const execute = async (args: ReadonlyArray<string>) => {
  try {
    return (await promisify(execFile)(process.execPath, args, { cwd: root })).stdout
  } catch (cause) {
    const { stderr, stdout } = cause as { readonly stderr: string; readonly stdout: string }
    throw new Error(`${stdout}${stderr}`.slice(0, 5000), { cause })
  }
}

/** Generates a client from an OpenAPI document. */
export const generatedClient = async (document: object): Promise<GeneratedClient> => {
  // Within the project, so that the compiler finds the types of Node.
  const directory = mkdtempSync(join(root, ".livery-client-"))
  const specification = join(directory, "openapi.json")
  writeFileSync(specification, JSON.stringify(document))
  const path = join(directory, "client.ts")
  // In a process of its own: the generator takes hundreds of megabytes.
  await execute([generator, specification, path])
  writeFileSync(
    join(directory, "tsconfig.json"),
    JSON.stringify({ extends: join(root, "tsconfig.base.json"), compilerOptions, files: ["program.ts"] })
  )
  return {
    source: readFileSync(path, "utf8"),
    run: async (program, args) => {
      const [input, file] = [join(directory, "program.ts"), join(directory, "program.mjs")]
      writeFileSync(input, program)
      await execute([compiler, "--project", directory])
      const bundle = await rolldown({ input, platform: "node" })
      await bundle.write({ file })
      await bundle.close()
      return execute([file, ...args])
    },
    remove: () => rmSync(directory, { recursive: true, force: true })
  }
}
