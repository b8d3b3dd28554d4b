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

/** The longest path a Unix socket may have, without its closing NUL: 103 bytes suit every Unix. */
const socketPathBytes = 103

/** The file by which PostgreSQL names the socket of its port. */
export const socketFile = ".s.PGSQL.5432"

/** The data directory of a Livery directory, followed through the link that may stand for it; it need not exist. */
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
  // In a directory that everyone writes to, somebody else may have made this one first, to listen in our place.
  if (!found.isDirectory() || !ours || (found.mode & 0o077) !== 0) {
    throw new Error(`${path} exists and is not a private directory of ours`)
  }
}

/**
 * Where the server's Unix socket goes: into the data directory, which PostgreSQL itself keeps private, or,
 * when that path is too long for a socket, into a private directory of the system's temporary one.
 */
export const socketDirectoryFor = async (data: string, who: RunAs): Promise<string> => {
  if (Buffer.byteLength(join(data, socketFile)) <= socketPathBytes) return data
  const short = join(tmpdir(), `livery-${shortHash(data)}`)
  const owner = ownerFor(who)
  await ownPrivateDirectory(short, owner)
  if (owner !== undefined) await chown(short, owner.uid, owner.gid)
  return short
}

/** Removes the socket's directory of a stopped server, where it is one of {@link socketDirectoryFor}'s own. */
export const vacate = async (data: string, socketDirectory: string): Promise<void> => {
  // One that is not empty belongs to a server that started meanwhile.
  if (socketDirectory !== data) await rmdir(socketDirectory).catch(() => undefined)
}

const openTo = async (directory: string, user: { readonly uid: number; readonly gid: number }) => {
  if (mayEnter(directory, user)) return
  await chown(directory, 0, user.gid)
  await chmod(directory, 0o710)
}

/**
 * Where the data lies, or will: `<directory>/postgres`. A user who cannot get there, because a directory
 * above is closed (a home of mode 0700), gets `<reachable>/livery-<hash>/postgres`, and `<directory>/postgres`
 * is a link to it. Only the directory itself is ever opened, and only for passing through by that user's group.
 */
export const settle = async (directory: string, who: RunAs, reachable: string): Promise<string> => {
  const data = dataOf(directory)
  if (who.kind !== "user") return data
  if (isCluster(data)) {
    if (dirname(data) === directory) await openTo(directory, who)
    if (!mayReach(dirname(data), who)) {
      throw new Error(
        `user ${who.uid}, as whom PostgreSQL must run here, cannot reach ${data}; move the directory`
      )
    }
    return data
  }
  if (mayReach(dirname(directory), who)) {
    await openTo(directory, who)
    return data
  }
  const elsewhere = join(reachable, `livery-${shortHash(directory)}`)
  await mkdir(elsewhere, { recursive: true, mode: 0o710 })
  if (statSync(elsewhere).uid !== 0) throw new Error(`${elsewhere} exists and is not ours`)
  await openTo(elsewhere, who)
  const target = join(elsewhere, "postgres")
  if (data !== target) await symlink(target, join(directory, "postgres"))
  return target
}

/** Programs that the user can reach: those given, or a copy of them in `<reachable>/livery-postgresql-<hash>`. */
export const reachableBinaries = async (
  binaries: Binaries,
  who: RunAs,
  reachable: string
): Promise<Binaries> => {
  if (who.kind !== "user" || mayReach(dirname(binaries.postgres), who)) return binaries
  const { mtimeMs, size } = statSync(binaries.postgres)
  const copy = join(reachable, `livery-postgresql-${shortHash(`${binaries.root} ${size} ${mtimeMs}`)}`)
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`
    await rm(draft, { recursive: true, force: true })
    await cp(binaries.root, draft, { recursive: true, verbatimSymlinks: true })
    await chmod(draft, 0o755)
    // Another directory's livery may have put the same copy there meanwhile.
    await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }))
  }
  if (statSync(copy).uid !== 0) throw new Error(`${copy} exists and is not ours`)
  return binariesIn(copy)
}

/** Gives the data to whom the server runs as, if it is not theirs. The server must be stopped. */
export const handOver = async (data: string, who: RunAs): Promise<void> => {
  const owner = ownerFor(who)
  if (owner === undefined || statSync(data).uid === owner.uid) return
  const entries = await readdir(data, { recursive: true, withFileTypes: true })
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  // The directory comes last: its owner tells whether the rest was done.
  await lchown(data, owner.uid, owner.gid)
}

/**
 * A new, empty directory beside the data, of whom the server runs as. Its name is new each time: an
 * `initdb` whose livery was killed may live on for a moment, and must not write into ours.
 */
export const draftBeside = async (data: string, who: RunAs): Promise<string> => {
  const prefix = `${basename(data)}.new-`
  for (const name of await readdir(dirname(data))) {
    if (!name.startsWith(prefix)) continue
    // What cannot be removed because it is still being written is left to the next time.
    await rm(join(dirname(data), name), { recursive: true, force: true }).catch(() => undefined)
  }
  const draft = join(dirname(data), `${prefix}${randomUUID()}`)
  await mkdir(draft, { mode: 0o700 })
  const owner = ownerFor(who)
  if (owner !== undefined) await chown(draft, owner.uid, owner.gid)
  return draft
}
