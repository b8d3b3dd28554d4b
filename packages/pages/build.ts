/**
 * Builds the pages into `dist/site`, adds the license of the copied icons to those of the packages, and compresses each file
 * beside itself.
 */
import { appendFileSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { build } from "vite"

const site = join(import.meta.dirname, "dist/site")
await build({ configFile: join(import.meta.dirname, "vite.config.ts"), logLevel: "warn" })

const iconLicense = readFileSync(join(import.meta.dirname, "src/components/Icon.license.txt"), "utf8")
appendFileSync(join(site, "licenses.txt"), `\n## Lucide, the icons (ISC)\n\n${iconLicense}`)

for (const file of globSync("**/*.{html,js,css,svg,json,webmanifest}", { cwd: site })) {
  const bytes = readFileSync(join(site, file))
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(join(site, `${file}.br`), brotliCompressSync(bytes, { params }))
  writeFileSync(join(site, `${file}.gz`), gzipSync(bytes, { level: 9 }))
}
