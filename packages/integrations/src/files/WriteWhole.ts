/** Writing a file so that it is complete whenever it exists, also after a crash. */
import { randomUUID } from "node:crypto"
import { mkdir, open, rename, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"

/** Flushes a directory, so that the names in it survive a crash. Windows cannot open a directory. */
const flushDirectory = async (directory: string) => {
  if (process.platform === "win32") return
  const handle = await open(directory, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Writes a file with mode 0600, in directories with mode 0700 that are created on demand. The bytes are written and flushed
 * as `.<name>.<random>.partial` first: programs that watch the directory skip hidden files.
 */
export const writeWhole = async (file: string, bytes: Uint8Array): Promise<void> => {
  const directory = dirname(file)
  const partial = join(directory, `.${basename(file)}.${randomUUID()}.partial`)
  const firstNewDirectory = await mkdir(directory, { recursive: true, mode: 0o700 })
  try {
    const handle = await open(partial, "wx", 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(partial, file)
    await flushDirectory(directory)
    if (firstNewDirectory !== undefined) await flushDirectory(dirname(firstNewDirectory))
  } catch (cause) {
    await rm(partial, { force: true })
    throw cause
  }
}
