/**
 * The load: `wrk`, a process of its own written in C. It costs 2 to 4 µs of processor a request, where a client on Node
 * costs as much as the faster of the two servers, and would take that from them: all share the machine's processors.
 * It keeps its connections, sends a request only after the response to the one before, and times each in microseconds.
 */
import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { promisify } from "node:util"

const run = promisify(execFile)

/** A request, without the headers that depend on the client. */
export interface Request {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The result of a turn of load. Times are in milliseconds. */
export interface Turn {
  readonly requests: number
  readonly seconds: number
  readonly p50: number
  readonly p99: number
}

/** A request as it is sent. */
const textOf = ({ body, headers, method, path }: Request) => {
  const all = {
    Host: "127.0.0.1",
    ...headers,
    ...(body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) })
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`
}

/** A Lua literal: its decimal escapes can write any byte. */
const quoted = (text: string) =>
  `"${[...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, "0")}`).join("")}"`

const script = (requests: ReadonlyArray<Request>, fresh: string | undefined) => `
local requests = {}
local function add(text) requests[#requests + 1] = text end
${requests.map((request) => `add(${quoted(textOf(request))})`).join("\n")}
local last, number = math.random(#requests), math.random(1, 9) * 10000000
function request()
  last = last % #requests + 1
  local text = requests[last]${
    fresh === undefined
      ? ""
      : `
  if text:find(${quoted(fresh)}, 1, true) then
    number = number + 1
    text = text:gsub(${quoted(fresh)}, string.format("%08d", number))
  end`
  }
  return text
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"micros":%d,"p50":%d,"p99":%d,"refused":%d,"late":%d,"broken":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
    errors.timeout, errors.connect + errors.read + errors.write))
end
`

/**
 * Writes a file of requests that {@link load} sends repeatedly. Each turn starts with another one. `fresh`, a text of
 * eight letters, is replaced by a new number in each request.
 */
export const prepareLoad = (file: string, requests: ReadonlyArray<Request>, fresh?: string) =>
  writeFile(file, script(requests, fresh))

interface Reported {
  readonly requests: number
  readonly micros: number
  readonly p50: number
  readonly p99: number
  readonly refused: number
  readonly late: number
  readonly broken: number
}

/** Sends requests for `seconds` over `connections`. Any response except a success is an error. */
export const load = async (
  port: number,
  file: string,
  connections: number,
  seconds: number
): Promise<Turn> => {
  const args = [
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    "--timeout",
    "20s",
    "-s",
    file,
    `http://127.0.0.1:${port}`
  ]
  const { stdout } = await run("wrk", args).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new Error("wrk is missing: apt-get install wrk") : error
  })
  const reported = JSON.parse(stdout.slice(stdout.lastIndexOf("{"))) as Reported
  if (reported.refused + reported.late + reported.broken > 0)
    throw new Error(
      `${reported.refused} responses were refusals, ${reported.late} took over 20 s, and ${reported.broken} connections broke`
    )
  return {
    requests: reported.requests,
    seconds: reported.micros / 1e6,
    p50: reported.p50 / 1000,
    p99: reported.p99 / 1000
  }
}
