/** A dialog above the page. It keeps the focus, and Escape closes it. */
import type { ComponentChildren, JSX } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"

export const Dialog = ({
  children,
  onClose,
  title
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}): JSX.Element => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isGone = useRef(false)
  // At once, so that what is typed next reaches the dialog, or what was under it.
  useLayoutEffect(() => {
    const before = document.activeElement
    const element = dialog.current
    element?.showModal()
    return () => {
      isGone.current = true
      element?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  // The browser itself tells after the next key that Escape closed a dialog: what that key opens would close too.
  const closeAtOnce = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return
    event.preventDefault()
    onClose()
  }
  const closed = () => {
    if (!isGone.current) onClose()
  }
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby={id} onClose={closed} onKeyDown={closeAtOnce}>
      <div>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
