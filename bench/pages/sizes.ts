/** What a browser loads for the first view of each page, compressed with gzip, and the size of the client. */
import { globSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

const packages = join(import.meta.dirname, "../../packages")
const site = join(packages, "pages/dist/site")

/** The most bytes of the client, of the reference for developers, of the office, and of a page for the public or for drivers. */
const limits = { client: 7000, docs: 60_000, app: 90_000, page: 25_000 }

/** The size of a page: its name is the one of its HTML. */
export interface Size {
  readonly name: string
  readonly files: number
  readonly bytes: number
  readonly limit: number
}

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

const clientSize = async (): Promise<Size> => {
  const bundle = await rolldown({ input: join(packages, "client/dist/index.js") })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  const bytes = gzipSync(output[0].code, { level: 9 }).length
  return { name: "@livery/client", files: 1, bytes, limit: limits.client }
}

/** The sizes of the client and of all pages. */
export const sizes = async (): Promise<ReadonlyArray<Size>> => [
  await clientSize(),
  ...globSync("**/*.html", { cwd: site })
    .toSorted()
    .map((page) => {
      const files = firstView(page)
      const name = basename(page, ".html")
      return {
        name,
        files: files.length,
        bytes: files.reduce((sum, file) => sum + sizeOf(file), 0),
        limit: name === "docs" || name === "app" ? limits[name] : limits.page
      }
    })
]
