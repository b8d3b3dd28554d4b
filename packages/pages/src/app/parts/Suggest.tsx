/** A field that suggests records while one types: the combobox of the ARIA authoring practices. */
import type { JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { ControlProps } from "../../components/Field.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import type { AppWords } from "../words/en.ts"

/** How long typing may pause before records are looked up, in milliseconds. */
const pause = 150

/** Shows the chosen option of a long list. */
const reveal = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" })

export const Suggest = <A,>({
  control,
  detailOf,
  find,
  isRequired = false,
  nameOf,
  onChoose,
  onType,
  value,
  words
}: {
  readonly control: ControlProps
  readonly value: string
  readonly onType: (text: string) => void
  readonly onChoose: (found: A) => void
  /** Looks records up; none for a text that is too short. */
  readonly find: (text: string) => Promise<ReadonlyArray<A>>
  readonly nameOf: (found: A) => string
  readonly detailOf?: (found: A) => string
  readonly isRequired?: boolean
  readonly words: AppWords
}): JSX.Element => {
  const [found, setFound] = useState<ReadonlyArray<A>>([])
  const [active, setActive] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const turn = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const close = () => {
    turn.current++
    clearTimeout(timer.current)
    setOpen(false)
    setActive(-1)
  }
  const lookUp = (text: string) => {
    clearTimeout(timer.current)
    const own = ++turn.current
    timer.current = setTimeout(async () => {
      const records = await find(text.trim()).catch(() => [])
      if (own !== turn.current) return
      setFound(records)
      setActive(-1)
      setOpen(true)
    }, pause)
  }
  const choose = (record: A) => {
    close()
    onChoose(record)
  }
  const isShown = isOpen && found.length > 0
  const onKeyDown = (event: KeyboardEvent) => {
    const record = found[active]
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step !== 0 && !isOpen) lookUp(value)
    else if (step !== 0 && found.length > 0)
      setActive(active < 0 && step < 0 ? found.length - 1 : (active + step + found.length) % found.length)
    else if (event.key === "Enter" && isOpen && record !== undefined) choose(record)
    else if (event.key === "Escape" && isOpen) close()
    else return
    event.preventDefault()
  }
  const list = `${control.id}-list`
  return (
    <div class="combobox">
      <input
        {...control}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? list : undefined}
        aria-activedescendant={isShown && active >= 0 ? `${list}-${active}` : undefined}
        autocomplete="off"
        dir="auto"
        required={isRequired}
        value={value}
        onInput={({ currentTarget }) => {
          onType(currentTarget.value)
          lookUp(currentTarget.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <span class="unseen" role="status">
        {isOpen ? fill(words.foundCount, { count: format.number(found.length) }) : ""}
      </span>
      {isShown && (
        <ul role="listbox" id={list} aria-label={words.suggestions}>
          {found.map((record, index) => (
            <li
              key={index}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === active}
              ref={index === active ? reveal : null}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(record)}
            >
              <bdi>{nameOf(record)}</bdi> <bdi class="muted small">{detailOf?.(record)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
