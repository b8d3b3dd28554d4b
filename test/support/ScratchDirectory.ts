import { accessSync, constants, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const memory = "/dev/shm"
const needed = 2 * 1024 ** 3

const isRoomy = () => {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= needed
  } catch {
    return false
  }
}

/**
 * Where tests keep their clusters: in memory where there are 2 GB of it, which makes a database in 12 ms
 * instead of 40 to 400 on a busy disk; else the system's temporary directory.
 */
export const scratchRoot: string = isRoomy() ? memory : tmpdir()

/** How the scratch directories of a process begin: a later run removes those of processes that are gone. */
export const scratchPrefix: string = join(scratchRoot, "livery-test-")
