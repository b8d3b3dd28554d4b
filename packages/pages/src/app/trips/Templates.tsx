/** Templates of trips: the list, and each with its name and the fields that its trips get. */
import type { TripTemplate } from "@livery/client"
import { api } from "../Api.ts"
import { mayWrite } from "../Member.ts"
import type { RecordField } from "../parts/Record.tsx"
import { resourceScreen } from "../parts/Resource.tsx"
import { hrefOf } from "../Router.ts"
import type { TripsWords } from "./words/en.ts"

const textOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? String(value) : ""

/** The fields of the trip that are shown, each as it is in the template. */
const shownFields = (words: TripsWords) =>
  [
    ["customer_name", words.passenger],
    ["pickup_address", words.from],
    ["dropoff_address", words.to],
    ["total_amount", words.price],
    ["notes", words.notesForDriver]
  ] as const

const fields = (template: TripTemplate | undefined, words: TripsWords): ReadonlyArray<RecordField> => [
  { name: "name", label: words.name, value: template?.name ?? "", isRequired: true },
  ...shownFields(words).map(([name, label]) => ({
    name,
    label,
    kind: "fixed" as const,
    value: textOf(template?.trip[name])
  }))
]

/** The screen at `/app/trips/templates`. */
export const Templates = resourceScreen<TripTemplate, TripsWords>({
  name: "trips/templates",
  area: "operations",
  title: (words) => words.templates,
  newTitle: (words) => words.newTemplate,
  idOf: ({ template_id }) => template_id,
  nameOf: ({ name }) => name,
  list: () => api.tripTemplates.list({ per_page: 100 }),
  read: (id) => api.tripTemplates.read({ id }),
  update: (id, changes, before) => api.tripTemplates.update({ id, ...changes }, { ifMatch: before }),
  remove: (id) => api.tripTemplates.remove({ id }),
  hasSearch: false,
  columns: (words) => [
    { name: "name", label: words.name, cell: ({ name }) => <bdi>{name}</bdi>, sort: ({ name }) => name },
    {
      name: "route",
      label: words.route,
      cell: ({ trip }) => (
        <>
          <bdi>{textOf(trip["pickup_address"])}</bdi> → <bdi>{textOf(trip["dropoff_address"])}</bdi>
        </>
      )
    }
  ],
  fields,
  actions: ({ template_id }, words) =>
    mayWrite("operations") && (
      <a class="button primary" href={hrefOf(`/trips/new?template=${template_id}`)}>
        {words.newFromTemplate}
      </a>
    ),
  empty: (words) => words.firstTemplate
})
