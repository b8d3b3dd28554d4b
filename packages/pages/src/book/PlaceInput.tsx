/** A field that suggests places while one types. Until the code of the list is there, it is a plain field. */
import type { InputHTMLAttributes, JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { ControlProps } from "../components/Field.tsx"
import type { FoundPlace } from "./Business.ts"
import type { Suggestions } from "./Suggestions.tsx"
import type { BookWords } from "./words/en.ts"

export const PlaceInput = ({
  control,
  input,
  onChoose,
  onType,
  value,
  words
}: {
  readonly control: ControlProps
  readonly input: InputHTMLAttributes
  readonly value: string
  readonly words: BookWords
  readonly onType: (text: string) => void
  readonly onChoose: (place: FoundPlace) => void
}): JSX.Element => {
  const choose = useRef(onChoose)
  choose.current = onChoose
  const [list, setList] = useState<Suggestions>()
  useEffect(() => {
    import("./Suggestions.tsx").then(
      ({ makeSuggestions }) => setList(makeSuggestions(control.id, words, (place) => choose.current(place))),
      () => {}
    )
  }, [])
  useEffect(() => list?.close, [list])
  return (
    <div class="combobox">
      <input
        {...input}
        {...control}
        {...list?.attributes()}
        value={value}
        onInput={({ currentTarget }) => {
          onType(currentTarget.value)
          list?.lookUp(currentTarget.value)
        }}
        onKeyDown={(event) => list?.onKeyDown(event, value)}
        onBlur={list?.close}
      />
      {list?.view()}
    </div>
  )
}
