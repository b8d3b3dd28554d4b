import { createHash, randomUUID } from "node:crypto"
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs"
import { chmod, chown, cp, lchown, mkdir, readdir, rename, rm, rmdir, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import type { Binaries } from "./Binaries.ts"
import { binariesIn } from "./Binaries.ts"
import type { RunAs } from "./RunAs.ts"
import { mayEnter, mayReach, ownerFor } from "./RunAs.ts"

const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16)

/** The longest path of a Unix socket in bytes, without the closing NUL, on every Unix. */
const socketPathBytes = 103

/** The name of PostgreSQL's socket for port 5432. */
export const socketFile = ".s.PGSQL.5432"

/** The path of the cluster in a Livery directory, with a symbolic link resolved. It need not exist. */
export const dataOf = (directory: string): string => {
  const entry = join(directory, "postgres")
  const found = lstatSync(entry, { throwIfNoEntry: false })
  if (found?.isSymbolicLink() === true) return existsSync(entry) ? realpathSync(entry) : readlinkSync(entry)
  return entry
}

/** Whether there is a cluster in the data directory. */
export const isCluster = (data: string): boolean => existsSync(join(data, "PG_VERSION"))

const ownPrivateDirectory = async (path: string, owner: { readonly uid: number } | undefined) => {
  await mkdir(path, { mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EEXIST") throw cause
  })
  const found = lstatSync(path)
  const ours = [process.getuid?.(), owner?.uid].includes(found.uid)
  // If everyone may write to the parent directory, another user may have made this one first, to impersonate the
  // server.
  if (!found.isDirectory() || !ours || (found.mode & 0o077) !== 0) {
    throw new Error(`${path} exists and is not a private directory of Livery`)
  }
}

/**
 * The directory of the server's Unix socket. It is the data directory, which PostgreSQL keeps private; if that path is
 * too long for a socket, it is a private directory within the system's temporary one.
 */
export const socketDirectoryFor = async (data: string, runAs: RunAs): Promise<string> => {
  if (Buffer.byteLength(join(data, socketFile)) <= socketPathBytes) return data
  const short = join(tmpdir(), `livery-${shortHash(data)}`)
  const owner = ownerFor(runAs)
  await ownPrivateDirectory(short, owner)
  if (owner !== undefined) await chown(short, owner.uid, owner.gid)
  return short
}

/** Removes the socket directory of a stopped server, unless it is the data directory. */
export const removeSocketDirectory = async (data: string, socketDirectory: string): Promise<void> => {
  // A directory that is not empty belongs to a server that started meanwhile.
  if (socketDirectory !== data) await rmdir(socketDirectory).catch(() => undefined)
}

const openTo = async (directory: string, user: { readonly uid: number; readonly gid: number }) => {
  if (mayEnter(directory, user)) return
  await chown(directory, 0, user.gid)
  await chmod(directory, 0o710)
}

/**
 * The path of the cluster, `<directory>/postgres`. If the server's user cannot reach it, because a parent directory
 * denies access (a home of mode 0700), the path is `<reachable>/livery-<hash>/postgres`, and `<directory>/postgres` is
 * a link to it. The user's group then gets permission to enter `directory`; no other permission changes.
 */
export const locateData = async (directory: string, runAs: RunAs, reachable: string): Promise<string> => {
  const data = dataOf(directory)
  if (runAs.kind !== "user") return data
  if (isCluster(data)) {
    if (dirname(data) === directory) await openTo(directory, runAs)
    if (!mayReach(dirname(data), runAs)) {
      throw new Error(
        `user ${runAs.uid}, as whom PostgreSQL must run here, cannot reach ${data}; move the directory`
      )
    }
    return data
  }
  if (mayReach(dirname(directory), runAs)) {
    await openTo(directory, runAs)
    return data
  }
  const elsewhere = join(reachable, `livery-${shortHash(directory)}`)
  await mkdir(elsewhere, { recursive: true, mode: 0o710 })
  if (statSync(elsewhere).uid !== 0) throw new Error(`${elsewhere} exists and belongs to another user`)
  await openTo(elsewhere, runAs)
  const target = join(elsewhere, "postgres")
  if (data !== target) await symlink(target, join(directory, "postgres"))
  return target
}

/** Programs that the server's user can reach: the given ones, or a copy in `<reachable>/livery-postgresql-<hash>`. */
export const reachableBinaries = async (
  binaries: Binaries,
  runAs: RunAs,
  reachable: string
): Promise<Binaries> => {
  if (runAs.kind !== "user" || mayReach(dirname(binaries.postgres), runAs)) return binaries
  const { mtimeMs, size } = statSync(binaries.postgres)
  const copy = join(reachable, `livery-postgresql-${shortHash(`${binaries.root} ${size} ${mtimeMs}`)}`)
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`
    await rm(draft, { recursive: true, force: true })
    await cp(binaries.root, draft, { recursive: true, verbatimSymlinks: true })
    await chmod(draft, 0o755)
    // A process of another directory may have put the same copy there meanwhile.
    await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }))
  }
  if (statSync(copy).uid !== 0) throw new Error(`${copy} exists and belongs to another user`)
  return binariesIn(copy)
}

/** Makes the server's user the owner of the data. The server must be stopped. */
export const changeOwner = async (data: string, runAs: RunAs): Promise<void> => {
  const owner = ownerFor(runAs)
  if (owner === undefined || statSync(data).uid === owner.uid) return
  const entries = await readdir(data, { recursive: true, withFileTypes: true })
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  // The directory is changed last: its owner shows whether its contents are done.
  await lchown(data, owner.uid, owner.gid)
}

/**
 * Makes an empty directory beside the data, owned by the server's user, and removes earlier ones. Its name is new each
 * time, because the `initdb` of a killed process may still write to the earlier one for a moment.
 */
export const makeDraftDirectory = async (data: string, runAs: RunAs): Promise<string> => {
  const prefix = `${basename(data)}.new-`
  for (const name of await readdir(dirname(data))) {
    if (!name.startsWith(prefix)) continue
    // A directory that is still being written cannot be removed: the next start removes it.
    await rm(join(dirname(data), name), { recursive: true, force: true }).catch(() => undefined)
  }
  const draft = join(dirname(data), `${prefix}${randomUUID()}`)
  await mkdir(draft, { mode: 0o700 })
  const owner = ownerFor(runAs)
  if (owner !== undefined) await chown(draft, owner.uid, owner.gid)
  return draft
}
