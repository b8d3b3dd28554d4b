import { Effect } from "effect"
import { traced } from "@livery/domain"
import { randomBytes } from "node:crypto"
import { chown, open, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { makeDraftDirectory } from "./DataDirectory.ts"
import type { Cluster } from "./Programs.ts"
import { fileEffect, run } from "./Programs.ts"
import { ownerFor } from "./RunAs.ts"

/** The only role of an embedded cluster, a superuser. */
export const role = "livery"

const passwordFile = "livery.password"

/** The role's password, which only TCP connections need. */
export const readPassword = (data: string): Promise<string> => readFile(join(data, passwordFile), "utf8")

const syncPath = async (path: string) => {
  // Windows cannot sync a directory, and does not need to.
  if (process.platform === "win32") return
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const writePassword = async (path: string, cluster: Cluster) => {
  await writeFile(path, randomBytes(24).toString("base64url"), { mode: 0o600 })
  const owner = ownerFor(cluster.runAs)
  if (owner !== undefined) await chown(path, owner.uid, owner.gid)
}

// One syncfs takes a third of the time of initdb's file-by-file sync.
const durability = (cluster: Cluster) =>
  cluster.fsync ? (process.platform === "linux" ? ["--sync-method=syncfs"] : []) : ["--no-sync"]

const fill = Effect.fnUntraced(function* (cluster: Cluster, draft: string, password: string) {
  yield* run(cluster, "init_failed", cluster.binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${role}`,
    `--pwfile=${password}`,
    "--auth-local=trust",
    "--auth-host=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
    ...durability(cluster)
  ])
  yield* fileEffect(cluster.directory, async () => {
    await rename(password, join(draft, passwordFile))
    if (cluster.fsync) {
      await syncPath(join(draft, passwordFile))
      await syncPath(draft)
    }
    await rename(draft, cluster.data)
    if (cluster.fsync) await syncPath(dirname(cluster.data))
  })
})

/**
 * Creates a new cluster in a draft directory and renames that directory, so that a killed attempt leaves no partial
 * cluster. A failed attempt removes its draft. The encoding is UTF-8; text sorts by code point, and case follows
 * Unicode.
 */
export const initialise = traced("Initialisation.initialise")(function* (cluster: Cluster) {
  const { draft, password } = yield* fileEffect(cluster.directory, async () => {
    const draft = await makeDraftDirectory(cluster.data, cluster.runAs)
    const password = `${draft}.password`
    await writePassword(password, cluster)
    return { draft, password }
  })
  yield* Effect.onError(fill(cluster, draft, password), () =>
    Effect.promise(async () => {
      for (const path of [draft, password]) await rm(path, { recursive: true, force: true })
    }).pipe(Effect.ignore)
  )
})
