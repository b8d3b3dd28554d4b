/**
 * The common parts of administrative commands. With `--url`, a command requests the route of a server; without it, it runs
 * the use case of that route on the database.
 */
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import {
  BusinessId,
  ChangeReason,
  CurrentActor,
  CurrentReason,
  fieldIssues,
  InvalidInput,
  maxPage,
  type Page,
  type PageRequest
} from "@livery/domain"
import { adminPerPage, paginationOf, reasonHeader } from "@livery/contract"
import { actor } from "../../usage/Actor.ts"
import { administer } from "../../remote/AdminServer.ts"
import { Livery } from "../../composition/Composition.ts"
import { json } from "../../usage/JsonFlag.ts"
import { type Refused, refused } from "../../usage/Refusal.ts"
import { type Column, details, standardOutput, table } from "../../terminal/Tables.ts"

/** The argument that names a business. */
export const businessArgument = Argument.Int("business-id").pipe(
  Argument.withSchema(BusinessId),
  Argument.withDescription("The id of the business, as in livery businesses list")
)

/** The argument that names another record of the platform. */
export const recordArgument = (name: string) =>
  Argument.Int(name).pipe(Argument.withSchema(Schema.Int.check(Schema.isGreaterThan(0))))

/** Flags of every administrative command. */
export const adminFlags = {
  url: Flag.String("url").pipe(
    Flag.optional,
    Flag.withDescription(
      "Run on the server at this address, after `livery login`; by default, directly on the database"
    )
  ),
  json
}

/** The flag for the reason of a change. */
export const reasonFlag = Flag.String("reason").pipe(
  Flag.optional,
  Flag.withDescription("The reason, for the audit log")
)

/** Flags of every administrative command that changes a record. */
export const changeFlags = { ...adminFlags, reason: reasonFlag }

/** The flag for a page of a list. */
export const pageFlag = (perPage: number) =>
  Flag.Int("page").pipe(
    Flag.filter(
      (page) => page > 0,
      () => "Expected a whole number from 1"
    ),
    Flag.filter(
      (page) => page <= maxPage,
      () => `Expected at most ${maxPage}`
    ),
    Flag.withDefault(1),
    Flag.withDescription(`The number of the page, of ${perPage} records each`)
  )

/** Flags of a list. */
export const listFlags = { ...adminFlags, page: pageFlag(adminPerPage) }

/** The values of the flags that are given. */
export const given = <A extends Readonly<Record<string, Option.Option<unknown>>>>(flags: A) =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  ) as { readonly [K in keyof A]?: Option.Option.Value<A[K]> }

interface ReasonGiven {
  readonly reason?: Option.Option<string>
}

/** The values of {@link changeFlags}. */
interface FlagsGiven extends ReasonGiven {
  readonly url: Option.Option<string>
  readonly json: boolean
}

/** The request to the route that runs the use case; `GET` by default. */
interface RouteRequest {
  readonly method?: "GET" | "POST" | "PATCH"
  readonly path: string
  readonly payload?: unknown
}

/** Decodes an input by the schema of the use case. The error names every wrong field. */
export const decoded = <A, I>(schema: Schema.Codec<A, I>, input: unknown): Effect.Effect<A, InvalidInput> =>
  Schema.decodeUnknownEffect(schema)(input, { errors: "all", reportInput: true }).pipe(
    Effect.mapError(({ issue }) => new InvalidInput({ issues: fieldIssues(issue) }))
  )

const ReasonFlag = Schema.Struct({ reason: Schema.optionalKey(ChangeReason) })

/**
 * Runs a use case on the database. The audit log names the user of the operating system as the author, and the reason if
 * the flags have one.
 */
export const runOnDatabase = <A, E extends Refused, R>(
  work: Effect.Effect<A, E, R>,
  { reason = Option.none() }: ReasonGiven = {}
) =>
  decoded(ReasonFlag, given({ reason })).pipe(
    Effect.flatMap((input) => Effect.provideService(work, CurrentReason, input.reason ?? null)),
    Effect.provideService(CurrentActor, actor()),
    Effect.mapError(refused),
    Effect.provide(Livery)
  )

