// PostgreSQL refuses to run as root. If Livery runs as root, there are two ways to start it. In a user namespace, root
// appears as user 1000: no new user is needed, and outside of the namespace every file still belongs to root. Where a
// container forbids namespaces, an unprivileged system user runs the server and owns the data.
import { execFile } from "node:child_process"
import { statSync } from "node:fs"
import { dirname } from "node:path"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** The user that PostgreSQL runs as. */
export type RunAs =
  | { readonly kind: "self" }
  | { readonly kind: "namespace" }
  | { readonly kind: "user"; readonly uid: number; readonly gid: number }

const namespaceFlags = ["--user", "--map-user=1000", "--map-group=1000"]

/**
 * The arguments for `child_process` to run a program as that user, with only the environment variables that PostgreSQL
 * needs.
 */
export const commandAs = (runAs: RunAs, file: string, args: ReadonlyArray<string>) => {
  const options = {
    cwd: dirname(file),
    // PGDATA, PGPORT and similar variables must not reach the server.
    env: {
      PATH: process.env["PATH"],
      LC_ALL: "C",
      ...(process.platform === "win32"
        ? { SystemRoot: process.env["SystemRoot"], TEMP: process.env["TEMP"] }
        : {})
    },
    ...(runAs.kind === "user" ? { uid: runAs.uid, gid: runAs.gid } : {})
  }
  return runAs.kind === "namespace"
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
 * Chooses the user that runs the server. It is this process's user unless that is root. For root it is, in this order:
 * `wanted`, the owner of existing data, a namespace if the system allows one, the user `postgres` or `nobody`.
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

/** The user and group that must own the data, as seen outside of a namespace; `undefined` if it is the current user. */
export const ownerFor = (runAs: RunAs) => {
  if (runAs.kind === "user") return { uid: runAs.uid, gid: runAs.gid }
  return runAs.kind === "namespace" ? { uid: 0, gid: 0 } : undefined
}

/** Whether that user may enter the directory, leaving aside its parents. */
export const mayEnter = (directory: string, user: { readonly uid: number; readonly gid: number }) => {
  const { mode, uid, gid } = statSync(directory)
  if (uid === user.uid) return (mode & 0o100) !== 0
  return (mode & (gid === user.gid ? 0o010 : 0o001)) !== 0
}

/** Whether that user may enter the directory and all of its parents. */
export const mayReach = (
  directory: string,
  user: { readonly uid: number; readonly gid: number }
): boolean => {
  const above = dirname(directory)
  return mayEnter(directory, user) && (above === directory || mayReach(above, user))
}
