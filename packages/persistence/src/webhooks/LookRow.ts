/** What the statement that claims answers with. Not decoded: each delivery comes by here. */
import type { BusinessId, DeliveryId, EndpointId, EventType } from "@livery/domain"

interface OfDelivery {
  readonly endpoint_id: EndpointId
  readonly delivery_id: DeliveryId
  readonly event_id: string
  readonly attempt: number
}

/** A delivery that was claimed. What else there is to know of it stands in the row of its endpoint. */
export interface ClaimedRow extends OfDelivery {
  readonly told: null
  readonly age_ms: number
  readonly event_type: EventType
  readonly body: string
}

/** Where to send what was claimed for one endpoint, and with which secrets. */
export interface EndpointRow {
  readonly told: "endpoint"
  readonly business_id: BusinessId
  readonly endpoint_id: EndpointId
  readonly url: string
  readonly sealed_secret: string
  readonly retired_secrets: ReadonlyArray<string>
}

/** A delivery of which something else is told: an attempt that went silent, or that it failed unsent. */
export interface BesideRow extends OfDelivery {
  readonly told: "revived" | "given up" | "forsaken" | "unsent"
  readonly business_id: BusinessId
}

/** One row, told apart by `told`. */
export type LookRow = ClaimedRow | EndpointRow | BesideRow
