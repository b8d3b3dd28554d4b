/**
 * Whether both servers do the same, before anything is measured: each probe is sent to Livery, then to the peer, and
 * their responses, the rows that they wrote in any table, their log lines and their metrics are compared.
 */
import { readFileSync } from "node:fs"
import { setTimeout as pause } from "node:timers/promises"
import type { Bed } from "./Bed.ts"
import { difference } from "./Difference.ts"
import { comparable, comparableResponse, exchange, ownOf, type Response } from "./Exchange.ts"
import type { Probe } from "./Probes.ts"
import { type Rows, rowsOf } from "./Rows.ts"
import type { Server } from "./Servers.ts"

/** A running server, and the file of its log. */
export interface Subject {
  readonly server: Server
  readonly log: string
}

/** What a probe led to on one server. */
interface Seen {
  readonly response: Response
  readonly text: ReadonlyArray<string>
  readonly rows: ReadonlyArray<string>
}

const lookAt = async (rows: Rows, { port }: Server, { request }: Probe): Promise<Seen> => {
  const mark = await rows.mark()
  const response = await exchange(port, request)
  const own = ownOf(response)
  return { response, text: comparableResponse(response, own), rows: await rows.since(mark, own) }
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

/** The log line of each request, without what must differ. */
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

/** Notes of a key's use are made once a minute: after a while without any, both servers must make one. */
const keyUses = async (rows: Rows, subjects: ReadonlyArray<Subject>, { request }: Probe) => {
  const found: Array<ReadonlyArray<string>> = []
  for (const { server } of subjects) {
    await rows.run("update api_keys set last_used_at = null")
    await pause(1_000)
    await exchange(server.port, request)
    found.push(
      (await rows.of("api_keys", { tripId: undefined })).map((line) =>
        comparable(line, { tripId: undefined })
      )
    )
  }
  return found
}

/** What differs, a line each; none if both servers do the same. */
export const differences = async (
  { url }: Bed,
  livery: Subject,
  peer: Subject,
  probes: ReadonlyArray<Probe>,
  { sharesCounters }: { readonly sharesCounters: boolean }
): Promise<ReadonlyArray<string>> => {
  const rows = await rowsOf(url)
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
    const told = [
      ...difference("response", compared(ours.text), compared(theirs.text)),
      ...difference("rows", ours.rows, theirs.rows),
      ...wrongId(ours.response),
      ...wrongId(theirs.response)
    ]
    found.push(...told.map((line) => `${probe.name}: ${line}`))
  }
  const pinged = probes.find(({ name }) => name === "GET /ping")
  if (pinged !== undefined) {
    const [ours = [], theirs = []] = await keyUses(rows, [livery, peer], pinged)
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
