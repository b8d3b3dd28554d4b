/**
 * Tests of the comparison that `bench:api` makes before it measures: it must find every difference between the two
 * servers.
 */
import { describe, expect, it } from "vitest"
import { difference } from "../bench/api/Difference.ts"
import { comparableResponse, ownOf, type Response } from "../bench/api/Exchange.ts"
import { medianBounds } from "../bench/api/MedianBounds.ts"
import { scriptOf } from "../bench/api/Pgbench.ts"
import { statementsIn } from "../bench/api/Statements.ts"

/** The response to a booking, with what is its own. */
const created = (own: { readonly trip: number; readonly reference: string; readonly request: string }) => {
  const now = `${new Date().toISOString().slice(0, 19)}Z`
  const data = { trip_id: own.trip, reference: own.reference, notes: null, created_at: now }
  return {
    status: 201,
    headers: { "x-request-id": own.request, "content-type": "application/json", date: "now" },
    body: JSON.stringify({ data, meta: { request_id: own.request } })
  }
}

const ours = created({ trip: 12, reference: "TR-7K2M9QX", request: `req_${"a".repeat(24)}` })
const theirs = created({ trip: 13, reference: "TR-0000000", request: `req_${"b".repeat(24)}` })

const compared = (one: Response, other: Response) =>
  difference("response", comparableResponse(one, ownOf(one)), comparableResponse(other, ownOf(other)))

describe("Comparing responses", () => {
  it("finds no difference in ids, references and times of this minute", () => {
    expect(compared(ours, theirs)).toEqual([])
  })

  it("finds another value and shows its place", () => {
    const [found = ""] = compared(ours, { ...theirs, body: theirs.body.replace("null", '"x"') })
    expect(found).toMatch(/Livery has …?.*"notes":null.*\n.*the peer …?.*"notes":"x"/u)
  })

  it("finds another order of fields", () => {
    const body = theirs.body.replace(/("notes":null),("created_at":"[^"]+")/u, "$2,$1")
    expect(compared(ours, { ...theirs, body })).toHaveLength(1)
  })

  it("finds a time of another day", () => {
    const body = theirs.body.replace(/"created_at":"[^"]+"/u, '"created_at":"2020-01-01T00:00:00Z"')
    expect(compared(ours, { ...theirs, body })).toHaveLength(1)
  })

  it("finds another status, another header and one that is missing", () => {
    const headers = { ...theirs.headers, "content-type": "application/json; charset=utf-8" }
    expect(compared(ours, { ...theirs, headers })).toHaveLength(1)
    expect(compared(ours, { ...theirs, headers: { ...theirs.headers, etag: '"x"' } })).toEqual([
      'response: the peer alone has etag: "x"'
    ])
    const refused = comparableResponse({ ...theirs, status: 200 }, ownOf(theirs))
    expect(difference("response", comparableResponse(ours, ownOf(ours)), refused)).toHaveLength(1)
  })

  it("finds a row that is written once more", () => {
    const row = 'events {"body": "x"}'
    expect(difference("rows", [row], [row, row])).toEqual([`rows: the peer alone has ${row}`])
  })
})

const log = [
  "2026-11-22 00:01:53.200 UTC [16484] LOG:  statement: BEGIN",
  "2026-11-22 00:01:53.201 UTC [16484] LOG:  execute livery_x_0: ",
  "\t  INSERT INTO trips (reference, notes, total_minor)",
  "\t  VALUES ($1, $2, $3)",
  "2026-11-22 00:01:53.201 UTC [16484] DETAIL:  Parameters: $1 = 'TR-7K2M9QX', $2 = 'it''s, $3 = here",
  "\tand there', $3 = NULL",
  "2026-11-22 00:01:53.203 UTC [16484] LOG:  statement: COMMIT",
  ""
].join("\n")

describe("The statements for pgbench", () => {
  it("are read from PostgreSQL's log with their values", () => {
    expect(statementsIn(log)).toEqual([
      { text: "BEGIN", values: [] },
      {
        text: "INSERT INTO trips (reference, notes, total_minor)\n  VALUES ($1, $2, $3)",
        values: ["TR-7K2M9QX", "it's, $3 = here\nand there", null]
      },
      { text: "COMMIT", values: [] }
    ])
  })

  it("draw references anew and take the other values from variables", () => {
    const { text, variables } = scriptOf(statementsIn(log))
    expect(text).toContain("VALUES (('TR-' || :client_id || '-' || :drawn), :v1_2, NULL);")
    expect(variables).toEqual({ v1_2: "it's, $3 = here\nand there" })
  })
})

describe("The bounds of a median", () => {
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index)

  it("are values that the true median passes with a probability of at most 5 %", () => {
    // Of 5 coins none shows heads with 3.1 %, of 12 at most two with 1.9 % and at most three with 7.3 %.
    expect(medianBounds(upTo(5))).toEqual([1, 5])
    expect(medianBounds(upTo(12))).toEqual([3, 10])
    expect(medianBounds(upTo(20))).toEqual([6, 15])
  })

  it("are unknown for fewer than five values", () => {
    expect(medianBounds(upTo(4))).toBeUndefined()
    expect(medianBounds([])).toBeUndefined()
  })

  it("do not depend on the distribution of the values", () => {
    expect(medianBounds([0.1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 900])).toEqual([1, 1])
  })
})
