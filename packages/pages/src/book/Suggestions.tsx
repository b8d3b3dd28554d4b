/** The list of a field that suggests places, with its keys: the combobox of the ARIA authoring practices. */
import { signal } from "@preact/signals"
import type { JSX } from "preact"
import { get } from "../api/Api.ts"
import { fill } from "../i18n/Format.ts"
import { language } from "../i18n/Language.ts"
import type { FoundPlace } from "./Business.ts"
import { path } from "./state.ts"
import type { BookWords } from "./words/en.ts"

/** How long typing may pause before places are looked up, in milliseconds. */
const pause = 250

/** The suggestions of a field. */
export interface Suggestions {
  /** What the field says about its list. */
  readonly attributes: () => object
  /** The list, and its length for readers of the screen. */
  readonly view: () => JSX.Element
  readonly lookUp: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent, text: string) => void
  readonly close: () => void
}

/** Finds places by a part of their name; none while the server cannot be reached. */
const findPlaces = async (text: string): Promise<ReadonlyArray<FoundPlace>> => {
  const query = new URLSearchParams({ query: text, language })
  return get<ReadonlyArray<FoundPlace>>(`${path}/places?${query}`).catch(() => [])
}

/** Shows the chosen option of a long list. */
const reveal = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" })

/** Makes the suggestions of the field with that id. */
export const makeSuggestions = (
  id: string,
  words: BookWords,
  onChoose: (place: FoundPlace) => void
): Suggestions => {
  const places = signal<ReadonlyArray<FoundPlace>>([])
  const active = signal(-1)
  const isOpen = signal(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  let round = 0

  const close = () => {
    round += 1
    clearTimeout(timer)
    isOpen.value = false
    active.value = -1
  }
  const lookUp = (text: string) => {
    clearTimeout(timer)
    const current = ++round
    timer = setTimeout(async () => {
      const found = await findPlaces(text)
      if (current !== round) return
      places.value = found
      active.value = -1
      isOpen.value = true
    }, pause)
  }
  const choose = (place: FoundPlace) => {
    close()
    onChoose(place)
  }
  const move = (step: number) => {
    const count = places.value.length
    const from = active.value < 0 && step < 0 ? 0 : active.value
    if (count > 0) active.value = (from + step + count) % count
  }
  const isShown = () => isOpen.value && places.value.length > 0

  return {
    close,
    lookUp,
    attributes: () => ({
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": isShown(),
      "aria-controls": isShown() ? `${id}-list` : undefined,
      "aria-activedescendant": isShown() && active.value >= 0 ? `${id}-${active.value}` : undefined
    }),
    onKeyDown: (event, text) => {
      const place = places.value[active.value]
      const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp"
      if (isArrow && !isOpen.value) lookUp(text)
      else if (isArrow) move(event.key === "ArrowDown" ? 1 : -1)
      else if (event.key === "Enter" && isOpen.value && place !== undefined) choose(place)
      else if (event.key === "Escape" && isOpen.value) close()
      else return
      event.preventDefault()
    },
    view: () => (
      <>
        <span class="unseen" role="status">
          {isOpen.value ? fill(words.found, { count: String(places.value.length) }) : ""}
        </span>
        {isShown() && (
          <ul role="listbox" id={`${id}-list`} aria-label={words.suggestions}>
            {places.value.map((place, index) => (
              <li
                key={index}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active.value}
                ref={index === active.value ? reveal : null}
                dir="auto"
                // The field keeps the focus.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(place)}
              >
                {place.name}
              </li>
            ))}
          </ul>
        )}
      </>
    )
  }
}
