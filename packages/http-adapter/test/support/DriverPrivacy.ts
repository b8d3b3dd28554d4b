/** The fields of a trip that a driver must not see: prices, payments and the customer's email. */
import { assert } from "@effect/vitest"
import type { Answer } from "./TestServer.ts"

/** The keys of a value, at any depth. */
const keysOf = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)])
}

const secret = /amount|price|minor|currency|paid|payment|email|fee/iu

/** Checks a response to a driver: it has no field and no value that drivers must not see. */
export const assertPrivate = (answer: Answer) => {
  assert.deepStrictEqual(
    keysOf(answer.body.data).filter((key) => secret.test(key)),
    [],
    answer.text
  )
  assert.notMatch(answer.text, /ada@example\.com|129\.5|12950|unpaid/u)
}
