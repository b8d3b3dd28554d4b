/** Backups of an installation on the embedded PostgreSQL: directories with its data, its secret and its uploads. */
import { Effect, Exit, Schema } from "effect"
import { traced } from "@livery/domain"
import { createHash } from "node:crypto"
import { existsSync, realpathSync } from "node:fs"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join, resolve, sep } from "node:path"
import { copyCluster } from "./Backup.ts"
import * as Connection from "./Connection.ts"
import { copyFiles, directoriesIn, type FileToCopy, filesAt, flush } from "./CopiedFiles.ts"
import { dataOf } from "./DataDirectory.ts"
import { EmbeddedPostgres, clusterOf, locked } from "./EmbeddedPostgres.ts"
import { runningPostmaster } from "./Postmaster.ts"
import { fileEffect, noSpace } from "./Programs.ts"

/** The list of a backup's files, which is written last: a directory without it is no complete backup. */
const listName = "backup.json"

const CopiedFile = Schema.Struct({ path: Schema.String, size: Schema.Int, sha256: Schema.String })
const content = {
  format: Schema.Literal(1),
  made_at: Schema.String,
  /** The machine and the directory of the installation. */
  made_of: Schema.optionalKey(Schema.Struct({ host: Schema.String, directory: Schema.String })),
  directories: Schema.Array(Schema.String),
  files: Schema.Array(CopiedFile)
}
const BackupContent = Schema.Struct(content)
const BackupList = Schema.Struct({ ...content, sha256: Schema.String })
const decodeList = Schema.decodeUnknownEffect(Schema.fromJsonString(BackupList))

/** The checksum of a list, which the list itself has too. */
const sumOfList = ({ directories, files, format, made_at, made_of }: typeof BackupContent.Type) =>
  createHash("sha256")
    .update(
      JSON.stringify([
        format,
        made_at,
        directories,
        files.map(({ path, sha256, size }) => [path, size, sha256]),
        ...(made_of === undefined ? [] : [made_of.host, made_of.directory])
      ])
    )
    .digest("hex")

/** A backup cannot be made or restored. Nothing was overwritten. */
export class BackupFailed extends Schema.TaggedError<BackupFailed>()("BackupFailed", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** The number of a backup's files, and their total size. */
export interface BackupSummary {
  readonly files: number
  readonly bytes: number
}

/** Gets the bytes that were copied so far, and in total. */
export type OnProgress = (bytes: number, total: number) => void

const summaryOf = (files: ReadonlyArray<{ readonly size: number }>): BackupSummary => ({
  files: files.length,
  bytes: files.reduce((sum, { size }) => sum + size, 0)
})

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

const diskFull = (place: string) =>
  new BackupFailed({
    reason: `The disk of ${place} is full: free some space there, or choose a directory on another disk`
  })

/** Runs a step that writes files to `place`. */
const files = <A>(place: string, step: () => Promise<A>) =>
  Effect.tryPromise({
    try: step,
    catch: (cause) =>
      noSpace.test(String(cause)) ? diskFull(place) : new BackupFailed({ reason: reasonOf(cause) })
  })

/**
 * The parts of an installation beside the database, in its directory. `sandbox` is the mark of `livery serve --sandbox`:
 * the payments in the database are not real.
 */
const others = ["secret", "uploads", "sandbox"] as const

const copyOthers = async (from: string, to: string) => {
  const found: Array<FileToCopy> = []
  for (const name of others) found.push(...(await filesAt(from, name)))
  return copyFiles(from, (path) => join(to, path), found, { mayVanish: true, onProgress: () => {} })
}

/** The directories that a backup of the installation copies, without symbolic links. */
const copiedBy = (directory: string) =>
  [dataOf(directory), join(directory, "uploads")]
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))

/** A path, which need not exist, without the symbolic links of its parents. */
const realPathOf = (path: string): string =>
  existsSync(path) || dirname(path) === path
    ? realpathSync(path)
    : join(realPathOf(dirname(path)), basename(path))

