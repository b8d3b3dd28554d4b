/**
 * Checks whether a value already equals its encoded form: every object in it has the schema's fields, in the schema's
 * order, and no others. Such a value is written as JSON directly. Any other value is encoded by its schema, which drops
 * the fields that a response must not contain. The check compares keys only, so it costs a fraction of an encoding.
 */
import { SchemaAST } from "effect"

type Check = (value: unknown) => boolean

const always: Check = () => true

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const fieldsCheck = (
  names: ReadonlyArray<string>,
  optional: ReadonlyArray<boolean>,
  checks: ReadonlyArray<Check>
): Check => {
  const size = names.length
  return (value) => {
    if (!isObject(value)) return false
    let at = 0
    for (const key in value) {
      while (at < size && names[at] !== key) {
        if (optional[at] !== true) return false
        at += 1
      }
      const check = checks[at]
      if (check === undefined || (check !== always && !check(value[key]))) return false
      at += 1
    }
    while (at < size) {
      if (optional[at] !== true) return false
      at += 1
    }
    return true
  }
}

const all = (asts: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<Check> | undefined => {
  const checks = asts.map(canonicalCheck)
  return checks.every((check) => check !== undefined) ? checks : undefined
}

const recordCheck = ({ indexSignatures }: SchemaAST.Objects): Check | undefined => {
  const checks = all(indexSignatures.map(({ type }) => type))
  if (checks === undefined) return undefined
  return checks.every((check) => check === always)
    ? always
    : (value) => isObject(value) && Object.values(value).every((it) => checks.some((check) => check(it)))
}

const objectCheck = (ast: SchemaAST.Objects): Check | undefined => {
  const { indexSignatures, propertySignatures } = ast
  if (propertySignatures.length === 0) return recordCheck(ast)
  const checks = all(propertySignatures.map(({ type }) => type))
  if (checks === undefined || indexSignatures.length > 0) return undefined
  return fieldsCheck(
    propertySignatures.map(({ name }) => String(name)),
    propertySignatures.map(({ type }) => SchemaAST.isOptional(type)),
    checks
  )
}

const arrayCheck = ({ elements, rest }: SchemaAST.Arrays): Check | undefined => {
  const [only, ...others] = rest
  if (elements.length > 0 || only === undefined || others.length > 0) return undefined
  const check = canonicalCheck(only)
  if (check === undefined || check === always) return check
  return (value) => Array.isArray(value) && value.every(check)
}

const unionCheck = ({ types }: SchemaAST.Union): Check | undefined => {
  const checks = all(types.filter(({ _tag }) => _tag !== "Null"))
  if (checks === undefined) return undefined
  return checks.every((check) => check === always)
    ? always
    : (value) => value === null || checks.some((check) => check(value))
}

/**
 * The check for the values of a schema that encodes to JSON; `undefined` if encoding changes the values, so that they
 * must always be encoded.
 */
export const canonicalCheck = (ast: SchemaAST.AST): Check | undefined => {
  // A value of unknown type has to be JSON already.
  if (ast._tag === "Unknown") return always
  if (ast.encoding !== undefined) return undefined
  switch (ast._tag) {
    case "Objects":
      return objectCheck(ast)
    case "Arrays":
      return arrayCheck(ast)
    case "Union":
      return unionCheck(ast)
    case "String":
    case "Number":
    case "Boolean":
    case "Null":
    case "Literal":
      return always
    default:
      return undefined
  }
}
