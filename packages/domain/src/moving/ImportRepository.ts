/** The port that stores imports and their lines. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, ImportId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { Import, ImportFilter, ImportLine, LineStatus, LineOutcome } from "./Import.ts"

/** The place of an import. */
export type ImportPlace = Pick<Import, "business_id" | "import_id">

/** A new import, whose lines have no outcome yet. */
export type NewImport = Pick<
  Import,
  "business_id" | "kind" | "dry_run" | "columns" | "day_first" | "delimiter"
>

/**
 * - `start`: stores an import with its lines at `now`.
 * - `find`: the business's import with that id.
 * - `list`: a page of the business's imports, the latest first.
 * - `lines`: a page of its lines in the order of the file, all or those of one status.
 * - `unfinished`: the places of all imports that have not ended, the oldest first, at most `most`.
 * - `lock`: an import that has not ended, locked until the transaction ends; `None` if it has ended, or another process works on it.
 * - `waiting`: the first lines without an outcome, in the order of the file.
 * - `record`: stores the outcomes of lines of a locked import and adds them to its counts.
 * - `update`: replaces `attempts`, `reason` and `finished_at` of a locked import.
 * - `removeLines`: removes the lines of the business's ended imports that ended before a time, at most those of 100 imports, of all
 *   businesses.
 */
export class ImportRepository extends Context.Service<
  ImportRepository,
  {
    readonly start: (
      started: NewImport,
      lines: ReadonlyArray<Pick<ImportLine, "line" | "cells">>,
      now: DateTime.Utc
    ) => Effect.Effect<Import>
    readonly find: (businessId: BusinessId, importId: ImportId) => Effect.Effect<Option.Option<Import>>
    readonly list: (
      businessId: BusinessId,
      filter: ImportFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Import>>
    readonly lines: (
      place: ImportPlace,
      status: LineStatus | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<ImportLine>>
    readonly unfinished: (most: number) => Effect.Effect<ReadonlyArray<ImportPlace>>
    readonly lock: (place: ImportPlace) => Effect.Effect<Option.Option<Import>>
    readonly waiting: (place: ImportPlace, most: number) => Effect.Effect<ReadonlyArray<ImportLine>>
    readonly record: (place: ImportPlace, outcomes: ReadonlyArray<LineOutcome>) => Effect.Effect<void>
    readonly update: (changed: Import) => Effect.Effect<void>
    readonly removeLines: (endedBefore: DateTime.Utc) => Effect.Effect<void>
  }
>()("@livery/domain/ImportRepository") {}
