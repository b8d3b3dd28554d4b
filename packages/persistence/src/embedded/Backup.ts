/**
 * Copies an embedded cluster while it runs. The steps are those of `pg_basebackup`, a program that the embedded
 * PostgreSQL lacks:
 *
 *     pg_backup_start   a checkpoint; from here on, every page that changes is written to the log in full
 *     copy the files    they change meanwhile, so the copy alone is of no use
 *     pg_backup_stop    the end of the log that makes the copy consistent
 *     copy the log      from the start to the end; a slot keeps it until then
 *
 * The copy starts as a server does after a crash: it replays that log, and refuses to start if any of it is missing. It
 * then has exactly what was committed when `pg_backup_stop` ran.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { traced } from "@livery/domain"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyFiles, type CopiedFile, directoriesIn, type FileToCopy, filesIn } from "./CopiedFiles.ts"
import { fileEffect } from "./Programs.ts"

/** Directories whose files a server creates at its start, or must not find then. */
const emptied = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans"
])

/** The file that describes the state of a cluster. Every cluster has it. */
const controlFile = "global/pg_control"

const isLeftOut = (path: string) => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  return (
    emptied.has(path.slice(0, Math.max(0, path.indexOf("/")))) ||
    name.startsWith("postmaster.") ||
    name.startsWith(".s.PGSQL") ||
    path.split("/").some((part) => part.startsWith("pgsql_tmp")) ||
    name === "pg_internal.init"
  )
}

/** A file of the write-ahead log. Its name is its timeline and position, so names sort in the order of the log. */
const isLogFile = (name: string) => /^[0-9A-F]{24}$/u.test(name)

const text = (row: Readonly<Record<string, unknown>> | undefined, name: string) => {
  const value = row?.[name]
  return typeof value === "string" ? value : ""
}

/**
 * Copies the cluster in `data` to the directory `target`, which exists and is empty. `connection` is a session of the
 * cluster's server that runs nothing else. Returns the files of the copy.
 */
export const copyCluster = traced("Backup.copyCluster")(function* (
  connection: PgConnection.PgConnection,
  data: string,
  target: string,
  onProgress: (bytes: number, total: number) => void
) {
  const inTarget = (path: string) => join(target, path)
  const row = (statement: string) => Effect.map(connection.query(statement), ({ rows }) => rows[0])
  yield* row("SELECT set_config('statement_timeout', '0', false)")
  // The name contains the session's process id, so that two backups have a slot each. The server drops the slot with the
  // session.
  yield* row(
    "SELECT slot_name::text FROM pg_create_physical_replication_slot('livery_backup_' || pg_backend_pid(), true, true)"
  )
  const begun = yield* row("SELECT pg_walfile_name(pg_backup_start('livery backup', true)) AS file")

  const copied = yield* fileEffect(data, async (): Promise<ReadonlyArray<CopiedFile>> => {
    // The server needs its empty directories too.
    for (const path of await directoriesIn(data))
      if (!path.includes("/") || !isLeftOut(path))
        await mkdir(join(target, path), { recursive: true, mode: 0o700 })
    await mkdir(join(target, "pg_wal/archive_status"), { recursive: true, mode: 0o700 })
    const files = (await filesIn(data)).filter(({ path }) => !isLeftOut(path))
    // The control file is copied last, so that it is no older than the files that it describes.
    const last = (file: FileToCopy) => Number(file.path === controlFile)
    const copied = await copyFiles(
      data,
      inTarget,
      files.toSorted((one, other) => last(one) - last(other)),
      { mayVanish: true, onProgress }
    )
    if (!copied.some(({ path }) => path === controlFile))
      throw new Error(`${join(data, controlFile)} was not found: the copy is not complete`)
    return copied
  })

  const ended = yield* row(`
    SELECT labelfile, spcmapfile, pg_walfile_name(lsn) AS file FROM pg_backup_stop(false)`)
  return yield* fileEffect(data, async (): Promise<ReadonlyArray<CopiedFile>> => {
    const [first, lastFile] = [text(begun, "file"), text(ended, "file")]
    const names = new Set(
      (await readdir(join(data, "pg_wal"))).filter(
        (name) => isLogFile(name) && name >= first && name <= lastFile
      )
    )
    if (!names.has(first) || !names.has(lastFile))
      throw new Error(`The log from ${first} to ${lastFile} is not complete`)
    const log = await copyFiles(
      data,
      inTarget,
      (await filesIn(join(data, "pg_wal")))
        .filter(({ path }) => names.has(path))
        .map(({ path, size }) => ({ path: `pg_wal/${path}`, size })),
      { mayVanish: false, onProgress: () => {} }
    )
    await writeFile(join(target, "backup_label"), text(ended, "labelfile"), { mode: 0o600 })
    const [label] = await copyFiles(target, () => undefined, [{ path: "backup_label", size: 0 }], {
      mayVanish: false,
      onProgress: () => {}
    })
    return [...copied, ...log, ...(label === undefined ? [] : [label])]
  })
})
