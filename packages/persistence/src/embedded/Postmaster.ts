import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { isServerOf } from "./LivingProcess.ts"

/** The contents of a server's `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  /** Empty if the server has no Unix socket. */
  readonly socketDirectory: string
  readonly ready: boolean
}

/**
 * The server that the data directory's `postmaster.pid` names, which may have ended; `undefined` if the file is
 * missing.
 */
export const readPostmaster = (data: string): Postmaster | undefined => {
  let text: string
  try {
    text = readFileSync(join(data, "postmaster.pid"), "utf8")
  } catch {
    return undefined
  }
  const lines = text.split("\n")
  return {
    pid: Number(lines[0]),
    port: Number(lines[3] ?? 0),
    socketDirectory: lines[4]?.trim() ?? "",
    ready: (lines[7] ?? "").startsWith("ready")
  }
}

/**
 * The running server of the data directory; `undefined` if there is none, or if its process id now belongs to another
 * program.
 */
export const runningPostmaster = (data: string): Postmaster | undefined => {
  const postmaster = readPostmaster(data)
  return postmaster !== undefined && isServerOf(postmaster.pid, data) ? postmaster : undefined
}

/**
 * Removes the files of a dead server. PostgreSQL does so itself, except if the server's process id now belongs to
 * another program: then it takes that program for the server and refuses to start.
 */
export const removeStaleFiles = (data: string, socketDirectory: string | undefined, socket: string) => {
  rmSync(join(data, "postmaster.pid"), { force: true })
  if (socketDirectory === undefined) return
  rmSync(join(socketDirectory, socket), { force: true })
  rmSync(join(socketDirectory, `${socket}.lock`), { force: true })
}
