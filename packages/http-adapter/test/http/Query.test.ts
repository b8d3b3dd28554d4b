import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { FindMyWay } from "effect/http"
import { queryOf } from "../../src/http/request/Query.ts"

/** The parameters that Effect's router reads. */
const asRouted = (target: string) => {
  const router = FindMyWay.make<string>()
  router.on("GET", "/list", "list")
  return { ...router.find("GET", target)?.searchParams }
}

const Piece = Schema.Literals([
  "a",
  "b",
  "=",
  "&",
  "+",
  "%20",
  "%C3%A9",
  "%26",
  "?",
  "page",
  "é",
  "#",
  ";",
  "[]",
  "%",
  "%ff",
  "%zz"
])

it.prop(
  "query parameters are read as Effect's router reads them",
  [Schema.Array(Piece).check(Schema.isMaxLength(12))],
  ([pieces]) => {
    const target = `/list?${pieces.join("")}`
    assert.deepStrictEqual({ ...queryOf(target) }, asRouted(target), target)
  }
)
