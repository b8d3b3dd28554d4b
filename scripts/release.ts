/**
 * Publishes each package, the ones without dependencies first: `npm run release`. With `--dry-run`, npm packs and checks each package
 * and publishes nothing, which CI runs. `npm run build` must have run.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly repository?: unknown
}

const isDryRun = process.argv.includes("--dry-run")

const packages = new Map(
  readdirSync("packages").map((folder) => {
    const manifest = JSON.parse(readFileSync(`packages/${folder}/package.json`, "utf8")) as Manifest
    const { dependencies = {}, name, repository } = manifest
    return [name, { folder, needs: Object.keys(dependencies), isPlaced: repository !== undefined }] as const
  })
)

const ordered = new Set<string>()
const add = (name: string) => {
  for (const need of packages.get(name)?.needs ?? []) if (packages.has(need)) add(need)
  ordered.add(name)
}
for (const name of packages.keys()) add(name)

if (!isDryRun && execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" }) !== "")
  throw new Error("Commit or remove the changes first: a release is of a commit")

const unplaced = [...packages].filter(([, { isPlaced }]) => !isPlaced).map(([name]) => name)
if (!isDryRun && unplaced.length > 0)
  throw new Error(`Set \`repository\` in the package.json of ${unplaced.join(", ")} first`)

for (const name of ordered) {
  const cwd = `packages/${packages.get(name)?.folder ?? ""}`
  execFileSync("npm", ["publish", "--silent", ...(isDryRun ? ["--dry-run"] : [])], { cwd, stdio: "inherit" })
}
process.stdout.write(`${isDryRun ? "could be" : "were"} published: ${[...ordered].join(", ")}\n`)
