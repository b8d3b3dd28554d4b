/** What every route of the contract shares. */
import { Context, Schema, SchemaGetter } from "effect"
import { HttpApiSchema, OpenApi } from "effect/http-api"
import { check, PageNumber, PerPage } from "@livery/domain"

/** Where the API lives below the server's address (specification, Versioning). */
export const basePath = "/api/v1"

/** Says 201, behind a success schema: `data(…).pipe(created)`. */
export const created = HttpApiSchema.status(201)

/**
 * Whether a POST may be sent again under its `Idempotency-Key` and get its first answer. All may but a refresh: a
 * rotated token that comes again is theft, whatever comes with it (specification, Authentication, rule 7).
 */
export const Repeatable = Context.Reference<boolean>("@livery/http-adapter/Repeatable", {
  defaultValue: () => true
})

/** What OpenAPI calls it. */
export const ignoresIdempotencyKey = "x-ignores-idempotency-key"

/** Says of a route that it is not {@link Repeatable}. */
export const neverRepeated = Context.merge(
  Context.make(Repeatable, false),
  OpenApi.annotations({ override: { [ignoresIdempotencyKey]: true } })
)

/** What a route does, in a sentence for the documentation. */
export const summary = (text: string) => OpenApi.annotations({ summary: text })

const digits = /^-?\d{1,19}$/u

/**
 * A whole number in a path or a query: plain digits, so that `1e0` or `+1` is no other name of 1. What else it has
 * to be is for the number's own schema to say.
 */
export const wholeNumber = <A extends number>(number: Schema.Codec<A, number>): Schema.Codec<A, string> =>
  Schema.String.check(check<string>("invalid", (text) => digits.test(text), { pattern: digits.source })).pipe(
    Schema.decodeTo(number, {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    })
  )

/** `true` or `false` in a query. */
export const flag = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(Schema.Boolean, {
    decode: SchemaGetter.transform((text: "true" | "false") => text === "true"),
    encode: SchemaGetter.transform((value: boolean) => (value ? "true" : "false"))
  })
)

/** The query parameters of a list whose page size is the caller's to choose. */
export const paging = {
  page: Schema.optionalKey(wholeNumber(PageNumber)),
  per_page: Schema.optionalKey(wholeNumber(PerPage))
}
