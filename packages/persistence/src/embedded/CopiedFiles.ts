/** Copying the files of a directory, with their checksums. */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdir, open, readdir, stat } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import { promisify } from "node:util"

/** A file by its path below a directory, with `/`, and its size in bytes. */
export interface FileToCopy {
  readonly path: string
  readonly size: number
}

/** A copied file, with the SHA-256 of its bytes in hexadecimal. */
export interface CopiedFile extends FileToCopy {
  readonly sha256: string
}

const isMissing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT"

/** The directories below a directory, by their paths, each after its parent. */
export const directoriesIn = async (directory: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted()
}

/** The regular files below a directory; none if it does not exist. Files that vanish meanwhile are left out. */
export const filesIn = async (directory: string): Promise<ReadonlyArray<FileToCopy>> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (isMissing(error)) return []
      throw error
    }
  )
  const files: Array<FileToCopy> = []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const place = join(entry.parentPath, entry.name)
    const found = await stat(place).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
    if (found !== undefined)
      files.push({ path: relative(directory, place).split(sep).join("/"), size: found.size })
  }
  return files
}

/** Flushes the files of a directory to the disk. One syncfs takes far less time than a sync of each file. */
export const flush = async (directory: string) => {
  if (process.platform === "linux") {
    await promisify(execFile)("sync", ["-f", directory])
    return
  }
  for (const { path } of await filesIn(directory)) {
    const handle = await open(join(directory, path), "r+")
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

const pieceBytes = 1024 * 1024

/** Reads a file to its end, and writes it to `to` if that is a path. */
const copyFile = async (from: string, to: string | undefined, onBytes: (bytes: number) => void) => {
  const source = await open(from)
  try {
    const hash = createHash("sha256")
    const target = to === undefined ? undefined : await open(to, "wx", 0o600)
    try {
      const piece = Buffer.allocUnsafe(pieceBytes)
      let size = 0
      for (;;) {
        const { bytesRead } = await source.read(piece, 0, pieceBytes)
        if (bytesRead === 0) break
        const read = piece.subarray(0, bytesRead)
        hash.update(read)
        if (target !== undefined) await target.write(read)
        size += bytesRead
        onBytes(bytesRead)
      }
      return { size, sha256: hash.digest("hex") }
    } finally {
      await target?.close()
    }
  } finally {
    await source.close()
  }
}

/**
 * Copies files from one directory to another, or only reads them if `to` is undefined, and computes their checksums. No
 * file is overwritten. `onProgress` gets the bytes so far and in total.
 */
export const copyFiles = async (
  from: string,
  to: string | undefined,
  files: ReadonlyArray<FileToCopy>,
  options: {
    /** Whether a file that no longer exists is left out. */
    readonly mayVanish: boolean
    readonly onProgress: (bytes: number, total: number) => void
  }
): Promise<ReadonlyArray<CopiedFile>> => {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const copied: Array<CopiedFile> = []
  let done = 0
  for (const { path } of files) {
    const place = to === undefined ? undefined : join(to, path)
    try {
      if (place !== undefined) await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      const result = await copyFile(join(from, path), place, (bytes) => {
        done += bytes
        options.onProgress(done, total)
      })
      copied.push({ path, ...result })
    } catch (error) {
      if (!options.mayVanish || !isMissing(error)) throw error
    }
  }
  return copied
}
