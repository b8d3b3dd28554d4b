import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { runLivery } from "./support/Program.ts"
import { scratchPrefix } from "./support/ScratchDirectory.ts"

const mount = (...args: ReadonlyArray<string>) => execFileSync("mount", args, { stdio: "ignore" })

/** A small disk, which only root can mount. */
const smallDisk = async (size: string) => {
  const directory = await mkdtemp(`${scratchPrefix}${process.pid}-`)
  mount("-t", "tmpfs", "-o", `size=${size}`, "tmpfs", directory)
  return directory
}

const remove = async (directory: string) => {
  execFileSync("umount", ["--lazy", directory])
  await rm(directory, { recursive: true, force: true })
}

const canMount = await smallDisk("1m").then(
  (directory) => remove(directory).then(() => true),
  () => false
)

describe.skipIf(!canMount)("a first start on a full disk", () => {
  let disk: string
  beforeAll(async () => {
    disk = await smallDisk("1m")
  })
  afterAll(() => remove(disk))

  const migrate = (directory: string) =>
    runLivery(["migrate"], { environment: { LIVERY_DATA_DIR: directory } })

  it.for(["0", "64k", "4m", "24m", "40m"])(
    "is refused with one line that says what to do, with %s left",
    async (size) => {
      // A size of 0 means no limit.
      mount("-o", `remount,size=${size === "0" ? "4k" : size}`, disk)
      const directory = join(disk, `data-${size}`)
      const { code, stderr, stdout } = await migrate(directory)
      assert.strictEqual(code, 1, stderr)
      assert.strictEqual(stdout, "")
      assert.match(stderr, /^The embedded PostgreSQL in [^\n]+: its disk is full; free [^\n]+ and start again\n$/u)
      assert.isFalse(existsSync(join(directory, "postgres")))
    }
  )

  it("succeeds when the disk has space again", async () => {
    const directory = join(disk, "again")
    await mkdir(directory)
    mount("-o", "remount,size=8m", disk)
    assert.strictEqual((await migrate(directory)).code, 1)
    mount("-o", "remount,size=400m", disk)
    const { code, stderr } = await migrate(directory)
    assert.strictEqual(code, 0, stderr)
  })
})
