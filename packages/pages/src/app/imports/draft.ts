/** The import that is being prepared: it is kept when another screen is shown meanwhile. */
import type { ImportColumns } from "@livery/client"
import { signal } from "@preact/signals"
import { Failure, failureOf } from "../../api/Failure.ts"
import { api } from "../Api.ts"

/** What the lines of a table can be. */
export const kinds = ["customers", "drivers", "cars", "trips", "invoices", "tariffs"] as const
export type Kind = (typeof kinds)[number]

/** The programs whose headers the server knows; empty for any. */
export const maps = ["", "plain", "limo_anywhere", "moovs"] as const
export type MapName = (typeof maps)[number]

/** The field of each header that a person has chosen; null for a column that is left out. */
type Chosen = Readonly<Record<string, string | null>>

interface Draft {
  readonly kind: Kind
  readonly map: MapName
  readonly file?: File
  readonly chosen: Chosen
  /** What the server found in the file. */
  readonly table?: ImportColumns
  readonly failure?: Failure | undefined
  readonly isReading?: boolean
  /** The import that stored nothing, and shows what would become of each line. */
  readonly preview?: number
}

export const draft = signal<Draft>({ kind: "customers", map: "", chosen: {} })

/** The column that says why a line was refused; it is never read. */
const isWhy = (header: string) => header.trim().toLowerCase() === "why"

/** Why a column is not read whatever is chosen. */
export type Unread = "why" | "repeated"

/** A column of the file, with the field that is chosen for it. */
export interface ChosenColumn {
  readonly header: string
  readonly field: string | null
  readonly unread?: Unread
  /** Whether an earlier column has the same field. */
  readonly isTaken: boolean
}

/** The columns of the file as they would be imported. */
export const columnsOf = ({ chosen, table }: Draft): ReadonlyArray<ChosenColumn> => {
  const columns = table?.columns ?? []
  const taken = new Set<string>()
  return columns.map(({ field: found, header }, at) => {
    const isRepeated = columns.findIndex((one) => one.header === header) < at
    if (isWhy(header) || isRepeated)
      return { header, field: null, unread: isRepeated ? "repeated" : "why", isTaken: false }
    const field = Object.hasOwn(chosen, header) ? (chosen[header] ?? null) : found
    const isTaken = field !== null && taken.has(field)
    if (field !== null) taken.add(field)
    return { header, field, isTaken }
  })
}

/** The fields of which one is needed and has no column, group by group. */
export const missingOf = (current: Draft): ReadonlyArray<ReadonlyArray<string>> => {
  const found = new Set(columnsOf(current).map(({ field }) => field))
  return (current.table?.needed ?? []).filter((group) => !group.some((field) => found.has(field)))
}

/** Reads the columns of the file anew. An answer to an earlier question is dropped. */
const readColumns = async (): Promise<void> => {
  const { preview: _, table: __, ...asked } = draft.value
  const { file, kind, map } = asked
  if (file === undefined) {
    draft.value = { ...asked, failure: undefined }
    return
  }
  const current: Draft = { ...asked, failure: undefined, isReading: true }
  draft.value = current
  const settle = (result: Partial<Draft>) => {
    if (draft.value === current) draft.value = { ...current, isReading: false, ...result }
  }
  try {
    settle({ table: await api.imports.columns({ file, as: kind, ...(map !== "" && { map }) }) })
  } catch (error) {
    settle({ failure: failureOf(error) })
  }
}

/** Takes another kind or map; what was chosen for the columns belongs to the earlier one. */
export const choose = (change: { readonly kind?: Kind; readonly map?: MapName }): void => {
  draft.value = { ...draft.value, ...change, chosen: {} }
  void readColumns()
}

/** The most bytes of a file that the server takes. */
const mostBytes = 10 * 1024 * 1024

/** Takes a file. Its content is kept, so that it stays the same until it is imported. */
export const takeFile = async (file: File): Promise<void> => {
  try {
    if (file.size > mostBytes) throw new Failure(413, "payload_too_large", "")
    draft.value = { ...draft.value, file: new File([await file.arrayBuffer()], file.name) }
  } catch (error) {
    // The browser cannot read a folder, and a file that was moved meanwhile.
    const unread = new Failure(422, "invalid_request", "", [{ field: "file", issue: "invalid" }])
    const { preview: _, table: __, file: ___, ...asked } = draft.value
    draft.value = { ...asked, failure: error instanceof Failure ? error : unread }
    return
  }
  await readColumns()
}

/** Chooses the field of a column. */
export const chooseField = (header: string, field: string | null): void => {
  const { preview: _, ...current } = draft.value
  draft.value = { ...current, failure: undefined, chosen: { ...current.chosen, [header]: field } }
}

/** Prepares the import of a mended file, whose columns are read as those of the earlier import. */
export const mend = async (
  kind: Kind,
  columns: ReadonlyArray<{ readonly header: string; readonly field: string | null }>,
  file: File
): Promise<void> => {
  // The first of several columns with one header is read.
  const chosen = Object.fromEntries(columns.toReversed().map(({ field, header }) => [header, field]))
  draft.value = { kind, map: "", chosen }
  await takeFile(file)
}

/** Sends the file as an import. Returns its id. */
const start = async (isDry: boolean): Promise<number> => {
  const { file, kind } = draft.value
  const columns = columnsOf(draft.value).filter(({ unread }) => unread === undefined)
  const map = JSON.stringify(Object.fromEntries(columns.map(({ field, header }) => [header, field])))
  const { import_id } = await api.imports.start({
    file: file ?? new Blob(),
    as: kind,
    map,
    dry_run: isDry
  })
  return import_id
}

/** Asks the server what would become of each line. */
export const preview = async (): Promise<void> => {
  const asked = draft.value
  const id = await start(true)
  // Another choice meanwhile needs another preview.
  if (draft.value === asked) draft.value = { ...asked, preview: id }
}

/** Imports the file. The next import begins without a file. Returns the import's id. */
export const importNow = async (): Promise<number> => {
  const id = await start(false)
  const { kind, map } = draft.value
  draft.value = { kind, map, chosen: {} }
  return id
}
