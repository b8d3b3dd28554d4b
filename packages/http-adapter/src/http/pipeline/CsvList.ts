/**
 * Lists as CSV: all records that the request's filters find, streamed page by page. Any list of the contract has this form with
 * `Accept: text/csv`; the handler of the list reads the pages.
 */
import { Effect, Exit, Predicate, SchemaAST, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { csvLine } from "@livery/domain"
import { asksFor } from "../request/Accept.ts"
import { csvRecord, csvType } from "../responses/Csv.ts"
import { UnfitResponse } from "../responses/Reply.ts"
import type { EndpointPlan, SuccessPlan } from "./EndpointPlan.ts"
import type { HandlerInput } from "./Handlers.ts"

/** Whether a request asks for the CSV of a list. */
export const asksForCsvList = (plan: EndpointPlan, request: HttpServerRequest.HttpServerRequest): boolean =>
  request.method === "GET" && asksFor(request, "text/csv") && plan.success?.form.isList === true

/** The most records of a page: a list takes a smaller page than it offers by default, too. */
const perPage = 100

const isRecord = Predicate.isReadonlyObject

/** The names of the fields of the records in a list, in their order. */
const columnsOf = ({ form }: SuccessPlan): ReadonlyArray<string> => {
  const encoded = SchemaAST.toEncoded(form.schema.ast)
  const item = SchemaAST.isArrays(encoded) ? encoded.rest[0] : undefined
  if (item === undefined) return []
  const structs = SchemaAST.isUnion(item) ? item.types : [item]
  const names = structs.flatMap((struct) =>
    SchemaAST.isObjects(struct) ? struct.propertySignatures.map(({ name }) => String(name)) : []
  )
  return [...new Set(names)]
}

/** The records of a page in their form in JSON. */
const recordsOf = ({ encode, form, isCanonical }: SuccessPlan, value: unknown): ReadonlyArray<object> => {
  const data = form.data(value)
  const encoded = isCanonical(data) ? Exit.succeed(data) : encode(data)
  if (Exit.isFailure(encoded) || !Array.isArray(encoded.value)) throw new UnfitResponse()
  return encoded.value.filter(isRecord)
}

/** The query of the page after this one; undefined after the last. */
const nextQuery = (query: object, page: number, value: unknown): object | undefined => {
  const pagination = isRecord(value) ? (value as { readonly pagination?: unknown }).pagination : undefined
  if (!isRecord(pagination)) return undefined
  const { has_more, next_cursor } = pagination as { has_more?: unknown; next_cursor?: unknown }
  if (has_more !== true) return undefined
  if (typeof next_cursor !== "string") return { ...query, page: page + 1 }
  const { page: _page, ...rest } = query as { readonly page?: unknown }
  return { ...rest, cursor: next_cursor }
}

/** The response with all pages of a list. The first page is read before it, so that a refusal is a refusal. */
export const csvList = Effect.fnUntraced(function* (
  plan: EndpointPlan,
  success: SuccessPlan,
  input: HandlerInput
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, unknown> {
  const context = yield* Effect.context()
  const sent = isRecord(input.query) ? input.query : {}
  const { page: _page, cursor: _cursor, ...filters } = sent as Readonly<Record<string, unknown>>
  const query = { ...filters, per_page: perPage }
  const read = (of: object) => plan.handle({ ...input, query: of })
  const columns = columnsOf(success)
  const linesOf = (value: unknown) =>
    recordsOf(success, value)
      .map((record) => csvRecord(columns, record))
      .join("")
  const first = yield* read(query)
  const rest = Stream.unfold(
    { next: nextQuery(query, 1, first), page: 2 },
    Effect.fnUntraced(function* ({ next, page }) {
      if (next === undefined) return undefined
      const value = yield* read(next)
      return [linesOf(value), { next: nextQuery(query, page, value), page: page + 1 }] as const
    })
  )
  const lines = Stream.concat(Stream.make(csvLine(columns) + linesOf(first)), rest)
  const name =
    plan.route.pattern
      .replace(/\/:\w+/gu, "")
      .split("/")
      .at(-1) ?? "list"
  return HttpServerResponse.stream(Stream.provideContext(Stream.encodeText(lines), context), {
    contentType: csvType,
    headers: {
      "Content-Disposition": `attachment; filename="${name}.csv"`,
      "X-Content-Type-Options": "nosniff"
    }
  })
})
