/**
 * Prints the sizes that a browser loads, with gzip: the client, and the first view of each page of the built site.
 *
 *     npm run bench:pages
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "..")
const site = join(root, "packages/pages/dist/site")

const gzip = (bytes: string | Uint8Array) => gzipSync(bytes, { level: 9 }).length

const line = (name: string, bytes: number, limit?: number) =>
  process.stdout.write(
    `${name.padEnd(32)} ${(bytes / 1024).toFixed(1).padStart(7)} kB${limit === undefined ? "" : ` of ${limit}`}\n`
  )

const bundle = await rolldown({ input: join(root, "packages/client/dist/index.js") })
const { output } = await bundle.generate({ minify: true })
await bundle.close()
line("@livery/client", gzip(output[0].code), 7)

/** The files that a file of the site names, and those that these import at once. */
const reached = (file: string, seen: Set<string>) => {
  if (seen.has(file)) return
  seen.add(file)
  const text = readFileSync(join(site, file), "utf8")
  const names = file.endsWith(".html")
    ? [...text.matchAll(/(?:src|href)="(?:\.{0,2}\/)?(?<name>assets\/[^"]+)"/gu)]
    : [...text.matchAll(/(?:from|import)\s*["']\.\/(?<name>[^"']+\.js)["']/gu)]
  for (const { groups } of names) {
    const name = groups?.["name"] ?? ""
    reached(name.startsWith("assets/") ? name : `assets/${name}`, seen)
  }
}

for (const page of globSync("**/*.html", { cwd: site }).sort()) {
  const files = new Set<string>()
  reached(page, files)
  // The reference reads its index at once.
  if (page === "docs.html") for (const file of globSync("assets/index-*.json", { cwd: site })) files.add(file)
  const bytes = [...files].reduce((sum, file) => sum + gzip(readFileSync(join(site, file))), 0)
  line(`/${page.replace(/\.html$/u, "")}`, bytes, page === "docs.html" ? 60 : 25)
}