/** The place of an installation: its machine, and its directory without symbolic links. */
const placeOf = (directory: string) => ({ host: hostname(), directory: realpathSync(directory) })

const isWithin = (parent: string, path: string) => path === parent || path.startsWith(`${parent}${sep}`)

/**
 * Copies the installation of `directory` to the new directory `target` (mode 0700), while it runs. The backup has what
 * was committed when the copy ended. The uploads are copied after the database, whose rows name them.
 */
export const backup = traced("Backups.backup")(
  function* (options: {
    readonly directory: string
    readonly target: string
    readonly madeAt: string
    readonly onProgress: OnProgress
  }) {
    const target = resolve(options.target)
    const directory = resolve(options.directory)
    if (!existsSync(dataOf(directory)))
      return yield* new BackupFailed({ reason: `There is no database in ${directory}` })
    if (existsSync(target))
      return yield* new BackupFailed({ reason: `${target} exists already: choose another path` })
    const copied = copiedBy(directory).find((path) => isWithin(path, realPathOf(target)))
    if (copied !== undefined)
      return yield* new BackupFailed({
        reason: `${target} is in ${copied}, which the backup copies: choose a path outside of it`
      })
    yield* EmbeddedPostgres.open({ directory })
    const data = realpathSync(dataOf(realpathSync(directory)))
    const postmaster = runningPostmaster(data)
    if (postmaster === undefined)
      return yield* new BackupFailed({ reason: `The database in ${directory} does not run` })
    yield* files(target, () => mkdir(join(target, "postgres"), { recursive: true, mode: 0o700 }))
    return yield* Effect.gen(function* () {
      const copied = yield* Effect.acquireUseRelease(
        Connection.openHolder(data, postmaster),
        ({ connection }) => copyCluster(connection, data, join(target, "postgres"), options.onProgress),
        Connection.closeHolder
      ).pipe(
        // The copy writes to the target only.
        Effect.catchIf(
          (error) => error._tag === "EmbeddedPostgresError" && error.reason === "disk_full",
          () => Effect.fail(diskFull(target))
        )
      )
      return yield* files(target, async () => {
        const list = [
          ...copied.map((file) => ({ ...file, path: `postgres/${file.path}` })),
          ...(await copyOthers(directory, target))
        ]
        await flush(target)
        const listed = {
          format: 1 as const,
          made_at: options.madeAt,
          made_of: placeOf(directory),
          directories: await directoriesIn(target),
          files: list
        }
        await writeFile(join(target, listName), JSON.stringify({ ...listed, sha256: sumOfList(listed) }), {
          mode: 0o600,
          flush: true
        })
        return summaryOf(list)
      })
    }).pipe(
      Effect.onExit((exit) =>
        Exit.isSuccess(exit)
          ? Effect.void
          : Effect.promise(() => rm(target, { recursive: true, force: true }))
      )
    )
  },
  Effect.catchTags({
    NotAdmitted: ({ message }) => Effect.fail(new BackupFailed({ reason: message })),
    SqlError: ({ reason }) => Effect.fail(new BackupFailed({ reason: reason.message }))
  }),
  Effect.scoped
)

const damageOf = (source: string, [first, ...others]: ReadonlyArray<{ readonly path: string }>) =>
  others.length === 0
    ? `A file of ${source} is damaged: ${first?.path}`
    : `${others.length + 1} files of ${source} are damaged, ${first?.path} among them`

/**
 * Restores a backup to `directory`, which has no installation: nothing is overwritten. Every file must have the checksum
 * of the list. The database is then opened, which replays its log, and `verify` reads it. It is told whether the backup was
 * made of this directory of this machine. If either fails, the restored files are removed. Returns the result of `verify` too.
 */
