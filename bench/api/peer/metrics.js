/** Prometheus metrics by route and status, with the series of each combination looked up once. */
import { Counter, Histogram, register } from "prom-client"

const requests = new Counter({
  name: "livery_http_requests_total",
  help: "Requests by route and status",
  labelNames: ["method", "route", "status"]
})

const seconds = new Histogram({
  name: "livery_http_request_seconds",
  help: "How long requests took, by route",
  labelNames: ["method", "route"],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})

const series = new Map()

const seriesOf = (method, route, status) => {
  const key = `${method} ${route} ${status}`
  const known = series.get(key)
  if (known !== undefined) return known
  const made = { count: requests.labels(method, route, String(status)), took: seconds.labels(method, route) }
  series.set(key, made)
  return made
}

/** Counts a request that took `millis`. */
export const measured = (method, route, status, millis) => {
  const { count, took } = seriesOf(method, route, status)
  count.inc()
  took.observe(millis / 1000)
}

/** All series as text. */
export const scrape = () => register.metrics()
