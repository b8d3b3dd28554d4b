/** The folder of the pages that the server shows to people. */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const inPackage = () => {
  try {
    const manifest = createRequire(import.meta.url).resolve("@livery/pages/package.json")
    return [join(dirname(manifest), "dist/site")]
  } catch {
    return []
  }
}

/**
 * The folder beside the bundle of the executable, or the one in the package of the pages; undefined before the pages are
 * built.
 */
export const pagesFolder = (): string | undefined =>
  [fileURLToPath(new URL("site/", import.meta.url)), ...inPackage()].find((folder) =>
    existsSync(join(folder, "404.html"))
  )