export const restore = traced("Backups.restore")(function* <A, E, R>(options: {
  readonly source: string
  readonly directory: string
  readonly onProgress: OnProgress
  readonly verify: (isSamePlace: boolean) => Effect.Effect<A, E, R>
}) {
  const source = resolve(options.source)
  if (!existsSync(source)) return yield* new BackupFailed({ reason: `${source} does not exist` })
  const list = yield* files(source, () => readFile(join(source, listName), "utf8")).pipe(
    Effect.flatMap(decodeList),
    Effect.mapError(() => new BackupFailed({ reason: `${source} is not a complete backup of Livery` }))
  )
  if (list.sha256 !== sumOfList(list))
    return yield* new BackupFailed({
      reason: `${join(source, listName)} was changed: its checksum is another one`
    })
  const paths = [...list.directories, ...list.files.map(({ path }) => path)]
  if (paths.some((path) => path.split("/").includes("..") || path.startsWith("/")))
    return yield* new BackupFailed({ reason: `${source} is not a complete backup of Livery` })
  const directory = yield* fileEffect(options.directory, async () => {
    await mkdir(options.directory, { recursive: true, mode: 0o700 })
    return realpathSync(resolve(options.directory))
  })
  const installed = ["postgres", ...others].filter((name) => existsSync(join(directory, name)))
  if (installed.length > 0)
    return yield* new BackupFailed({
      reason: `${directory} has an installation already (${installed.join(", ")}): choose another LIVERY_DATA_DIR`
    })

  const draft = join(directory, "restoring")
  const removed = (...paths: ReadonlyArray<string>) =>
    Effect.promise(async () => {
      for (const path of paths) await rm(path, { recursive: true, force: true })
    })
  const onFailure =
    (...paths: ReadonlyArray<string>) =>
    <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.onExit(work, (exit) => (Exit.isSuccess(exit) ? Effect.void : removed(...paths)))

  /** Copies the backup to drafts, which are then renamed: each is on the file system of its place. */
  const place = (data: string) => {
    const clusterDraft = `${data}.restoring`
    const draftOf = (path: string) =>
      /^postgres(?:\/|$)/u.test(path) ? join(clusterDraft, path.slice("postgres/".length)) : join(draft, path)
    return Effect.gen(function* () {
      yield* removed(draft, clusterDraft)
      yield* files(directory, async () => {
        for (const path of [draft, clusterDraft]) await mkdir(path, { recursive: true, mode: 0o700 })
        const copied = await copyFiles(source, draftOf, list.files, {
          mayVanish: false,
          onProgress: options.onProgress
        })
        const wrong = copied.filter(({ sha256 }, index) => sha256 !== list.files[index]?.sha256)
        if (wrong.length > 0) throw new Error(damageOf(source, wrong))
        for (const path of list.directories) await mkdir(draftOf(path), { recursive: true, mode: 0o700 })
      })
      yield* files(directory, async () => {
        for (const path of [draft, clusterDraft]) await flush(path)
        for (const name of others)
          if (existsSync(join(draft, name))) await rename(join(draft, name), join(directory, name))
        await rename(clusterDraft, data)
      }).pipe(onFailure(data, ...others.map((name) => join(directory, name))))
      return data
    }).pipe(Effect.ensuring(removed(draft, clusterDraft)))
  }
  const placed = Effect.flatMap(clusterOf({ directory }, directory), ({ data }) => place(data))

  const data = yield* Effect.fromResult(yield* locked(directory, Effect.result(placed)))
  const here = placeOf(directory)
  const isSamePlace = list.made_of?.host === here.host && list.made_of.directory === here.directory
  const verified = yield* Effect.scoped(EmbeddedPostgres.open({ directory })).pipe(
    Effect.andThen(options.verify(isSamePlace)),
    onFailure(data, ...["postgres", "postgres.log", ...others].map((name) => join(directory, name)))
  )
  return { ...summaryOf(list.files), verified }
})
