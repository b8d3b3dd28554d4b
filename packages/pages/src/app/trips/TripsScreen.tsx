/** Trips: the list, a new one, and each with all that belongs to it. */
import type { JSX } from "preact"
import { later } from "../../components/Later.tsx"
import type { Screen, ScreenProps } from "../screens.ts"
import { TripList } from "./TripList.tsx"
import type { TripsWords } from "./words/en.ts"
import "./trips.css"

const TripRecord = later(() => import("./TripRecord.tsx").then((it) => it.TripRecord))
const Templates = later(() => import("./Templates.tsx").then((it) => it.Templates))
const NewTrip = later(() => import("./NewTrip.tsx").then((it) => it.NewTrip))

const Trips = ({ rest: [id, ...rest], words }: ScreenProps<TripsWords>): JSX.Element => {
  if (id === undefined) return <TripList words={words} />
  if (id === "templates") return <Templates rest={rest} words={words} />
  return id === "new" ? <NewTrip words={words} /> : <TripRecord key={id} id={Number(id)} words={words} />
}

export const screen: Screen<TripsWords> = Trips
