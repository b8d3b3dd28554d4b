/** Lines of one table with the same `external_ref`. */
import type { ImportLine, LineOutcome } from "./Import.ts"
import type { Column } from "./Mapping.ts"

/**
 * Refuses each line whose `external_ref` an earlier line has with other values: the later line would undo the earlier one, and the same
 * table again would change the record twice. A line that repeats an earlier line in full is matched as any other.
 */
export const repetitionsIn = (
  columns: ReadonlyArray<Column>,
  lines: ReadonlyArray<Pick<ImportLine, "line" | "cells">>
): ReadonlyArray<LineOutcome> => {
  const at = columns.findIndex(({ field }) => field === "external_ref")
  const first = new Map<string, Pick<ImportLine, "line" | "cells">>()
  return lines.flatMap((one): ReadonlyArray<LineOutcome> => {
    const { cells, line } = one
    const ref = at < 0 ? "" : (cells[at] ?? "")
    const earlier = ref === "" ? undefined : first.get(ref)
    if (earlier === undefined) {
      first.set(ref, one)
      return []
    }
    const isSame = columns.every(
      ({ field }, place) => field === null || cells[place] === earlier.cells[place]
    )
    const reasons = [`external_ref invalid: line ${earlier.line} has it too, with other values`]
    return isSame ? [] : [{ line, status: "refused", record_id: null, reasons }]
  })
}
