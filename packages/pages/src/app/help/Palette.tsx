/** The list of commands: what can be done here and where one can go, found by typing. */
import type { JSX } from "preact"
import { useEffect, useMemo, useState } from "preact/hooks"
import { Dialog } from "../../components/Dialog.tsx"
import { api } from "../Api.ts"
import { momentOf } from "../Formats.ts"
import { allCommands } from "../Keys.ts"
import { mayRead } from "../Member.ts"
import { navigate } from "../Router.ts"
import type { AppWords } from "../words/en.ts"
import { Keys } from "../parts/Keys.tsx"

interface Item {
  readonly id: string
  readonly label: string
  readonly detail?: string
  readonly key?: string
  readonly run: () => void
}

/** How long to wait after a letter before records are searched, in milliseconds. */
const pause = 200

const findTrips = async (search: string): Promise<ReadonlyArray<Item>> => {
  if (!mayRead("operations")) return []
  const { data } = await api.trips.list({ search, per_page: "6" }).page()
  return data.map(({ customer_name, pickup_address, reference, trip_date, trip_id }) => ({
    id: `trip-${trip_id}`,
    label: `${reference} · ${customer_name}`,
    detail: `${momentOf(trip_date)} · ${pickup_address}`,
    run: () => navigate(`/trips/${trip_id}`)
  }))
}

const findCustomers = async (search: string): Promise<ReadonlyArray<Item>> => {
  if (!mayRead("customers")) return []
  const { data } = await api.customers.list({ search, per_page: 6 }).page()
  return data.map(({ customer_id, email, name }) => ({
    id: `customer-${customer_id}`,
    label: name,
    detail: email ?? "",
    run: () => navigate(`/customers/${customer_id}`)
  }))
}

export const Palette = ({
  onClose,
  words
}: {
  readonly words: AppWords
  readonly onClose: () => void
}): JSX.Element => {
  const [typed, setTyped] = useState("")
  const [found, setFound] = useState<ReadonlyArray<Item>>([])
  const [at, setAt] = useState(0)
  const own = useMemo(
    () =>
      allCommands()
        .filter(({ isHidden }) => isHidden !== true)
        .map(({ key, label, run }): Item => ({ id: key, key, label, run: () => run() })),
    []
  )
  useEffect(() => {
    setFound([])
    const search = typed.trim()
    if (search.length < 2) return undefined
    let isOld = false
    const timer = setTimeout(() => {
      Promise.all([findTrips(search), findCustomers(search)]).then(
        (lists) => {
          if (!isOld) setFound(lists.flat())
        },
        () => undefined
      )
    }, pause)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [typed])

  const words_ = typed.trim().toLocaleLowerCase()
  const items = [...own.filter(({ label }) => label.toLocaleLowerCase().includes(words_)), ...found]
  const present = Math.min(at, Math.max(0, items.length - 1))
  const choose = (item: Item | undefined) => {
    if (item === undefined) return
    onClose()
    // The command runs when the focus is back on the screen.
    setTimeout(item.run)
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((present + step + items.length) % Math.max(1, items.length))
    } else if (event.key === "Enter") {
      event.preventDefault()
      choose(items[present])
    }
  }
  return (
    <Dialog title={words.commands} onClose={onClose}>
      <div class="combobox palette">
        <input
          class="search"
          type="text"
          role="combobox"
          aria-label={words.commandsHint}
          aria-expanded="true"
          aria-controls="palette-items"
          aria-activedescendant={items[present] && `palette-${present}`}
          placeholder={words.commandsHint}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setAt(0)
          }}
          onKeyDown={move}
        />
        <ul id="palette-items" role="listbox" aria-label={words.commands}>
          {items.map((item, index) => (
            <li
              key={item.id}
              id={`palette-${index}`}
              role="option"
              aria-selected={index === present}
              ref={(element) => {
                if (index === present) element?.scrollIntoView({ block: "nearest" })
              }}
              onClick={() => choose(item)}
            >
              <span>
                <bdi>{item.label}</bdi>
                {item.detail !== undefined && <span class="muted small">{item.detail}</span>}
              </span>
              {item.key !== undefined && <Keys of={item.key} words={words} />}
            </li>
          ))}
        </ul>
        {items.length === 0 && <p class="muted">{words.nothingFound}</p>}
      </div>
    </Dialog>
  )
}
