/**
 * Counts requests and their durations, by the pattern of the route, so that no id and no token appears in a metric.
 * Counting adds to plain numbers; the text is formatted when Prometheus reads it.
 */
import type { RequestState } from "./CurrentRequest.ts"

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
}

const makeSeries = (method: string, route: string): Series => ({
  method,
  route,
  statuses: new Map(),
  buckets: bounds.map(() => 0),
  seconds: 0,
  count: 0
})

const linesOf = ({ buckets, count, method, route, seconds }: Series) => {
  const labels = `method="${method}",route="${route}"`
  const name = "livery_http_request_seconds"
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
 */
export interface RequestMetrics {
  readonly record: (request: RequestState, status: number, millis: number) => void
  readonly format: () => string
}

/** Counters that start at zero. */
export const makeRequestMetrics = (): RequestMetrics => {
  const routes = new Map<string, Map<string, Series>>()
  const seriesOf = (pattern: string, given: string): Series => {
    // Clients choose the method, so unknown methods share one series.
    const method = methods.has(given) ? given : "other"
    const ofRoute = routes.get(pattern) ?? new Map<string, Series>()
    const series = ofRoute.get(method) ?? makeSeries(method, pattern)
    routes.set(pattern, ofRoute.set(method, series))
    return series
  }
  return {
    record: ({ method, pattern = "unknown" }, status, millis) => {
      const series = routes.get(pattern)?.get(method) ?? seriesOf(pattern, method)
      const seconds = millis / 1000
      series.count += 1
      series.seconds += seconds
      series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1)
      for (let index = bounds.length - 1; index >= 0; index--) {
        if (seconds > (bounds[index] ?? 0)) break
        series.buckets[index] = (series.buckets[index] ?? 0) + 1
      }
    },
    format: () => {
      const all = [...routes.values()].flatMap((ofRoute) => [...ofRoute.values()])
      const counts = all.flatMap(({ method, route, statuses }) =>
        [...statuses].map(
          ([status, count]) =>
            `livery_http_requests_total{method="${method}",route="${route}",status="${status}"} ${count}`
        )
      )
      return [
        "# HELP livery_http_requests_total Requests by route and status",
        "# TYPE livery_http_requests_total counter",
        ...counts,
        "# HELP livery_http_request_seconds How long requests took, by route",
        "# TYPE livery_http_request_seconds histogram",
        ...all.flatMap(linesOf),
        ""
      ].join("\n")
    }
  }
}
