/** A quote as its link shows it. */
import type { Brand } from "../shell/Brand.ts"

/** The record of `GET /public/quotes/{token}`. */
export interface Quote {
  readonly reference: string
  readonly status: "draft" | "sent" | "accepted" | "rejected" | "expired" | "converted"
  readonly allowed_transitions: ReadonlyArray<string>
  readonly customer_name: string | null
  readonly currency: string
  readonly items: ReadonlyArray<{
    readonly description: string
    readonly amount: number | null
    readonly trip_date: string | null
    readonly pickup_timezone: string | null
    readonly pickup_address: string | null
    readonly dropoff_address: string | null
  }>
  readonly total_amount: number | null
  readonly valid_until: string | null
  readonly timezone: string
  readonly business: Brand
}
