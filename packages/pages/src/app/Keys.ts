/** The keys of the office. The help (`?`) and the list of commands (`Ctrl K`) show what is registered here. */
import { signal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"

/** A command with its key: `n`, `Ctrl z`, `?`, `ArrowDown`, or two keys one after the other: `g t`. */
export interface Command {
  readonly key: string
  readonly label: string
  readonly run: (event?: KeyboardEvent) => void
  /** Whether the list of commands leaves it out, as for the movement in a list. */
  readonly isHidden?: boolean
}

const registered = new Set<{ readonly current: ReadonlyArray<Command> }>()

/** The commands of all parts that are shown, the latest last. */
export const allCommands = (): ReadonlyArray<Command> => [...registered].flatMap(({ current }) => current)

const mark = "livery.keys"

/** Whether single letters are commands. A person who speaks to the computer may switch them off. */
export const hasLetters = signal(localStorage.getItem(mark) !== "off")

export const useLetters = (on: boolean): void => {
  hasLetters.value = on
  localStorage.setItem(mark, on ? "on" : "off")
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type)))

const nameOf = ({ ctrlKey, key, metaKey }: KeyboardEvent) =>
  `${ctrlKey || metaKey ? "Ctrl " : ""}${key.length === 1 ? key.toLowerCase() : key}`

/** The first key of two, for a second. */
let pending = ""
let timer: ReturnType<typeof setTimeout> | undefined

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.isComposing) return
  const name = nameOf(event)
  const isPlain = !name.startsWith("Ctrl ")
  if (isPlain && (isTyping(event.target) || (event.key.length === 1 && !hasLetters.value))) return
  if (document.querySelector("dialog[open]") !== null && name !== "Ctrl k") return
  const sequence = pending === "" ? name : `${pending} ${name}`
  pending = ""
  clearTimeout(timer)
  const commands = allCommands()
  const command =
    commands.findLast(({ key }) => key === sequence) ?? commands.findLast(({ key }) => key === name)
  if (command !== undefined) {
    event.preventDefault()
    command.run(event)
  } else if (isPlain && commands.some(({ key }) => key.startsWith(`${name} `))) {
    pending = name
    timer = setTimeout(() => {
      pending = ""
    }, 1000)
  }
})

/** Registers commands while a part is shown. */
export const useCommands = (own: ReadonlyArray<Command>): void => {
  const latest = useRef(own)
  latest.current = own
  // Before the part is painted, so that a key that is typed at once finds its command.
  useLayoutEffect(() => {
    registered.add(latest)
    return () => {
      registered.delete(latest)
    }
  }, [])
}
