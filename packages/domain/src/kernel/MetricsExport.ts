/** The export of metrics at an interval, beside the scrape of `GET /metrics`. */
import { Context, type Duration, type Metric } from "effect"

/**
 * - `interval`: how often metrics are exported. Metrics that are measured for the export are measured as often.
 * - `sources`: functions that return the state of metrics that are not in Effect's registry.
 */
export interface MetricsExportShape {
  readonly interval: Duration.Duration
  readonly sources: Set<() => ReadonlyArray<Metric.Metric.Snapshot>>
}

/** The export of this process; `undefined` if metrics are only scraped. */
export const MetricsExport = Context.Reference<MetricsExportShape | undefined>(
  "@livery/domain/MetricsExport",
  { defaultValue: () => undefined }
)
