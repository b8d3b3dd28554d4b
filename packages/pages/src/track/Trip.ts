/** A trip as its tracking link shows it, and what the page says about it. */
import type { Brand } from "../shell/Brand.ts"

/** A point on the earth, in degrees. */
export interface Point {
  readonly lat: number
  readonly lng: number
}

/** The record of `GET /public/tracking/{token}`. */
export interface Trip {
  readonly status: "pending" | "confirmed" | "in_progress" | "completed" | "cancelled"
  readonly driver_status: "unassigned" | "assigned" | "en_route" | "completed"
  readonly milestone: "arrived_at_pickup" | "passenger_on_board" | "no_show" | null
  readonly trip_date: string
  readonly pickup_timezone: string
  readonly position: (Point & { readonly heading: number | null }) | null
  readonly age_seconds: number | null
  readonly stale: boolean
  readonly pickup_position: Point | null
  readonly dropoff_position: Point | null
  readonly arrives_in_seconds: number | null
  readonly pickup_pin: string | null
  readonly driver: { readonly first_name: string } | null
  readonly car: {
    readonly make: string | null
    readonly model: string | null
    readonly color: string | null
    readonly vehicle_class: string | null
    readonly plate_number: string | null
  } | null
  readonly business: Brand
  /** The style of a map; null for the schematic one. */
  readonly map_style_url: string | null
}

/** What happens with a ride, for its passenger. */
export type Phase =
  | "unconfirmed"
  | "booked"
  | "assigned"
  | "coming"
  | "arrived"
  | "onBoard"
  | "noShow"
  | "over"
  | "cancelled"

/** The phase of a trip. */
export const phaseOf = ({ driver_status, milestone, status }: Trip): Phase => {
  if (status === "cancelled") return "cancelled"
  if (status === "completed") return "over"
  if (status === "pending") return "unconfirmed"
  if (driver_status === "en_route" || status === "in_progress") {
    if (milestone === "passenger_on_board") return "onBoard"
    if (milestone === "no_show") return "noShow"
    return milestone === "arrived_at_pickup" ? "arrived" : "coming"
  }
  return driver_status === "assigned" ? "assigned" : "booked"
}

/** Whether a trip has ended, so that it is not followed any more. */
export const isOver = ({ status }: Trip): boolean => status === "completed" || status === "cancelled"
