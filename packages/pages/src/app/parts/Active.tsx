/** Whether a record is still in use: its field, its column and its filter. */
import { Badge } from "../../components/Notice.tsx"
import type { AppWords } from "../words/en.ts"
import type { Choice } from "./Filters.tsx"
import type { RecordField } from "./Record.tsx"
import type { Column } from "./Table.tsx"

interface Usable {
  readonly active: boolean
}

/** The field; a new record has none, because it is in use. */
export const activeFields = (record: Usable | undefined, words: AppWords): ReadonlyArray<RecordField> =>
  record === undefined
    ? []
    : [
        {
          name: "active",
          label: words.active,
          value: String(record.active),
          kind: "flag",
          isRequired: true,
          shown: record.active ? words.yes : words.no
        }
      ]

export const activeColumn = (words: AppWords): Column<Usable> => ({
  name: "status",
  label: words.status,
  cell: ({ active }) => (
    <Badge tone={active ? "good" : "plain"}>{active ? words.active : words.inactive}</Badge>
  )
})

export const activeChoice = (words: AppWords): Choice => ({
  name: "active",
  label: words.status,
  options: [
    ["true", words.active],
    ["false", words.inactive]
  ]
})

/** The filter for a request. */
export const activeFilter = ({ active }: Readonly<Record<string, string>>): { readonly active?: boolean } =>
  active === undefined ? {} : { active: active === "true" }
