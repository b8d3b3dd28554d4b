/** Icons of the office, drawn as those of `components/Icon.tsx` (from Lucide, see `Icon.license.txt` there). */
import type { JSX } from "preact"

const paths = {
  board: "M8 6h10M6 12h9M11 18h7M3 3v18h18",
  car: "M19 17h2c.6 0 1-.4 1-1v-3c0-.9-.7-1.7-1.5-1.9L16 10s-1.3-1.4-2.2-2.3c-.5-.4-1.1-.7-1.8-.7H5c-.6 0-1.1.4-1.4.9l-1.4 2.9A3.7 3.7 0 0 0 2 12v4c0 .6.4 1 1 1h2m4 0h6M7 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4Zm10 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
  chart: "M3 3v18h18M8 17v-5M13 17V7M18 17v-9",
  clash: "m16 16 4 4m-4 0 4-4M4 7h12M4 12h8M4 17h6",
  customers:
    "M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8m13 10v-2a4 4 0 0 0-3-3.9M16 3.1a4 4 0 0 1 0 7.8",
  driver: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m8 9v-1a8 8 0 0 0-16 0v1",
  flight:
    "M17.8 19.2 16 11l3.5-3.5C21 6 21.5 4 21 3c-1-.5-3 0-4.5 1.5L13 8 4.8 6.2c-.5-.1-.9.1-1.1.5l-.3.5c-.2.5-.1 1 .3 1.3L9 12l-2 3H4l-1 1 3 2 2 3 1-1v-3l3-2 3.5 5.3c.3.4.8.5 1.3.3l.5-.2c.4-.3.6-.7.5-1.2z",
  gear: "M20 7h-9M14 17H5M17 14a3 3 0 1 0 0 6 3 3 0 0 0 0-6M7 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
  keyboard:
    "M4 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2M6 9h.01M10 9h.01M14 9h.01M18 9h.01M7 15h10M8 12h.01M12 12h.01M16 12h.01",
  late: "M12 6v6l4 2m6-2a10 10 0 1 1-20 0 10 10 0 0 1 20 0Z",
  leave: "M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4m7 14 5-5-5-5m5 5H9",
  map: "M20 10c0 6-8 12-8 12s-8-6-8-12a8 8 0 0 1 16 0Zm-5 0a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z",
  menu: "M4 6h16M4 12h16M4 18h16",
  minus: "M5 12h14",
  money: "M2 6h20v12H2zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M6 12h.01M18 12h.01",
  next: "m9 18 6-6-6-6",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m8 9v-1a8 8 0 0 0-16 0v1",
  platform: "M12 2 2 7l10 5 10-5-10-5ZM2 17l10 5 10-5M2 12l10 5 10-5",
  plus: "M5 12h14M12 5v14",
  previous: "m15 18-6-6 6-6",
  sales: "M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8Zm0 0v6h6M9 13h6M9 17h4",
  search: "M11 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16m10 18-4.3-4.3",
  swap: "M8 3 4 7l4 4M4 7h16m-4 14 4-4-4-4m4 4H4",
  tariff:
    "M12.6 2.6A2 2 0 0 0 11.2 2H4a2 2 0 0 0-2 2v7.2a2 2 0 0 0 .6 1.4l8.7 8.7a2.4 2.4 0 0 0 3.4 0l6.6-6.6a2.4 2.4 0 0 0 0-3.4zM7.5 7.5h.01",
  trips: "M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01",
  unassigned: "M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8m8-3 5 5m0-5-5 5"
} as const

export type AppIconName = keyof typeof paths

export const AppIcon = ({ name }: { readonly name: AppIconName }): JSX.Element => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
