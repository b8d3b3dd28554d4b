/** Which statements may be read where their rows are. */
import { tables } from "../../migrations/Tables.ts"

/** A statement that reads rows of one business, or copied tables only. */
export interface PlacedText {
  /** The index of the parameter with the business's id; undefined if the statement reads copied tables only. */
  readonly business: number | undefined
  /** The tables that it reads. */
  readonly tables: ReadonlyArray<string>
}

const kinds = new Map(tables.map(({ kind, name }) => [name, kind]))

/** Tables that only the coordinator has, and tables whose current generation changes its shards. */
const elsewhere = tables.flatMap(({ history, kind, name }) =>
  history === undefined ? (kind === "platform" ? [name] : []) : [name, history]
)

const isRead = /^\s*(?:SELECT|WITH)\b/u

/** What writes, locks, or is known to the coordinator only. A statement that mentions it in another sense stays there, too. */
const staysBehind = new RegExp(
  String.raw`\b(?:INSERT|UPDATE|DELETE|MERGE|SHARE|CURSOR|nextval|setval|set_config|current_setting|pg_\w+|${elsewhere.join("|")})\b`,
  "iu"
)

/** A table after a comma, which `onShards` does not rename. */
const tableAfterComma = /\bFROM\s+\w+(?:\s+\w+)?,/u

const businessOf = /\bbusiness_id = \$(\d+)\b/u

const word = /\b[a-z]\w*\b/gu

/** Where a statement may be read; undefined if it stays on the coordinator. */
export const placedText = (text: string): PlacedText | undefined => {
  if (!isRead.test(text) || staysBehind.test(text) || tableAfterComma.test(text)) return undefined
  const named = [...new Set(text.match(word))].filter((name) => kinds.has(name))
  const [, parameter] = businessOf.exec(text) ?? []
  if (parameter !== undefined) return { business: Number(parameter) - 1, tables: named }
  return named.length > 0 && named.every((name) => kinds.get(name) === "copied")
    ? { business: undefined, tables: named }
    : undefined
}
