/**
 * Whether both servers do the same, before anything is measured: each probe is sent to Livery, then to the peer, and
 * their responses, the rows that they wrote in any table, their log lines and their metrics are compared.
 */
import { hash, randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import type { Bed } from "./Bed.ts"
import { difference } from "./Difference.ts"
import { comparable, comparableResponse, exchange, noTrip, ownOf, type Response } from "./Exchange.ts"
import type { Probe } from "./Probes.ts"
import { type Rows, rowsOf } from "./Rows.ts"
import type { Server } from "./Servers.ts"

/** A running server, and the file of its log. */
export interface Subject {
  readonly server: Server
  readonly log: string
}

/** The effects of a probe on one server. */
interface Seen {
  readonly response: Response
  readonly text: ReadonlyArray<string>
  readonly rows: ReadonlyArray<string>
}

const lookAt = async (rows: Rows, { port }: Server, { request }: Probe): Promise<Seen> => {
  const mark = await rows.mark()
  const response = await exchange(port, request)
  const own = ownOf(response)
  const seen = { response, text: comparableResponse(response, own), rows: await rows.since(mark, own) }
  // The other server must not warn that its trip is likely to duplicate this one.
  await rows.run(
    `update trips set deleted_at = now() where xmin::text::bigint >= ${mark} and deleted_at is null`
  )
  return seen
}

/** Limits count by the minute of the clock: a pair of requests should fall into one. */
const awayFromTheMinute = async () => {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 3_000) await pause(left + 50)
}

const requestIdOf = ({ headers }: Response) => headers["x-request-id"] ?? ""

/** The id in the header must be the one in the envelope. */
const wrongId = ({ body, headers }: Response) =>
  /^req_[0-9a-f]{24}$/u.test(headers["x-request-id"] ?? "") &&
  body.includes(`"request_id":"${headers["x-request-id"]}"`)
    ? []
    : [`X-Request-Id ${headers["x-request-id"]} is not the id in the body`]

/** The log line of each request, without the parts that differ between requests. */
const logLines = (file: string) => {
  const found = new Map<string, string>()
  for (const text of readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("{"))) {
    const { duration_ms, request_id, time, ...rest } = JSON.parse(text) as Record<string, unknown>
    if (rest["message"] !== "request") continue
    const kinds = { time: typeof time, request_id: typeof request_id, duration_ms: typeof duration_ms }
    const line = Object.entries({ ...rest, ...kinds }).sort(([one], [other]) => (one < other ? -1 : 1))
    found.set(String(request_id), JSON.stringify(Object.fromEntries(line)))
  }
  return found
}

/** The series that count requests: how many by route and status, and how many in each histogram. */
const requestSeries = async ({ server }: Subject) => {
  const { body } = await exchange(server.port, { method: "GET", path: "/metrics", headers: {} })
  const pattern = /^livery_http_request(?:s_total|_seconds_count)\{/u
  return body
    .split("\n")
    .filter((line) => pattern.test(line) && !line.includes('route="/metrics"'))
    .sort()
}

/**
 * How often a row is polled until it was written, at intervals of 50 ms: Livery records the use of a key after the
 * request.
 */
const maxPolls = 40

/** The use of a key is recorded once a minute by each server, so each gets a key of its own that was never used. */
const keyUses = async (
  rows: Rows,
  { apiKey, businessId }: Bed,
  subjects: ReadonlyArray<Subject>,
  { request }: Probe
) => {
  const found: Array<ReadonlyArray<string>> = []
  const become = (key: string, rest = "") =>
    rows.run(
      `update api_keys set key_hash = '${hash("sha256", key, "hex")}'${rest} where business_id = ${businessId}`
    )
  for (const { server } of subjects) {
    const key = `lvk_${randomBytes(32).toString("base64url")}`
    await become(key, ", last_used_at = null")
    await exchange(server.port, { ...request, headers: { Authorization: `Bearer ${key}` } })
    for (let poll = 0; poll < maxPolls; poll++) {
      const { rowCount } = await rows.run(
        `select from api_keys where business_id = ${businessId} and last_used_at is not null`
      )
      if (rowCount !== 0) break
      await pause(50)
    }
    await become(apiKey)
    const lines = await rows.of("api_keys", noTrip)
    found.push(lines.map((line) => comparable(line, noTrip)))
  }
  return found
}

/** The differences, a line each; empty if both servers do the same. */
export const differences = async (
  bed: Bed,
  livery: Subject,
  peer: Subject,
  probes: ReadonlyArray<Probe>,
  { sharesCounters }: { readonly sharesCounters: boolean }
): Promise<ReadonlyArray<string>> => {
  const rows = await rowsOf(bed.url)
  // The first booking with an email stores this row.
  await rows.run(
    `insert into customer_email_locks (business_id) values (${bed.businessId}) on conflict do nothing`
  )
  // Shared counters count for both servers together.
  const compared = (lines: ReadonlyArray<string>) =>
    sharesCounters ? lines.filter((line) => !line.startsWith("x-ratelimit-remaining:")) : lines
  const found: Array<string> = []
  const seen: Array<{ readonly probe: Probe; readonly ours: Seen; readonly theirs: Seen }> = []
  for (const probe of probes) {
    await awayFromTheMinute()
    const ours = await lookAt(rows, livery.server, probe)
    const theirs = await lookAt(rows, peer.server, probe)
    seen.push({ probe, ours, theirs })
    const reported = [
      ...difference("response", compared(ours.text), compared(theirs.text)),
      ...difference("rows", ours.rows, theirs.rows),
      ...wrongId(ours.response),
      ...wrongId(theirs.response)
    ]
    found.push(...reported.map((line) => `${probe.name}: ${line}`))
  }
  const pinged = probes.find(({ name }) => name === "GET /ping")
  if (pinged !== undefined) {
    const [ours = [], theirs = []] = await keyUses(rows, bed, [livery, peer], pinged)
    found.push(...difference("the note that a key was used", ours, theirs))
  }
  await rows.close()
  found.push(...difference("metrics", await requestSeries(livery), await requestSeries(peer)))
  await pause(500)
  const [ourLog, theirLog] = [logLines(livery.log), logLines(peer.log)]
  for (const { ours, probe, theirs } of seen) {
    const line = (log: ReadonlyMap<string, string>, { response }: Seen) =>
      log.get(requestIdOf(response)) ?? "no line"
    found.push(...difference(`${probe.name}: log`, [line(ourLog, ours)], [line(theirLog, theirs)]))
  }
  return found
}
