// PostgreSQL refuses to run as root. Where livery itself is root there are two ways out: a user namespace
// in which root is called 1000 (no new user, and every file stays root's outside of it), or, where a
// container forbids namespaces, an unprivileged user of the system, who then owns the data.
import { execFile } from "node:child_process"
import { statSync } from "node:fs"
import { dirname } from "node:path"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** Who PostgreSQL runs as. */
export type RunAs =
  | { readonly kind: "self" }
  | { readonly kind: "namespace" }
  | { readonly kind: "user"; readonly uid: number; readonly gid: number }

const namespaceFlags = ["--user", "--map-user=1000", "--map-group=1000"]

/** A program and its arguments as `child_process` wants them, with only what PostgreSQL needs of our environment. */
export const commandAs = (who: RunAs, file: string, args: ReadonlyArray<string>) => {
  const options = {
    cwd: dirname(file),
    // PGDATA, PGPORT and their like must not reach the server.
    env: {
      PATH: process.env["PATH"],
      LC_ALL: "C",
      ...(process.platform === "win32"
        ? { SystemRoot: process.env["SystemRoot"], TEMP: process.env["TEMP"] }
        : {})
    },
    ...(who.kind === "user" ? { uid: who.uid, gid: who.gid } : {})
  }
  return who.kind === "namespace"
    ? { file: "unshare", args: [...namespaceFlags, file, ...args], options }
    : { file, args: [...args], options }
}

const isRoot = () => process.getuid?.() === 0

const namespaceWorks = async () => {
  try {
    await execute("unshare", [...namespaceFlags, "true"])
    return true
  } catch {
    return false
  }
}

const idOf = async (flag: "-u" | "-g", name: string) =>
  Number((await execute("id", [flag, name])).stdout.trim())

const unprivilegedUser = async (): Promise<RunAs> => {
  for (const name of ["postgres", "_postgres", "nobody"]) {
    try {
      return { kind: "user", uid: await idOf("-u", name), gid: await idOf("-g", name) }
    } catch {
      continue
    }
  }
  throw new Error(
    "root cannot run PostgreSQL, namespaces are forbidden, and there is no user postgres or nobody"
  )
}

/**
 * Who is to run the server: ourselves unless we are root, then `wanted`, then whoever owns the data that
 * exists, then a namespace if the machine allows one, then the user `postgres` or `nobody`.
 */
export const chooseRunAs = async (
  wanted: "namespace" | "user" | undefined,
  existing: string | undefined
): Promise<RunAs> => {
  if (!isRoot()) return { kind: "self" }
  if (wanted === "namespace") return { kind: "namespace" }
  if (wanted === "user") return unprivilegedUser()
  const owner = existing === undefined ? undefined : statSync(existing, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) return { kind: "user", uid: owner.uid, gid: owner.gid }
  return (await namespaceWorks()) ? { kind: "namespace" } : unprivilegedUser()
}

/** The user and group that must own the data, seen from outside; `undefined` when that is us already. */
export const ownerFor = (who: RunAs) =>
  who.kind === "user"
    ? { uid: who.uid, gid: who.gid }
    : who.kind === "namespace"
      ? { uid: 0, gid: 0 }
      : undefined

/** Whether that user may pass through the directory (not through those above it). */
export const mayEnter = (directory: string, user: { readonly uid: number; readonly gid: number }) => {
  const { mode, uid, gid } = statSync(directory)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return (mode & bit) !== 0
}

/** Whether that user may pass through the directory and all those above it. */
export const mayReach = (
  directory: string,
  user: { readonly uid: number; readonly gid: number }
): boolean => {
  const above = dirname(directory)
  return mayEnter(directory, user) && (above === directory || mayReach(above, user))
}
