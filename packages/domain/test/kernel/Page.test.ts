import { PageNumber, PerPage } from "@livery/domain"
import { assert, it } from "@effect/vitest"
import { issuesOf } from "../support/Decoding.ts"

it("page starts at 1 and per_page goes from 1 to 100", () => {
  for (const value of [1, 2, 1_000_000]) assert.deepStrictEqual(issuesOf(PageNumber, value), [])
  for (const value of [1, 25, 100]) assert.deepStrictEqual(issuesOf(PerPage, value), [])
  for (const value of [0, -1, 101, 1e21]) assert.deepStrictEqual(issuesOf(PerPage, value), [" out_of_range"])
  for (const value of [0, -1, 1_000_001])
    assert.deepStrictEqual(issuesOf(PageNumber, value), [" out_of_range"])
  for (const value of [1.5, Number.NaN]) assert.strictEqual(issuesOf(PerPage, value).length, 1)
})
