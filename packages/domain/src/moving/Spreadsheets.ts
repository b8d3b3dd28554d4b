/** The port that reads XLSX files. */
import { Context, Data, Effect } from "effect"

/** A file could not be read as a spreadsheet. */
export class NotASpreadsheet extends Data.TaggedError("NotASpreadsheet")<{ readonly reason: string }> {}

/**
 * Reads the first sheet of an XLSX file as rows of texts. A day is `2026-12-24`, a day with a time `2026-12-24 18:00`, a number has a
 * decimal point. A program that provides none cannot read such files.
 */
export const Spreadsheets = Context.Reference<{
  readonly rows: (file: Uint8Array) => Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, NotASpreadsheet>
}>("@livery/domain/Spreadsheets", {
  defaultValue: () => ({
    rows: () => Effect.fail(new NotASpreadsheet({ reason: "This program reads no XLSX files; send CSV" }))
  })
})
