/** The map of the tracking page. */
import { Context } from "effect"

/** The address of the style of a map, in the format of MapLibre; null if the page draws a schematic map. */
export const MapStyle = Context.Reference<string | null>("@livery/domain/MapStyle", {
  defaultValue: () => null
})
