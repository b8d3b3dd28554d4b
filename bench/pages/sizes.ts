/**
 * Prints the size of the client, and what a browser loads for the first view of each page, compressed with gzip, beside the limit:
 * `npm run bench:pages`. It fails above a limit. What a page loads later, such as the form of a payment provider, does not count.
 */
import { globSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

const packages = join(import.meta.dirname, "../../packages")
const site = join(packages, "pages/dist/site")

/** The most bytes of the client, of the reference for developers, and of a page for the public or for drivers. */
const limits = { client: 7000, docs: 60_000, page: 25_000 }

/** The files that a file of the site names at its head: those of HTML, and the imports of a script. */
const namedBy = (file: string) => {
  const text = readFileSync(join(site, file), "utf8")
  const pattern = file.endsWith(".html")
    ? /(?:src|href)="([^"]+\.(?:js|css))"/gu
    : /(?:import|from)\s*["`]([^"`]+\.js)["`]/gu
  return [...text.matchAll(pattern)].map(([, path = ""]) => join(dirname(file), path))
}

/** The words in English that a page loads: the modules of the first language in its table. */
const wordsOf = (file: string) => {
  const text = readFileSync(join(site, file), "utf8")
  const [, path] = /words\/en\.ts["'`]\s*:.{0,40}?["'`](\.\/en-[\w-]+\.js)["'`]/su.exec(text) ?? []
  return path === undefined ? [] : [join(dirname(file), path)]
}

const firstView = (page: string) => {
  const files = new Set([page])
  for (const file of files)
    if (!file.endsWith(".css"))
      for (const named of [...namedBy(file), ...(file.endsWith(".js") ? wordsOf(file) : [])]) files.add(named)
  // The reference reads its index at once.
  if (page === "docs.html") for (const file of globSync("assets/index-*.json", { cwd: site })) files.add(file)
  return [...files]
}

const sizeOf = (file: string) => statSync(join(site, `${file}.gz`)).size

const bundle = await rolldown({ input: join(packages, "client/dist/index.js") })
const { output } = await bundle.generate({ minify: true })
await bundle.close()

const print = (name: string, files: number, bytes: number, limit: number) => {
  process.stdout.write(`| ${name} | ${files} | ${bytes} | ${limit} |\n`)
  if (bytes > limit) process.exitCode = 1
}

process.stdout.write("| Page | Files | Bytes (gzip) | Limit |\n| --- | --- | --- | --- |\n")
print("@livery/client", 1, gzipSync(output[0].code, { level: 9 }).length, limits.client)
for (const page of globSync("**/*.html", { cwd: site }).toSorted()) {
  const files = firstView(page)
  const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0)
  const name = basename(page, ".html")
  print(name, files.length, bytes, name === "docs" ? limits.docs : limits.page)
}
