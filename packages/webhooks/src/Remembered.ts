/**
 * A function that remembers its last answers, `atMost` of them: what was asked for longest ago is forgotten first.
 * For what costs more to make than to look up, and is asked for again and again.
 */
export const remembered = <A>(atMost: number, make: (key: string) => A): ((key: string) => A) => {
  const known = new Map<string, A>()
  return (key) => {
    const found = known.get(key)
    const answer = found === undefined && !known.has(key) ? make(key) : (found as A)
    known.delete(key)
    known.set(key, answer)
    if (known.size > atMost) {
      const [oldest] = known.keys()
      if (oldest !== undefined) known.delete(oldest)
    }
    return answer
  }
}
