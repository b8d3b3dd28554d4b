/**
 * Finds fields that an object of a JSON text has twice. `JSON.parse` keeps the last one and a proxy may have checked the first
 * (RFC 8259, 4), so the routes refuse such a body.
 */
import { endOfString } from "./BodyStructure.ts"

/** The most duplicates that are named, the most levels of their paths, and the most characters of a field's name. */
const named = { duplicates: 50, levels: 8, characters: 100 }

/** An object or a list within which the scan is. */
interface Level {
  readonly isObject: boolean
  /** The fields of the object so far; undefined before the first one, since a body may have very many empty objects. */
  fields: Set<string> | undefined
  /** The field of the object, or the position in the list, whose value the scan reads. */
  current: string | number
  /** Whether the next text is the name of a field. */
  awaitsField: boolean
}

const pathOf = (levels: ReadonlyArray<Level>): string =>
  levels
    .slice(0, named.levels)
    .map(({ current }) => String(current).slice(0, named.characters))
    .join(".")

/** The paths of the fields that are in an object twice, in the JSON text of a body. */
export const duplicateFields = (text: string): ReadonlyArray<string> => {
  const duplicates = new Set<string>()
  const levels: Array<Level> = []
  let level: Level | undefined
  for (let at = 0; at < text.length && duplicates.size < named.duplicates; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at + 1)
        if (level?.isObject === true && level.awaitsField) {
          const field: string = JSON.parse(text.slice(at, end + 1))
          level.current = field
          level.awaitsField = false
          const fields = (level.fields ??= new Set())
          if (fields.has(field)) duplicates.add(pathOf(levels))
          fields.add(field)
        }
        at = end
        break
      }
      case 0x2c:
        if (level === undefined) break
        if (typeof level.current === "number") level.current += 1
        else level.awaitsField = true
        break
      case 0x5b:
        levels.push((level = { isObject: false, fields: undefined, current: 0, awaitsField: false }))
        break
      case 0x7b:
        levels.push((level = { isObject: true, fields: undefined, current: "", awaitsField: true }))
        break
      case 0x5d:
      case 0x7d:
        levels.pop()
        level = levels.at(-1)
        break
      default:
    }
  }
  return [...duplicates]
}
