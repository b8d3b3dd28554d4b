/**
 * The issues of input fields: a closed vocabulary that clients branch on (docs/api/errors.md). HTTP, the command line
 * and embedders share it.
 *
 * A check names its issue in the annotation `fieldIssue`. For a failure without that annotation, the kind of failure
 * decides the issue.
 */
import { Result, Schema, type SchemaAST, type SchemaIssue } from "effect"

/** The words of the vocabulary. */
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

/**
 * One wrong field: its path in the input, joined by dots, and its issue. `accepted` describes the values that the field
 * takes; only an `unknown_value`, and an `out_of_range` whose bounds are fixed, have it.
 */
export const FieldIssue = Schema.Struct({
  field: Schema.String,
  issue: Issue,
  accepted: Schema.optionalKey(Schema.String)
})
export type FieldIssue = typeof FieldIssue.Type

const isWord = Schema.is(Issue)

const numberOrNone = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

/** The bounds that a JSON Schema states, in words; `undefined` if it states none. */
const boundsIn = (schema: Record<string, unknown>): string | undefined => {
  const above = numberOrNone(schema["exclusiveMinimum"])
  const least = numberOrNone(schema["minimum"])
  const most = numberOrNone(schema["maximum"])
  if (above !== undefined)
    return most === undefined ? `more than ${above}` : `more than ${above}, at most ${most}`
  if (least !== undefined) return most === undefined ? `at least ${least}` : `${least} to ${most}`
  return most === undefined ? undefined : `at most ${most}`
}

/**
 * A check on a value whose failure is reported as `issue`. `jsonSchema` documents the check in OpenAPI. `accepted` are the
 * values of a field that takes only some, for the message; by default the bounds in `jsonSchema`.
 */
export const check = <T>(
  issue: Issue,
  isValid: (value: T) => boolean,
  jsonSchema: Record<string, unknown> = {},
  accepted: string | undefined = issue === "out_of_range" ? boundsIn(jsonSchema) : undefined
) =>
  Schema.makeFilter<T>((value) => isValid(value), {
    fieldIssue: issue,
    accepted,
    expected: issue,
    toJsonSchema: () => jsonSchema
  })

/** A rule about several fields of an object: one of them must be sent unless another is. */
interface FieldRule {
  readonly field: string
  readonly isMet: (input: object) => boolean
}

/**
 * A check that an object has a field, for a field that only some objects need. If other fields of the object are wrong,
 * the check is made on the input as it was sent, so that one answer names all wrong fields. `isMet` must therefore accept
 * any object.
 */
export const requiredUnless = (
  field: string,
  isMet: (input: object) => boolean,
  jsonSchema: Record<string, unknown> = {}
) =>
  Schema.makeFilter<object>(isMet, {
    fieldIssue: "required",
    fieldRule: { field, isMet } satisfies FieldRule,
    expected: "required",
    toJsonSchema: () => jsonSchema
  })

/**
 * The same for a rule that the use case checks, together with the other values. It fails no object: the field is only named
 * beside other fields of a wrong form.
 */
export const requiredLaterUnless = (field: string, isMet: (input: object) => boolean) =>
  Schema.makeFilter<object>(() => true, { fieldRule: { field, isMet } satisfies FieldRule })

const isRule = (value: unknown): value is FieldRule =>
  typeof value === "object" && value !== null && "field" in value && "isMet" in value

/** The rules of an object that failed for other reasons, which are therefore not checked yet. */
const brokenRules = (issue: SchemaIssue.Composite): ReadonlyArray<FieldRule> => {
  const { ast, input } = issue
  if (ast._tag !== "Objects" || typeof input !== "object" || input === null) return []
  return (ast.checks ?? []).flatMap(({ annotations }) => {
    const rule = annotations?.["fieldRule"]
    return isRule(rule) && !rule.isMet(input) ? [rule] : []
  })
}

/** The issues of an object and its broken rules, in the order of the object's fields. */
const inOrder = (issue: SchemaIssue.Composite) => {
  const inner = issue.issues.map((inner) => ({
    field: inner._tag === "Pointer" ? String(inner.path[0]) : "",
    inner
  }))
  const rules = brokenRules(issue).map(({ field }) => ({ field, inner: undefined }))
  if (rules.length === 0 || issue.ast._tag !== "Objects") return inner
  const names = issue.ast.propertySignatures.map(({ name }) => String(name))
  return [...inner, ...rules].toSorted((one, other) => names.indexOf(one.field) - names.indexOf(other.field))
}

/** A check that a number is from `minimum` to `maximum`. */
export const between = (minimum: number, maximum: number) =>
  check<number>("out_of_range", (value) => value >= minimum && value <= maximum, { minimum, maximum })

/** A check that a number is more than zero, and at most `maximum`. */
export const moreThanZero = (maximum: number) =>
  check<number>("out_of_range", (value) => value > 0 && value <= maximum, { exclusiveMinimum: 0, maximum })

