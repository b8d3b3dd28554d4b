/**
 * A map in the style that the operator chose, by MapLibre. This module is loaded only if there is a style; where the map cannot
 * be drawn, the schematic one stays.
 */
import { LngLatBounds, Map as StreetMap, Marker, setWorkerUrl } from "maplibre-gl"
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url"
import "maplibre-gl/dist/maplibre-gl.css"
import type { JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { RideMap } from "./RideMap.tsx"
import type { Point, Trip } from "./Trip.ts"
import type { TrackWords } from "./words/en.ts"

interface Policies {
  readonly createPolicy: (name: string, rules: object) => void
}

/** The page's policy refuses workers by a plain text; this one worker is permitted, and nothing else. */
const permitWorker = () => {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
  trustedTypes?.createPolicy("default", {
    createScriptURL: (text: string) => (text === workerUrl ? text : null)
  })
  setWorkerUrl(workerUrl)
}

let isPrepared = false

/** The names of those who made the map's data, as text. */
const attributionOf = (map: StreetMap) => {
  const texts = Object.values(map.getStyle().sources).flatMap((source) =>
    "attribution" in source && typeof source.attribution === "string" ? [source.attribution] : []
  )
  return [...new Set(texts)]
    .join(" ")
    .replaceAll(/<[^>]*>/gu, "")
    .replaceAll("&copy;", "©")
    .replaceAll("&amp;", "&")
}

const names = ["pickup", "dropoff", "car"] as const

const placesOf = ({ dropoff_position, pickup_position, position }: Trip) => ({
  pickup: pickup_position,
  dropoff: dropoff_position,
  car: position
})

const positionOf = ({ lat, lng }: Point): [number, number] => [lng, lat]

export const StyledMap = ({
  trip,
  words
}: {
  readonly trip: Trip
  readonly words: TrackWords
}): JSX.Element => {
  const box = useRef<HTMLDivElement>(null)
  const map = useRef<StreetMap | undefined>(undefined)
  const markers = useRef(new globalThis.Map<string, Marker>())
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading")
  const [attribution, setAttribution] = useState("")
  const [isMoved, setMoved] = useState(false)
  const style = trip.map_style_url

  useEffect(() => {
    if (box.current === null || style === null) return
    let made: StreetMap
    try {
      if (!isPrepared) permitWorker()
      isPrepared = true
      made = new StreetMap({
        container: box.current,
        style,
        attributionControl: false,
        cooperativeGestures: false,
        dragRotate: false,
        pitchWithRotate: false
      })
    } catch {
      setState("failed")
      return
    }
    map.current = made
    made.once("load", () => {
      setAttribution(attributionOf(made))
      setState("shown")
    })
    // The map's own moves have no event of a browser behind them.
    made.on("movestart", ({ originalEvent }) => {
      if (originalEvent !== undefined) setMoved(true)
    })
    made.on("error", () => setState((before) => (before === "loading" ? "failed" : before)))
    return () => {
      markers.current.clear()
      made.remove()
    }
  }, [style])

  const places = placesOf(trip)
  useEffect(() => {
    const drawn = map.current
    if (state !== "shown" || drawn === undefined) return
    const bounds = new LngLatBounds()
    for (const name of names) {
      const place = places[name]
      if (place === null) {
        markers.current.get(name)?.remove()
        markers.current.delete(name)
        continue
      }
      bounds.extend(positionOf(place))
      const known = markers.current.get(name)
      if (known === undefined) {
        const element = document.createElement("div")
        element.className = `mark ${name}`
        markers.current.set(name, new Marker({ element }).setLngLat(positionOf(place)).addTo(drawn))
      } else known.setLngLat(positionOf(place))
    }
    if (!bounds.isEmpty() && !isMoved) drawn.fitBounds(bounds, { padding: 48, maxZoom: 15, animate: false })
  }, [state, isMoved, JSON.stringify(places)])

  return (
    <>
      {state !== "shown" && <RideMap trip={trip} words={words} />}
      {state !== "failed" && (
        <figure class={state === "shown" ? "street" : "street waiting"}>
          <div class="canvas" ref={box} role="img" aria-label={words.map} />
          {isMoved && (
            <button type="button" class="button" onClick={() => setMoved(false)}>
              {words.fit}
            </button>
          )}
          {attribution !== "" && (
            <figcaption class="small muted" dir="auto">
              {attribution}
            </figcaption>
          )}
        </figure>
      )}
    </>
  )
}
