/** A tour of the board in five steps. The account remembers the step, and that the tour was ended. */
import type { JSX } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { fill } from "../../i18n/Format.ts"
import { changeLayout } from "../Preferences.ts"
import type { BoardWords } from "./words/en.ts"

/** What each step is about, as a selector. On a narrow display some of it is not there; then only the text is shown. */
const targets = [".lane, .job-list", ".timeline .rows", ".chips", ".board .panel", ".side nav"] as const

const goTo = (step: number) => changeLayout({ tour: step })

const end = () => {
  changeLayout({ tour: "over" })
  document.querySelector<HTMLElement>("#work")?.focus({ preventScroll: true })
}

export const Tour = ({
  step: kept,
  words
}: {
  readonly step: number
  readonly words: BoardWords
}): JSX.Element => {
  const next = useRef<HTMLButtonElement>(null)
  const step = Math.min(Math.max(1, Math.trunc(kept)), targets.length) as 1 | 2 | 3 | 4 | 5
  useLayoutEffect(() => {
    const target = document.querySelector<HTMLElement>(targets[step - 1] ?? "")
    target?.setAttribute("data-toured", "")
    // The button is new at each step, so that reader programs read the step with it.
    next.current?.focus({ preventScroll: true })
    return () => target?.removeAttribute("data-toured")
  }, [step])
  return (
    <section
      class="tour card"
      role="dialog"
      aria-labelledby="tour-title"
      aria-describedby="tour-text"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.preventDefault()
        end()
      }}
    >
      <div class="record-head">
        <span class="muted small">
          {fill(words.tourStep, { step: String(step), steps: String(targets.length) })}
        </span>
        {step < targets.length && (
          <button type="button" class="link small" onClick={end}>
            {words.tourEnd}
          </button>
        )}
      </div>
      <h2 id="tour-title">{words[`tour${step}`]}</h2>
      <p id="tour-text">{words[`tour${step}Text`]}</p>
      <div class="row">
        <button
          key={step}
          ref={next}
          type="button"
          class="button primary small-button"
          aria-describedby="tour-title tour-text"
          onClick={step === targets.length ? end : () => goTo(step + 1)}
        >
          {step === targets.length ? words.tourEnd : words.tourNext}
        </button>
        {step > 1 && (
          <button type="button" class="button small-button" onClick={() => goTo(step - 1)}>
            {words.back}
          </button>
        )}
      </div>
    </section>
  )
}
