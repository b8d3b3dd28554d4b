/** A part of a screen whose code is loaded when the part is first needed. */
import type { ComponentType, JSX } from "preact"
import { useEffect, useState } from "preact/hooks"

/** How long after a failure the code is asked for again, in milliseconds. */
const pause = 2000

/** The component of a module. Until its code is there, nothing is shown. `load` may be called before, to have it early. */
export const later = <P extends object>(
  load: () => Promise<ComponentType<P>>
): ((props: P) => JSX.Element | null) => {
  let known: ComponentType<P> | undefined
  return (props) => {
    const [Part, show] = useState(() => known)
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined
      let isGone = false
      const ask = () => {
        load().then(
          (loaded) => {
            known = loaded
            if (!isGone) show(() => loaded)
          },
          () => {
            timer = setTimeout(ask, pause)
          }
        )
      }
      if (Part === undefined) ask()
      return () => {
        isGone = true
        clearTimeout(timer)
      }
    }, [])
    return Part === undefined ? null : <Part {...props} />
  }
}