const AnyRecord = Schema.Struct({ data: Schema.Record(Schema.String, Schema.Unknown) })
const AnyList = Schema.Struct({
  data: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
  meta: Schema.Struct({ pagination: Schema.Record(Schema.String, Schema.Unknown) })
})

const reasonHeaders = (reason: Option.Option<string>) =>
  Option.match(reason, {
    onNone: () => ({}),
    onSome: (text) => ({ [reasonHeader]: encodeURIComponent(text) })
  })

/** Runs the use case `direct` on the database, or requests its route with `--url`. Returns the record of the result. */
export const recordFrom = <A extends object, E extends Refused, R>(
  { reason = Option.none(), url }: FlagsGiven,
  direct: Effect.Effect<A, E, R>,
  { method = "GET", path, payload }: RouteRequest
) =>
  Option.match(url, {
    onNone: () => Effect.map(runOnDatabase(direct, { reason }), (record): object => record),
    onSome: (address) =>
      Effect.map(
        administer(address, method, path, { payload, schema: AnyRecord, headers: reasonHeaders(reason) }),
        ({ data }): object => data
      )
  })

/** Prints a record: as JSON, or a line for each field. */
export const printRecord = ({ json }: Pick<FlagsGiven, "json">, record: object) =>
  Console.log(json ? JSON.stringify(record) : details(record, standardOutput()))

/** Prints the record that {@link recordFrom} returns. */
export const printRecordFrom = <A extends object, E extends Refused, R>(
  flags: FlagsGiven,
  direct: Effect.Effect<A, E, R>,
  call: RouteRequest
) => Effect.flatMap(recordFrom(flags, direct, call), (record) => printRecord(flags, record))

/** Filters by the names of the query's parameters. */
type Filters = Readonly<Record<string, string | number | boolean | undefined>>

const queryOf = (filters: Filters) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, String(value))
  return query.toString()
}

/** A page of a list, and how it is printed. */
interface PrintablePage {
  /** The name of the list in JSON. */
  readonly name: string
  readonly items: ReadonlyArray<object>
  readonly pagination: object
  readonly columns: ReadonlyArray<Column>
  /** The width of the table where the output is no terminal; by default, values keep their length there. */
  readonly pipedWidth?: number | undefined
}

/** Prints a page of a list: as JSON with its pagination, or as a table. */
export const printPage = Effect.fnUntraced(function* (
  { json, page }: Pick<FlagsGiven, "json"> & { readonly page: number },
  { columns, items, name, pagination, pipedWidth }: PrintablePage
) {
  if (json) return yield* Console.log(JSON.stringify({ [name]: items, pagination }))
  if (items.length === 0) return yield* Console.log("None")
  const output = standardOutput()
  yield* Console.log(table(items, columns, { ...output, columns: output.columns ?? pipedWidth }))
  if ("has_more" in pagination && pagination.has_more === true)
    yield* Console.log(`\nMore follow: --page ${page + 1}`)
})

/** A list that a command reads and prints: by the use case `direct`, or by the route `path`. */
interface PrintableList<A, E, R> extends Pick<PrintablePage, "name" | "columns" | "pipedWidth"> {
  readonly path: string
  readonly filters: Filters
  readonly direct: (page: PageRequest) => Effect.Effect<Page<A>, E, R>
}

/** Reads a page of a list and prints it. */
export const printList = Effect.fnUntraced(function* <A extends object, E extends Refused, R>(
  flags: FlagsGiven & { readonly page: number },
  { columns, direct, filters, name, path, pipedWidth }: PrintableList<A, E, R>
) {
  const request = { page: flags.page, perPage: adminPerPage }
  const { items, pagination } = yield* Option.match(flags.url, {
    onNone: () =>
      Effect.map(runOnDatabase(direct(request)), (page) => ({
        items: page.items as ReadonlyArray<object>,
        pagination: paginationOf(request, page) as object
      })),
    onSome: (address) =>
      Effect.map(
        administer(address, "GET", `${path}?${queryOf({ ...filters, page: flags.page })}`, {
          schema: AnyList
        }),
        ({ data, meta }) => ({ items: data as ReadonlyArray<object>, pagination: meta.pagination as object })
      )
  })
  yield* printPage(flags, { columns, items, name, pagination, pipedWidth })
})
