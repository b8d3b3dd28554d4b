import { type Import, ImportId, type ImportLine, type ImportPlace, ImportRepository } from "@livery/domain"
import { DateTime, Option } from "effect"
import { ascending, descending, pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(ImportRepository, ({ importLines, imports, step }) => {
  const keyOf = ({ import_id }: ImportPlace, line: number) => `${import_id} ${line}`
  const find = ({ business_id, import_id }: ImportPlace): Import | undefined => {
    const found = imports.get(import_id)
    return found?.business_id === business_id ? found : undefined
  }
  const linesOf = (place: ImportPlace, isWanted: (line: ImportLine) => boolean) =>
    find(place) === undefined
      ? []
      : importLines
          .where((line) => line.import_id === place.import_id && isWanted(line))
          .toSorted(ascending(({ line }) => [line]))
          .map(({ import_id: _import, ...line }): ImportLine => line)

  return {
    start: (started, lines, now) =>
      step(() => {
        const import_id = ImportId.make(imports.next())
        for (const { cells, line } of lines)
          importLines.set(keyOf({ ...started, import_id }, line), {
            import_id,
            line,
            cells,
            status: null,
            record_id: null,
            reasons: []
          })
        return imports.set(import_id, {
          ...started,
          import_id,
          lines: lines.length,
          made: 0,
          matched: 0,
          changed: 0,
          refused: 0,
          attempts: 0,
          reason: null,
          created_at: now,
          finished_at: null
        })
      }),
    find: (business_id, import_id) => step(() => Option.fromUndefinedOr(find({ business_id, import_id }))),
    list: (business_id, { dry_run }, page) =>
      step(() =>
        pageOf(
          imports
            .where((one) => one.business_id === business_id && (dry_run ?? one.dry_run) === one.dry_run)
            .toSorted(descending(({ import_id }) => [import_id])),
          page
        )
      ),
    lines: (place, status, page) =>
      step(() =>
        pageOf(
          linesOf(place, (line) => status === undefined || line.status === status),
          page
        )
      ),
    unfinished: (most) =>
      step(() =>
        imports
          .where(({ finished_at }) => finished_at === null)
          .toSorted(ascending(({ import_id }) => [import_id]))
          .slice(0, most)
          .map(({ business_id, import_id }) => ({ business_id, import_id }))
      ),
    lock: (place) =>
      step(() =>
        Option.filter(Option.fromUndefinedOr(find(place)), ({ finished_at }) => finished_at === null)
      ),
    waiting: (place, most) => step(() => linesOf(place, ({ status }) => status === null).slice(0, most)),
    record: (place, outcomes) =>
      step(() => {
        const current = find(place)
        if (current === undefined) return
        const counts = { made: 0, matched: 0, changed: 0, refused: 0 }
        for (const { line, ...outcome } of outcomes) {
          importLines.change(keyOf(place, line), outcome)
          counts[outcome.status] += 1
        }
        imports.change(place.import_id, {
          made: current.made + counts.made,
          matched: current.matched + counts.matched,
          changed: current.changed + counts.changed,
          refused: current.refused + counts.refused
        })
      }),
    update: ({ attempts, finished_at, import_id, reason }) =>
      step(() => void imports.change(import_id, { attempts, finished_at, reason })),
    removeLines: (endedBefore) =>
      step(() => {
        for (const { finished_at, import_id } of imports.where())
          if (finished_at !== null && DateTime.isLessThan(finished_at, endedBefore))
            for (const { line } of importLines.where((one) => one.import_id === import_id))
              importLines.remove(`${import_id} ${line}`)
      })
  }
})
