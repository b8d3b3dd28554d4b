/** Copying the files of a directory, with their checksums. */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import type { Dirent } from "node:fs"
import { type FileHandle, mkdir, open, readdir, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
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

/** The result of a step on a path; undefined if nothing has that path. */
const unlessMissing = async <A>(step: Promise<A>): Promise<A | undefined> => {
  try {
    return await step
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** What is below a directory, each with its path and after its parent. */
const entriesIn = async (directory: string) => {
  const found: Array<{ readonly path: string; readonly entry: Dirent }> = []
  // A recursive `readdir` fails as a whole if a directory vanishes meanwhile, and a server makes and removes some.
  const addTo = async (parent: string) => {
    const reading = readdir(join(directory, parent), { withFileTypes: true })
    const entries = parent === "" ? await reading : ((await unlessMissing(reading)) ?? [])
    for (const entry of entries) {
      const path = parent === "" ? entry.name : `${parent}/${entry.name}`
      found.push({ path, entry })
      if (entry.isDirectory()) await addTo(path)
    }
  }
  await addTo("")
  return found
}

/**
 * The directories below a directory, by their paths, each after its parent. A directory that vanishes meanwhile counts as
 * empty; only `directory` must exist.
 */
export const directoriesIn = async (directory: string): Promise<ReadonlyArray<string>> =>
  (await entriesIn(directory))
    .filter(({ entry }) => entry.isDirectory())
    .map(({ path }) => path)
    .toSorted()

/** The regular files below a directory, which must exist. Files and directories that vanish meanwhile are left out. */
export const filesIn = async (directory: string): Promise<ReadonlyArray<FileToCopy>> => {
  const files: Array<FileToCopy> = []
  for (const { entry, path } of await entriesIn(directory)) {
    if (!entry.isFile()) continue
    const found = await unlessMissing(stat(join(directory, path)))
    if (found !== undefined) files.push({ path, size: found.size })
  }
  return files
}

/** The file at a path below a directory, or the files below that path; none if nothing has that path. */
export const filesAt = async (directory: string, path: string): Promise<ReadonlyArray<FileToCopy>> => {
  const found = await unlessMissing(stat(join(directory, path)))
  if (found === undefined) return []
  if (found.isFile()) return [{ path, size: found.size }]
  const files = await filesIn(join(directory, path))
  return files.map((file) => ({ ...file, path: `${path}/${file.path}` }))
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

/** Reads a file to its end, writes it to the target if there is one, and returns its size and checksum. */
const copyContent = async (
  source: FileHandle,
  target: FileHandle | undefined,
  piece: Buffer,
  onBytes: (bytes: number) => void
) => {
  const hash = createHash("sha256")
  let size = 0
  for (;;) {
    const { bytesRead } = await source.read(piece)
    if (bytesRead === 0) return { size, sha256: hash.digest("hex") }
    const read = piece.subarray(0, bytesRead)
    hash.update(read)
    // `write` may write fewer bytes than it was given.
    await target?.writeFile(read)
    size += bytesRead
    onBytes(bytesRead)
  }
}

/** Reads a file to its end, and writes it to `to` if that is a path. */
const copyFile = async (
  from: string,
  to: string | undefined,
  piece: Buffer,
  onBytes: (bytes: number) => void
) => {
  const source = await open(from)
  try {
    const target = to === undefined ? undefined : await open(to, "wx", 0o600)
    try {
      return await copyContent(source, target, piece, onBytes)
    } finally {
      await target?.close()
    }
  } finally {
    await source.close()
  }
}

/**
 * Copies each file of a directory to the path that `placeOf` returns, or only reads it if that is undefined, and computes
 * the checksums. No file is overwritten. `onProgress` gets the bytes so far and in total.
 */
export const copyFiles = async (
  from: string,
  placeOf: (path: string) => string | undefined,
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
  // One for all files: the memory of one for each would be collected all the time.
  const piece = Buffer.allocUnsafe(pieceBytes)
  for (const { path } of files) {
    const place = placeOf(path)
    try {
      if (place !== undefined) await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      const result = await copyFile(join(from, path), place, piece, (bytes) => {
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
