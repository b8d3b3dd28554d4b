/** The input of a request that makes many records at once (docs/api/moving.md). */
import { Effect, Schema, SchemaTransformation } from "effect"
import { InvalidInput } from "../Errors.ts"
import { fieldIssues } from "./FieldIssue.ts"
import { listOf } from "./List.ts"
import { yesOrNo } from "./Optional.ts"

/** The most records that one request makes. */
export const maxBulkItems = 500

/** An item that does not decode, with its wrong fields. The other items are not affected. */
export class UnreadItem {
  readonly error: InvalidInput
  constructor(error: InvalidInput) {
    this.error = error
  }
}

/** Many items in their order: a list, or an object that can say that one refused item undoes the others. */
export type Bulk<A> =
  | ReadonlyArray<A | UnreadItem>
  | { readonly items: ReadonlyArray<A | UnreadItem>; readonly all_or_nothing: boolean }

/** The body of a request with many items, as it is sent. */
export type BulkBody<I> =
  | ReadonlyArray<I>
  | { readonly items: ReadonlyArray<I>; readonly all_or_nothing?: boolean | null }

/** The schema of many items, each of which decodes by itself. */
export const bulkOf = <A, I>(item: Schema.Codec<A, I>): Schema.Codec<Bulk<A>, BulkBody<I>> => {
  // A decoded item is checked already: what takes the place of a wrong one is not checked.
  const either = Schema.make<Schema.Codec<A | UnreadItem>>(Schema.Unknown.ast)
  const each = item.pipe(
    Schema.decodeTo(either, SchemaTransformation.passthrough({ strict: false })),
    Schema.catchDecoding((issue) =>
      Effect.succeedSome(new UnreadItem(new InvalidInput({ issues: fieldIssues(issue) })))
    )
  )
  const items = listOf<A | UnreadItem, I>(each, { least: 1, most: maxBulkItems })
  return Schema.Union([items, Schema.Struct({ items, all_or_nothing: yesOrNo(false) })])
}