/** Whether a schema lists its values. Only then is another text an `unknown_value`. */
const enumerates = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Literal" || ast._tag === "Null" || (ast._tag === "Union" && ast.types.every(enumerates))

/** The values that a schema lists. */
const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (ast._tag === "Literal") return [String(ast.literal)]
  return ast._tag === "Union" ? ast.types.flatMap(literalsOf) : []
}

/** The values that a field takes, or the names of the parameters of a query, if the schema lists them. */
const acceptedBy = (leaf: SchemaIssue.Issue): string | undefined => {
  if (leaf._tag === "AnyOf") return literalsOf(leaf.ast).join(", ")
  if (leaf._tag !== "UnexpectedKey" || leaf.ast._tag !== "Objects") return undefined
  return leaf.ast.propertySignatures.map(({ name }) => String(name)).join(", ")
}

/** The issue of a failure without an annotation. */
const wordFor = (leaf: SchemaIssue.Issue): Issue => {
  switch (leaf._tag) {
    case "MissingKey":
      return "required"
    case "UnexpectedKey":
      return "unknown_value"
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

/** Whether a failed check refuses a fraction where an integer is required: `invalid`. Other unnamed checks are bounds. */
const isFraction = ({ filter, input }: SchemaIssue.Filter) =>
  filter.annotations?.representation?.id === "effect/schema/isInt" && !Number.isInteger(input)

/** Whether a value is refused for its type, not for what it holds. */
const isOfOtherType = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "InvalidType" || (issue._tag === "Encoding" && isOfOtherType(issue.issue))

/**
 * The annotation of a schema with a default for an absent value: the schema of a value that is sent. Because of the default, Effect
 * checks the form of the value first, without the rules of objects and the items of lists.
 */
export const withoutDefault = "withoutDefault"

/** The failure of the whole value, if only its form was checked. */
const wholeIssue = ({ ast, issue }: SchemaIssue.Encoding): SchemaIssue.Issue | undefined => {
  const schema = ast.annotations?.[withoutDefault]
  if (!Schema.isSchema(schema) || !("input" in issue)) return undefined
  const decode = Schema.decodeUnknownResult(schema as Schema.Decoder<unknown>, {
    errors: "all",
    reportInput: true
  })
  const result = decode(issue.input)
  return Result.isFailure(result) ? result.failure.issue : undefined
}

/** Adds the issues of a failure to a map by field. `path` is the path of the failed value. */
const collect = (
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey>,
  into: Map<string, FieldIssue>
): void => {
  const add = (word: Issue, within: ReadonlyArray<PropertyKey> = [], accepted?: string) => {
    const field = [...path, ...within].map(String).join(".")
    // The first issue of a field is the most useful: a missing field is not also too short.
    if (!into.has(field)) into.set(field, { field, issue: word, ...(accepted ? { accepted } : {}) })
  }
  const addLeaf = (leaf: SchemaIssue.Issue) => {
    const word = wordFor(leaf)
    add(word, [], word === "unknown_value" ? acceptedBy(leaf) : undefined)
  }
  switch (issue._tag) {
    case "Pointer":
      return collect(issue.issue, [...path, ...issue.path], into)
    case "Composite":
      for (const { field, inner } of inOrder(issue))
        if (inner === undefined) add("required", [field])
        else collect(inner, path, into)
      return
    case "Encoding":
      return collect(wholeIssue(issue) ?? issue.issue, path, into)
    case "Filter": {
      const word = issue.filter.annotations?.["fieldIssue"]
      const rule = issue.filter.annotations?.["fieldRule"]
      if (isRule(rule)) return add("required", [rule.field])
      if (isWord(word)) {
        const accepted = issue.filter.annotations?.["accepted"]
        return add(word, [], typeof accepted === "string" ? accepted : undefined)
      }
      if (issue.issue._tag !== "InvalidValue") return collect(issue.issue, path, into)
      return add(isFraction(issue) ? "invalid" : "out_of_range")
    }
    case "AnyOf": {
      // The issue to report is that of the one schema for a value of this type, such as a list in a union with an object.
      const ofType = issue.issues.filter((one) => !isOfOtherType(one))
      const [only, ...others] = ofType.length === 0 ? issue.issues : ofType
      return only !== undefined && others.length === 0 ? collect(only, path, into) : addLeaf(issue)
    }
    default:
      return addLeaf(issue)
  }
}

/**
 * Every wrong field of a failed decoding, once each, in the order of the schema.
 *
 * Decode with `{ errors: "all", reportInput: true }`. Without them, only the first wrong field is known, and a `null`
 * in place of a required value reads as `invalid`.
 */
export const fieldIssues = (issue: SchemaIssue.Issue): ReadonlyArray<FieldIssue> => {
  const byField = new Map<string, FieldIssue>()
  collect(issue, [], byField)
  return [...byField.values()]
}
