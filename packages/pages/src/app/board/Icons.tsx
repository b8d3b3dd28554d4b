/** The state of a job as a small drawing, so that colour alone never tells it. */
import type { JSX } from "preact"
import type { State } from "./Jobs.ts"

const paths: Readonly<Record<State | "late" | "clash" | "flight", string>> = {
  pending: "M7.5 8a4.6 4.6 0 0 1 9 1.5c0 3-4.5 4.5-4.5 4.5m0 6h.01",
  unassigned: "M12 3v11m0 6h.01",
  declined: "M18 6 6 18M6 6l12 12",
  assigned: "M5 12h.01M12 12h.01M19 12h.01",
  accepted: "M20 6 9 17l-5-5",
  coming: "M5 12h14m-7-7 7 7-7 7",
  arrived: "M20 10c0 6-8 12-8 12s-8-6-8-12a8 8 0 0 1 16 0Z",
  onBoard: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8m8 10v-1a8 8 0 0 0-16 0v1",
  noShow: "M17 8l5 5m0-5-5 5M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8m7 10v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2",
  completed: "M18 6 7 17l-5-5m20-2-7.5 7.5L13 16",
  cancelled: "M18 6 6 18M6 6l12 12",
  late: "M12 6v6l4 2m6-2a10 10 0 1 1-20 0 10 10 0 0 1 20 0Z",
  clash: "M12 9v4m0 4h.01M10.3 3.9 1.8 18a2 2 0 0 0 1.7 3h17a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z",
  flight:
    "M17.8 19.2 16 11l3.5-3.5C21 6 21.5 4 21 3c-1-.5-3 0-4.5 1.5L13 8 4.8 6.2c-.5-.1-.9.1-1.1.5l-.3.5c-.2.5-.1 1 .3 1.3L9 12l-2 3H4l-1 1 3 2 2 3 1-1v-3l3-2 3.5 5.3c.3.4.8.5 1.3.3l.5-.2c.4-.3.6-.7.5-1.2z"
}

export const StateIcon = ({ name }: { readonly name: keyof typeof paths }): JSX.Element => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
