/** The parts of the contract that all routes share. */
import { Context, Schema, SchemaGetter } from "effect"
import { HttpApiSchema, OpenApi } from "effect/http-api"
import { check, PageNumber, PerPage } from "@livery/domain/records"
import { integerOf } from "../openapi/Schemas.ts"

/** The path of the API below the server's address. */
export const basePath = "/api/v1"

/**
 * The header with the reason for an administrative change. Its value is UTF-8 in percent-encoding, since headers have no
 * other way to carry it.
 */
export const reasonHeader = "X-Audit-Reason"

/** Sets the status 201 on a success schema: `data(…).pipe(created)`. */
export const created = HttpApiSchema.status(201)

/**
 * Whether a request may be sent again under its `Idempotency-Key` and get its first response. Undefined for most routes: each POST
 * may, and no other method. False only for the token refresh: presenting a rotated token again counts as theft, with any key.
 */
export const Repeatable = Context.Reference<boolean | undefined>("@livery/contract/Repeatable", {
  defaultValue: () => undefined
})

/** The OpenAPI extension that documents a route that is not repeatable. */
export const ignoresIdempotencyKey = "x-ignores-idempotency-key"

/** Marks a route that is not {@link Repeatable}. */
export const neverRepeated = Context.merge(
  Context.make(Repeatable, false),
  OpenApi.annotations({ override: { [ignoresIdempotencyKey]: true } })
)

/** The OpenAPI extension that documents a repeatable route of another method than POST. */
export const takesIdempotencyKey = "x-takes-idempotency-key"

/** Marks a PATCH as {@link Repeatable}: after a change of state, the same change would be refused. */
export const repeatedChange = Context.merge(
  Context.make(Repeatable, true),
  OpenApi.annotations({ override: { [takesIdempotencyKey]: true } })
)

/** Whether a route waits for an outside server. With an idempotency key, it runs without a transaction around it. */
export const CallsOut = Context.Reference<boolean>("@livery/contract/CallsOut", {
  defaultValue: () => false
})

/** Marks a route that waits for an outside server. */
export const callsOut = Context.make(CallsOut, true)

/** The summary of a route in the documentation: one sentence without a full stop. */
export const summary = (text: string) => OpenApi.annotations({ summary: text })

const digits = /^-?\d{1,19}$/u

/** The canonical form of an id: only digits, without a sign or a leading zero. */
const idDigits = /^[1-9]\d{0,18}$/u

/** A number as text that matches a pattern. OpenAPI describes it by the number's own schema. */
const numberText = <A extends number>(
  pattern: RegExp,
  number: Schema.Codec<A, number>
): Schema.Codec<A, string> =>
  Schema.String.check(
    check<string>("invalid", (text) => pattern.test(text), {
      pattern: pattern.source,
      [integerOf]: { type: "integer", ...Schema.toJsonSchemaDocument(number).schema }
    })
  ).pipe(
    Schema.decodeTo(number, {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    })
  )

/**
 * A whole number in a query: plain digits only, so that `1e0` and `+1` are not accepted for 1. The number's own schema
 * checks its range.
 */
export const wholeNumber = <A extends number>(number: Schema.Codec<A, number>): Schema.Codec<A, string> =>
  numberText(digits, number)

/** A record's id in a path. Only the canonical form of an id identifies a record. */
export const recordId = <A extends number>(id: Schema.Codec<A, number>): Schema.Codec<A, string> =>
  numberText(idDigits, id)

/** `true` or `false` in a query. */
export const flag = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(Schema.Boolean, {
    decode: SchemaGetter.transform((text: "true" | "false") => text === "true"),
    encode: SchemaGetter.transform((value: boolean) => (value ? "true" : "false"))
  })
)

/** The query parameter of a request that changes nothing and returns what the change would return. */
export const dryRunParameter = "dry_run"

/** The query parameters of a list whose callers choose the page size. */
export const paging = {
  page: Schema.optionalKey(wholeNumber(PageNumber)),
  per_page: Schema.optionalKey(wholeNumber(PerPage))
}

/** The name of a query parameter that no request can have, because it is empty. OpenAPI leaves it out. */
export const noParameter = ""

/**
 * The query of a list without filters and pages. It has one field, because a schema without fields would accept every
 * parameter, and a caller would mistake the whole list for a filtered one.
 */
export const noQuery = { [noParameter]: Schema.optionalKey(Schema.Never) }
