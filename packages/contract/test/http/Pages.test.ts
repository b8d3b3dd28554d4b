import { offsetOf, PerPage } from "@livery/domain"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { paginationOf } from "@livery/contract"

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))

it.prop(
  "following has_more through the pages shows every item once",
  [Count, PerPage],
  ([total, perPage]) => {
    const all = Array.from({ length: total }, (_, index) => index)
    const seen: Array<number> = []
    let more = true
    for (let page = 1; more; page++) {
      const request = { page, perPage }
      const items = all.slice(offsetOf(request), offsetOf(request) + perPage)
      const block = paginationOf(request, { items, total, hasMore: offsetOf(request) + items.length < total })
      assert.deepStrictEqual(
        [block.page, block.per_page, block.count, block.total],
        [page, perPage, items.length, total]
      )
      if (block.has_more) assert.isBelow(page, block.total_pages ?? 0)
      else assert.strictEqual(Math.max(1, block.total_pages ?? 0), page)
      seen.push(...items)
      more = block.has_more
    }
    assert.deepStrictEqual(seen, all)
  }
)

it("an uncounted total leaves both totals out", () => {
  const block = paginationOf({ page: 3, perPage: 2 }, { items: ["a"], total: undefined, hasMore: true })
  assert.deepStrictEqual(block, { page: 3, per_page: 2, count: 1, has_more: true })
})

it("an empty list has no pages", () => {
  const block = paginationOf({ page: 1, perPage: 20 }, { items: [], total: 0, hasMore: false })
  assert.deepStrictEqual(block, {
    page: 1,
    per_page: 20,
    count: 0,
    total: 0,
    total_pages: 0,
    has_more: false
  })
})
