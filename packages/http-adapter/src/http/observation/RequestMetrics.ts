/**
 * Counts requests and their durations, by the pattern of the route, so that no id and no token appears in a metric.
 * Counting adds to plain numbers; they are formatted when Prometheus reads them, or when they are exported.
 */
import type { Metric } from "effect"
import type { RequestState } from "@livery/contract"

/** Upper bounds of the buckets of `livery_http_request_seconds`, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

interface Series {
  readonly method: string
  readonly route: string
  readonly statuses: Map<number, number>
  readonly buckets: Array<number>
  seconds: number
  count: number
  min: number
  max: number
}

const makeSeries = (method: string, route: string): Series => ({
  method,
  route,
  statuses: new Map(),
  buckets: bounds.map(() => 0),
  seconds: 0,
  count: 0,
  min: Infinity,
  max: 0
})

const names = { requests: "livery_http_requests_total", seconds: "livery_http_request_seconds" }
const help = {
  requests: "Requests by route and status",
  seconds: "How long requests took, by route"
}

/** The state of a series, as Effect's metrics return theirs. */
const snapshotsOf = ({ buckets, count, min, method, max, route, seconds, statuses }: Series) => [
  ...[...statuses].map(([status, count]): Metric.Metric.Snapshot => ({
    id: names.requests,
    type: "Counter",
    description: help.requests,
    attributes: { method, route, status: String(status) },
    state: { count, incremental: true }
  })),
  {
    id: names.seconds,
    type: "Histogram",
    description: help.seconds,
    attributes: { method, route },
    state: {
      buckets: bounds.map((bound, index): [number, number] => [bound, buckets[index] ?? 0]),
      count,
      min,
      max,
      sum: seconds
    }
  } satisfies Metric.Metric.Snapshot
]

const linesOf = ({ buckets, count, method, route, seconds }: Series) => {
  const labels = `method="${method}",route="${route}"`
  const name = names.seconds
  return [
    ...bounds.map((bound, index) => `${name}_bucket{${labels},le="${bound}"} ${buckets[index] ?? 0}`),
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${seconds}`,
    `${name}_count{${labels}} ${count}`
  ]
}

/**
 * - `record`: counts a request that ended with that status after so many milliseconds.
 * - `format`: the series in Prometheus' text format.
 * - `snapshots`: the same series, for an exporter.
 */
export interface RequestMetrics {
  readonly record: (request: RequestState, status: number, millis: number) => void
  readonly format: () => string
  readonly snapshots: () => ReadonlyArray<Metric.Metric.Snapshot>
}

/** Counters that start at zero. */
export const makeRequestMetrics = (): RequestMetrics => {
  const routes = new Map<string, Map<string, Series>>()
  const seriesOf = (pattern: string, requestMethod: string): Series => {
    // Clients choose the method, so unknown methods share one series.
    const method = methods.has(requestMethod) ? requestMethod : "other"
    const ofRoute = routes.get(pattern) ?? new Map<string, Series>()
    const series = ofRoute.get(method) ?? makeSeries(method, pattern)
    routes.set(pattern, ofRoute.set(method, series))
    return series
  }
  const all = () => [...routes.values()].flatMap((ofRoute) => [...ofRoute.values()])
  return {
    record: ({ method, pattern = "unknown" }, status, millis) => {
      const series = routes.get(pattern)?.get(method) ?? seriesOf(pattern, method)
      // Negative if the clock was set back meanwhile. A sum that falls would look like a restart of the process.
      const seconds = Math.max(0, millis) / 1000
      series.count += 1
      series.seconds += seconds
      series.min = Math.min(series.min, seconds)
      series.max = Math.max(series.max, seconds)
      series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1)
      for (let index = bounds.length - 1; index >= 0; index--) {
        if (seconds > (bounds[index] ?? 0)) break
        series.buckets[index] = (series.buckets[index] ?? 0) + 1
      }
    },
    snapshots: () => all().flatMap(snapshotsOf),
    format: () => {
      const series = all()
      const counts = series.flatMap(({ method, route, statuses }) =>
        [...statuses].map(
          ([status, count]) =>
            `${names.requests}{method="${method}",route="${route}",status="${status}"} ${count}`
        )
      )
      return [
        `# HELP ${names.requests} ${help.requests}`,
        `# TYPE ${names.requests} counter`,
        ...counts,
        `# HELP ${names.seconds} ${help.seconds}`,
        `# TYPE ${names.seconds} histogram`,
        ...series.flatMap(linesOf),
        ""
      ].join("\n")
    }
  }
}
