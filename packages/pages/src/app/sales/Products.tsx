/** Products: what is booked at a fixed price, and the departures of tours with their places. */
import type { Product, ProductKind } from "@livery/client"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { money } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { activeChoice, activeColumn, activeFields, activeFilter } from "../parts/Active.tsx"
import type { RecordField } from "../parts/Record.tsx"
import { type Resource, resourceScreen } from "../parts/Resource.tsx"
import { Capacity } from "./Capacity.tsx"
import { Departures } from "./Departures.tsx"
import type { SalesWords } from "./words/en.ts"

const kinds = ["transfer", "tour", "hourly", "other"] as const satisfies ReadonlyArray<ProductKind>

const textOf = (value: number | string | null | undefined) =>
  typeof value === "number" ? format.number(value).replaceAll(/[\s’']/gu, "") : (value ?? "")

const fields = (product: Product | undefined, words: SalesWords): ReadonlyArray<RecordField> => [
  { name: "name", label: words.name, value: textOf(product?.name), isRequired: true },
  {
    name: "kind",
    label: words.kind,
    value: product?.kind ?? "tour",
    options: kinds.map((kind) => [kind, words[`kind_${kind}`]] as const),
    shown: product && words[`kind_${product.kind}`],
    hint: words.kindHint,
    isRequired: true
  },
  {
    name: "price",
    label: words.price,
    kind: "number",
    value: textOf(product?.price),
    shown: money(product?.price, product?.currency),
    isRequired: true
  },
  {
    name: "duration_minutes",
    label: words.minutes,
    kind: "number",
    value: textOf(product?.duration_minutes)
  },
  {
    name: "capacity",
    label: words.capacity,
    kind: "number",
    value: textOf(product?.capacity),
    hint: words.capacityHint
  },
  { name: "pickup_address", label: words.from, value: textOf(product?.pickup_address) },
  { name: "dropoff_address", label: words.to, value: textOf(product?.dropoff_address) },
  { name: "description", label: words.description, kind: "area", value: textOf(product?.description) },
  ...activeFields(product, words)
]

const products: Resource<Product, SalesWords> = {
  name: "sales/products",
  area: "sales",
  title: (words) => words.products,
  newTitle: (words) => words.newProduct,
  idOf: ({ product_id }) => product_id,
  nameOf: ({ name }) => name,
  list: (filters) => api.products.list({ per_page: 100, ...activeFilter(filters) }),
  read: (id) => api.products.read({ id }),
  create: (input) => api.products.create(input as never),
  update: (id, changes, before) => api.products.update({ id, ...changes }, { ifMatch: before }),
  remove: (id, force) => api.products.remove({ id, ...(force ? { force } : {}) }),
  hasSearch: false,
  choices: (words) => [activeChoice(words)],
  columns: (words) => [
    { name: "name", label: words.name, cell: ({ name }) => <bdi>{name}</bdi>, sort: ({ name }) => name },
    { name: "kind", label: words.kind, cell: ({ kind }) => words[`kind_${kind}`], sort: ({ kind }) => kind },
    {
      name: "departures",
      label: words.departures,
      cell: ({ departures }) => [...new Set(departures.flatMap(({ times }) => times))].toSorted().join(", ")
    },
    {
      name: "price",
      label: words.price,
      isNumber: true,
      cell: ({ currency, price }) => money(price, currency),
      sort: ({ price }) => price
    },
    activeColumn(words)
  ],
  fields,
  more: (product, words, reading) =>
    (product.kind === "tour" || product.departures.length > 0) && (
      <>
        <Departures
          product={product}
          mayEdit={mayWrite("sales")}
          onSaved={reading.set}
          onReload={reading.reload}
          words={words}
        />
        {product.departures.length > 0 && <Capacity product={product} reading={reading} words={words} />}
      </>
    ),
  empty: (words) => words.firstProduct
}

export const Products = resourceScreen(products)
