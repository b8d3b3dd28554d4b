import { execFileSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, describe, it, vi } from "vitest"
import { trip } from "./support/Account.ts"
import { extent } from "./faults/support/Extent.ts"
import { runCommand } from "./support/CommandProcess.ts"
import { launch } from "./support/Program.ts"
import { serverOf } from "./support/Server.ts"
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
  const disks: Array<string> = []
  afterAll(async () => {
    for (const disk of disks) await remove(disk)
  })
  const diskOf = async (size: string) => {
    const disk = await smallDisk(size)
    disks.push(disk)
    return disk
  }
  const migrate = (disk: string) =>
    runCommand(["migrate"], { environment: { LIVERY_DATA_DIR: join(disk, "data") } })

  const refusal = /^The embedded PostgreSQL in [^\n]+: its disk is full; free [^\n]+ and start again\n$/u

  it.for(extent(["4k", "64k", "4m", "24m"], ["4k", "24m"]))(
    "is refused with one line that says what to do, and leaves no database: %s",
    async (size) => {
      const disk = await diskOf(size)
      const { code, stderr, stdout } = await migrate(disk)
      assert.strictEqual(code, 1, stderr)
      assert.strictEqual(stdout, "")
      assert.match(stderr, refusal)
      assert.isFalse(existsSync(join(disk, "data", "postgres")))
    }
  )

  it.for(extent(["8m", "40m"], ["40m"]))("succeeds when the disk has space: first %s", async (size) => {
    const disk = await diskOf(size)
    const refused = await migrate(disk)
    assert.strictEqual(refused.code, 1, refused.stderr)
    assert.match(refused.stderr, refusal)
    mount("-o", "remount,size=400m", disk)
    const { code, stderr } = await migrate(disk)
    assert.strictEqual(code, 0, stderr)
  })
})

describe.skipIf(!canMount)("a full disk of an installation", () => {
  it("refuses a command with one line that names no other directory, and no file is left", async () => {
    const disk = await smallDisk("400m")
    try {
      const environment = { LIVERY_DATA_DIR: join(disk, "data") }
      const migrated = await runCommand(["migrate"], { environment })
      assert.strictEqual(migrated.code, 0, migrated.stderr)
      const before = readdirSync(join(disk, "data")).toSorted()
      execFileSync("sh", ["-c", 'cat /dev/zero > "$0" 2> /dev/null || true', join(disk, "others")])
      const { code, stderr, stdout } = await runCommand(["check", "money"], { environment })
      assert.strictEqual(code, 1, stderr)
      assert.strictEqual(stdout, "")
      assert.match(
        stderr,
        /^The embedded PostgreSQL in [^\n]+: its disk is full; free at least 100 MB there, and start again\n$/u
      )
      assert.deepStrictEqual(readdirSync(join(disk, "data")).toSorted(), before)
      await rm(join(disk, "others"))
      const freed = await runCommand(["check", "money"], { environment })
      assert.strictEqual(freed.code, 0, freed.stderr)
    } finally {
      await remove(disk)
    }
  })

  it("makes a running server not ready, refuses writes without a stack, and is one line a minute", async () => {
    const disk = await smallDisk("500m")
    try {
      const environment = { LIVERY_DATA_DIR: join(disk, "data"), PORT: "0", SHUTDOWN_GRACE: "0" }
      const server = await serverOf(launch(["serve"], { environment }))
      const ready = async () => (await fetch(`${server.address}/health/ready`)).status
      assert.strictEqual(await ready(), 200)
      const apiKey = /Bearer ([^']+)'/u.exec(server.program.stdout())?.[1] ?? ""
      const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" }
      const book = async () => {
        const body = JSON.stringify({ ...trip("Ada"), notes: "n".repeat(1900) })
        const response = await fetch(`${server.api}/trips`, { method: "POST", headers, body })
        await response.arrayBuffer()
        return response
      }
      assert.strictEqual((await book()).status, 201)
      execFileSync("sh", ["-c", 'cat /dev/zero > "$0" 2> /dev/null || true', join(disk, "others")])
      const statuses: Array<number> = []
      for (let count = 0; count < 60; count++) statuses.push((await book()).status)
      assert.include(statuses, 500)
      assert.strictEqual(await ready(), 503)
      const log = server.program.stderr()
      assert.lengthOf(log.match(/the disk of the database is full/gu) ?? [], 1, log)
      assert.notMatch(log, /^\s+at /mu)
      await rm(join(disk, "others"))
      await vi.waitUntil(async () => (await ready()) === 200, { timeout: 20_000, interval: 100 })
      assert.strictEqual((await book()).status, 201)
      await server.stop()
    } finally {
      await remove(disk)
    }
  })

  it.for(extent(["1m", "20m"], ["20m"]))(
    "is not mistaken for the full disk of a backup: %s",
    async (size) => {
      const [disk, small] = [await smallDisk("400m"), await smallDisk(size)]
      try {
        const data = join(disk, "data")
        const migrated = await runCommand(["migrate"], { environment: { LIVERY_DATA_DIR: data } })
        assert.strictEqual(migrated.code, 0, migrated.stderr)
        const refusal = (place: string) =>
          `conflict: The disk of ${place} is full: free some space there, or choose a directory on another disk\n`
        const backup = join(small, "backup")
        const backedUp = await runCommand(["backup", backup], { environment: { LIVERY_DATA_DIR: data } })
        assert.deepStrictEqual([backedUp.code, backedUp.stderr], [1, refusal(backup)])
        assert.deepStrictEqual(readdirSync(small), [])
        const made = await runCommand(["backup", join(disk, "backup")], {
          environment: { LIVERY_DATA_DIR: data }
        })
        assert.strictEqual(made.code, 0, made.stderr)
        const directory = join(small, "data")
        const restored = await runCommand(["restore", join(disk, "backup")], {
          environment: { LIVERY_DATA_DIR: directory }
        })
        assert.deepStrictEqual([restored.code, restored.stderr], [1, refusal(directory)])
        assert.deepStrictEqual(readdirSync(directory), [])
      } finally {
        for (const place of [disk, small]) await remove(place)
      }
    }
  )
})
