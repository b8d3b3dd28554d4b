/** Clients that other generators make from `openapi.json`. `npm ci --prefix test/generators` installs these; CI does. */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "../..")
const folder = join(root, "test/generators")
const compiler = join(root, "node_modules/typescript/bin/tsc")

/** Whether the generators are installed. */
export const hasGenerators = existsSync(join(folder, "node_modules"))

const tsconfig = {
  compilerOptions: {
    target: "ES2024",
    lib: ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    module: "esnext",
    moduleResolution: "bundler",
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ["node"]
  },
  files: ["program.ts"]
}

const orvalConfig = (baseUrl: string) =>
  `export default { api: { input: "./openapi.json", output: { target: "./client.ts", client: "fetch", baseUrl: "${baseUrl}" } } }`

/** The name of a generator. */
export type Generator = "openapi-typescript" | "@hey-api/openapi-ts" | "orval"

/** How each generator is started, in a folder that has `openapi.json`. */
const commands: Readonly<Record<Generator, readonly [script: string, ...args: ReadonlyArray<string>]>> = {
  "openapi-typescript": ["openapi-typescript/bin/cli.js", "openapi.json", "--output", "client.ts"],
  "@hey-api/openapi-ts": ["@hey-api/openapi-ts/bin/run.js", "--input", "openapi.json", "--output", "client"],
  orval: ["orval/dist/bin/orval.mjs", "--config", "orval.config.mjs"]
}

const execute = async (cwd: string, args: ReadonlyArray<string>) => {
  try {
    return (await promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 1e8 })).stdout
  } catch (cause) {
    const { stderr, stdout } = cause as { readonly stderr: string; readonly stdout: string }
    throw new Error(`${stdout}${stderr}`.slice(0, 5000), { cause })
  }
}

/** A client that a generator has made. */
export interface GeneratedClient {
  /** The text of one of its files. */
  readonly source: (file: string) => string
  /** Compiles `program`, runs it with these arguments, and returns its standard output. */
  readonly run: (program: string, args: ReadonlyArray<string>) => Promise<string>
  readonly remove: () => void
}

/** Makes a client from a document; `baseUrl` is the address of the API. */
export const generatedClient = async (
  generator: Generator,
  document: string,
  baseUrl: string
): Promise<GeneratedClient> => {
  // Below the folder of the generators, so that the compiler finds their modules, and the types of Node.
  const directory = mkdtempSync(join(folder, ".livery-client-"))
  writeFileSync(join(directory, "openapi.json"), document)
  writeFileSync(join(directory, "orval.config.mjs"), orvalConfig(baseUrl))
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(tsconfig))
  const [script, ...args] = commands[generator]
  await execute(directory, [join(folder, "node_modules", script), ...args])
  return {
    source: (file) => readFileSync(join(directory, file), "utf8"),
    run: async (program, values) => {
      const [input, file] = [join(directory, "program.ts"), join(directory, "program.mjs")]
      writeFileSync(input, program)
      await execute(directory, [compiler, "--project", directory])
      const bundle = await rolldown({ input, platform: "node" })
      await bundle.write({ file })
      await bundle.close()
      return execute(directory, [file, ...values])
    },
    remove: () => rmSync(directory, { recursive: true, force: true })
  }
}
