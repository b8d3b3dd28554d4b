/**
 * What is wrong with one field of an input, in the closed vocabulary that clients branch on
 * (specification, Errors: a `details` item has `field` and `issue`).
 *
 * A check says which word it stands for by the annotation `fieldIssue`; what has no annotation of its own is
 * told by the kind of failure. So the vocabulary stands here once, for HTTP, the command line and embedders.
 */
import { Schema, type SchemaAST, type SchemaIssue } from "effect"

/** The words for what can be wrong with a field. */
export const Issue = Schema.Literals([
  "required",
  "invalid",
  "too_short",
  "too_long",
  "out_of_range",
  "unknown_value",
  "not_found",
  "illegal_transition"
])
export type Issue = typeof Issue.Type

/** One wrong field: its path in the input, joined by dots, and what is wrong with it. */
export const FieldIssue = Schema.Struct({ field: Schema.String, issue: Issue })
export type FieldIssue = typeof FieldIssue.Type

const isWord = Schema.is(Issue)

/** A check on a value that, when it fails, is reported as `issue`. */
export const check = <T>(
  issue: Issue,
  holds: (value: T) => boolean,
  jsonSchema: Record<string, unknown> = {}
) =>
  Schema.makeFilter<T>((value) => holds(value), {
    fieldIssue: issue,
    expected: issue,
    toJsonSchema: () => jsonSchema
  })

/** Whether a schema lists its values: only then is a text that it does not hold an unknown one. */
const enumerates = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Literal" || ast._tag === "Null" || (ast._tag === "Union" && ast.types.every(enumerates))

const wordFor = (leaf: SchemaIssue.Issue): Issue => {
  switch (leaf._tag) {
    case "MissingKey":
      return "required"
    case "InvalidType":
      return "input" in leaf && (leaf.input === null || leaf.input === undefined) ? "required" : "invalid"
    case "AnyOf":
      return "input" in leaf && typeof leaf.input === "string" && enumerates(leaf.ast)
        ? "unknown_value"
        : "invalid"
    default:
      return "invalid"
  }
}

/** A fraction is no whole number at all; what else a number may fail without a word of its own is a bound. */
const isFraction = ({ filter, input }: SchemaIssue.Filter) =>
  filter.annotations?.representation?.id === "effect/schema/isInt" && !Number.isInteger(input)

const collect = (
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey>,
  into: Map<string, FieldIssue>
): void => {
  const add = (word: Issue) => {
    const field = path.map(String).join(".")
    // The first word for a field is the most telling: a missing field is not also too short.
    if (!into.has(field)) into.set(field, { field, issue: word })
  }
  switch (issue._tag) {
    case "Pointer":
      return collect(issue.issue, [...path, ...issue.path], into)
    case "Composite":
      for (const inner of issue.issues) collect(inner, path, into)
      return
    case "Encoding":
      return collect(issue.issue, path, into)
    case "Filter": {
      const word = issue.filter.annotations?.["fieldIssue"]
      if (isWord(word)) return add(word)
      if (issue.issue._tag !== "InvalidValue") return collect(issue.issue, path, into)
      return add(isFraction(issue) ? "invalid" : "out_of_range")
    }
    case "AnyOf": {
      // A union of `null` and one real alternative: what the alternative says is what the caller needs to hear.
      const [only, ...others] = issue.issues
      return only !== undefined && others.length === 0 ? collect(only, path, into) : add(wordFor(issue))
    }
    default:
      return add(wordFor(issue))
  }
}

/**
 * Every wrong field of a failed decoding, once each, in the order of the schema.
 *
 * Decode with `{ errors: "all", reportInput: true }`: else only the first is known, and a `null` where a value
 * is required reads as `invalid`.
 */
export const fieldIssues = (issue: SchemaIssue.Issue): ReadonlyArray<FieldIssue> => {
  const found = new Map<string, FieldIssue>()
  collect(issue, [], found)
  return [...found.values()]
}
