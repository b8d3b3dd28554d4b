/** The differences between two texts of lines, in a form that shows their place. */

const shown = 60

/** The part of both lines where they begin to differ. */
const place = (one: string, other: string) => {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const from = Math.max(0, same - shown)
  const part = (text: string) => `${from === 0 ? "" : "…"}${text.slice(from, same + shown)}`
  return `Livery has ${part(one)}\n    the peer ${part(other)}`
}

const nameOf = (line: string) => line.split(/[:{ ]/u, 1)[0] ?? ""

/** A line for each line that one of both lacks; lines that begin alike are shown beside each other. */
export const difference = (
  what: string,
  ours: ReadonlyArray<string>,
  theirs: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const rest = [...theirs]
  const alone = ours.filter((line) => {
    const index = rest.indexOf(line)
    if (index !== -1) rest.splice(index, 1)
    return index === -1
  })
  const pairs = alone.map((line) => {
    const index = rest.findIndex((other) => nameOf(other) === nameOf(line))
    if (index === -1) return `${what}: Livery alone has ${line.slice(0, 4 * shown)}`
    const [other = ""] = rest.splice(index, 1)
    return `${what}: ${place(line, other)}`
  })
  return [...pairs, ...rest.map((line) => `${what}: the peer alone has ${line.slice(0, 4 * shown)}`)]
}
