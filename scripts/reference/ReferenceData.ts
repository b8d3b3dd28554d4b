/**
 * The data of the reference at `/docs`, made from the OpenAPI document and the API guide: an index of all operations, and a
 * file for each group. The requests and the responses are the guide's, which a test sends to a server.
 */
import { type Json, objectOf, textOf } from "@livery/contract"
import { type Document, type Operation, operationsOf, resolved } from "../client/ApiDocument.ts"
import { programs } from "./Programs.ts"
import { exampleIn, guideExamples, madeExample, operationOf } from "./ReferenceExamples.ts"
import { errorTypesOf, type Field, fieldsOf, parameterFields } from "./ReferenceFields.ts"
import { type Example, parsed, requestTexts } from "./RequestTexts.ts"

/** The tags in the order in which a business meets them. A tag that is not listed is in the last part. */
const parts: ReadonlyArray<readonly [part: string, tags: ReadonlyArray<string>]> = [
  [
    "Set up",
    [
      "Authentication",
      "Current user",
      "Business",
      "Staff",
      "Settings",
      "Cars",
      "Drivers",
      "Fares",
      "Drivers' pay",
      "Products",
      "Uploads"
    ]
  ],
  ["Sell", ["Customers", "Booking page", "Quotes", "Quotes by link", "Bookings", "Billing of bookings"]],
  [
    "Drive",
    ["Trips", "Dispatch", "Signed-in drivers", "Drivers without an account", "Tracking", "Tracking by link"]
  ],
  [
    "Get paid",
    ["Billing of trips", "Invoices", "Invoice PDFs", "Credit notes", "Invoices by link", "Payment notices"]
  ],
  ["Integrate", ["Webhooks", "Events", "Meta", "Operations", "Privacy"]],
  ["Run the platform", []]
]

/** What the page shows of an operation. */
interface ReferenceOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly text: string
  readonly callers: string
  readonly roles: string
  readonly parameters: ReadonlyArray<Field>
  readonly body: ReadonlyArray<Field>
  readonly result: ReadonlyArray<Field>
  readonly isList: boolean
  readonly example: Example
  readonly refusals: ReadonlyArray<string>
  /** The types of errors, by their status. */
  readonly errors: ReadonlyArray<readonly [status: string, types: string]>
}

/** One group of operations: those of a tag. */
export interface ReferenceGroup {
  readonly name: string
  readonly file: string
  readonly operations: ReadonlyArray<ReferenceOperation>
}

/** Two cells of a table in Markdown, or three. */
const rowsOf = (page: string, heading: string) => {
  const lines = page.slice(page.indexOf(heading)).split("\n")
  const begin = lines.findIndex((line) => line.startsWith("| -"))
  const end = lines.findIndex((line, index) => index > begin && !line.startsWith("|"))
  return lines.slice(begin + 1, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim())
  )
}

/** The reference: the groups with their operations, and the index with everything that the page shows first. */
export const referenceOf = (
  document: Document,
  guide: Readonly<Record<string, string>>
): { readonly groups: ReadonlyArray<ReferenceGroup>; readonly index: Json } => {
  const operations = operationsOf(document)
  // The pages about one thing come before those about rules for all.
  const general = new Set(["conventions", "errors", "authentication"])
  // An example that explains a rule comes before one of the samples, which complete the guide.
  const rankOf = (name: string) => (name.startsWith("samples/") ? 2 : Number(general.has(name)))
  const pages = Object.entries(guide).toSorted(([one], [other]) => rankOf(one) - rankOf(other))
  const examples = Map.groupBy(
    guideExamples(pages.map(([, page]) => page)).filter(({ response }) => response !== ""),
    (example) => operationOf(operations, example)?.id
  )
  const shown = (operation: Operation): ReferenceOperation => {
    const { description, errors, id, method, path, success, summary } = operation
    const own = examples.get(id) ?? []
    const good = own.find(
      ({ body, response }) =>
        response.startsWith("2") && (body === "" || body.startsWith("file=") || parsed(body) !== undefined)
    )
    const { data } = objectOf(resolved(document, success.schema)["properties"])
    const isList = resolved(document, data)["type"] === "array"
    return {
      id,
      method,
      path: path.startsWith("^") ? path.slice(1) : `/api/v1${path}`,
      summary,
      text: description.replace(`${summary}.`, "").trim(),
      callers: /Callers: ([^.]*)/u.exec(description)?.[1] ?? "",
      roles: /Roles of members: ([^.]*)/u.exec(description)?.[1] ?? "",
      parameters: parameterFields(document, operation),
      body: operation.body === undefined ? [] : fieldsOf(document, operation.body.schema),
      result: fieldsOf(document, data),
      isList,
      example:
        good === undefined
          ? madeExample(document, operation)
          : {
              ...requestTexts(
                operation,
                good.path,
                good.headers,
                good.body === "" ? undefined : parsed(good.body)
              ),
              response: good.response,
              isMade: false
            },
      refusals: own
        .filter(({ response }) => !response.startsWith("2"))
        .slice(0, 2)
        .map(({ response }) => response),
      errors: Object.entries(errors).map(
        ([status, schema]) => [status, [...new Set(errorTypesOf(document, schema))].join(", ")] as const
      )
    }
  }
  const byTag = Map.groupBy(operations, ({ tag }) => tag)
  const listed = new Set(parts.flatMap(([, tags]) => tags))
  const left = [...byTag.keys()].filter((tag) => !listed.has(tag))
  const ordered = parts.map(
    ([part, tags], index) => [part, index === parts.length - 1 ? [...tags, ...left] : tags] as const
  )
  const fileOf = (tag: string) => tag.toLowerCase().replaceAll(/[^a-z]+/gu, "-")
  const groups = ordered.flatMap(([, tags]) =>
    tags.flatMap((tag) => {
      const members = byTag.get(tag)
      return members === undefined ? [] : [{ name: tag, file: fileOf(tag), operations: members.map(shown) }]
    })
  )
  const errorsPage = guide["errors"] ?? ""
  const index = {
    programs,
    parts: ordered.map(([part, tags]) => [
      part,
      tags.flatMap((tag) => {
        const group = groups.find(({ name }) => name === tag)
        return group === undefined
          ? []
          : [
              [
                tag,
                group.file,
                group.operations.map(({ id, method, path, summary }) => [id, method, path, summary])
              ]
            ]
      })
    ]),
    errors: rowsOf(errorsPage, "| Type"),
    issues: rowsOf(errorsPage, "| Issue"),
    events: Object.entries(document.webhooks ?? {}).map(([name, item]) => [
      name,
      textOf(objectOf(objectOf(item)["post"])["summary"])
    ])
  }
  return { groups, index }
}

/** A sample of each event, by its type. */
export const eventSamples = (document: Document): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(document.webhooks ?? {}).map(([name, item]) => {
      const content = objectOf(objectOf(objectOf(objectOf(item)["post"])["requestBody"])["content"])
      const { schema } = objectOf(content["application/json"])
      return [name, exampleIn(document, "application/json", objectOf(schema))]
    })
  )
