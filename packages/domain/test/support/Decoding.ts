import { type FieldIssue, fieldIssues } from "@livery/domain"
import { Result, Schema } from "effect"

const attempt = <A, I>(schema: Schema.Codec<A, I>, input: unknown) =>
  Schema.decodeUnknownResult(schema)(input, { errors: "all", reportInput: true })

/** The wrong fields of an input, each as `field issue`, in order. */
export const issuesOf = <A, I>(schema: Schema.Codec<A, I>, input: unknown): ReadonlyArray<string> =>
  Result.match(attempt(schema, input), {
    onSuccess: () => [],
    onFailure: (error) => fieldIssues(error.issue).map(({ field, issue }: FieldIssue) => `${field} ${issue}`)
  })

/** The decoded input; throws if it is refused. */
export const decoded = <A, I>(schema: Schema.Codec<A, I>, input: unknown): A =>
  Result.getOrThrow(attempt(schema, input))
