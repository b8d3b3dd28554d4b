/** The search of operations: `/` goes to it, arrows choose, Enter opens. */
import type { Index, Listed } from "./Data.ts"
import { h } from "./Dom.ts"

const most = 12

/** The operations whose id, path or summary has all words, those whose id begins with the first word before the others. */
const found = (operations: ReadonlyArray<Listed>, text: string): ReadonlyArray<Listed> => {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean)
  const [first] = words
  if (first === undefined) return []
  const fitting = operations.filter((operation) => {
    const whole = operation.join(" ").toLowerCase()
    return words.every((word) => whole.includes(word))
  })
  const rank = ([id]: Listed) =>
    id.toLowerCase().startsWith(first) ? 0 : id.toLowerCase().includes(first) ? 1 : 2
  return fitting.toSorted((one, other) => rank(one) - rank(other)).slice(0, most)
}

/** Makes the search field work. */
export const startSearch = (index: Index) => {
  const operations = index.parts.flatMap(([, groups]) => groups.flatMap(([, , listed]) => listed))
  const input = document.querySelector<HTMLInputElement>("#search")
  const list = document.querySelector<HTMLElement>("#found")
  if (input === null || list === null) return
  let at = 0
  const choose = (next: number) => {
    const options = [...list.children]
    at = options.length === 0 ? 0 : (next + options.length) % options.length
    for (const [position, option] of options.entries())
      option.setAttribute("aria-selected", String(position === at))
    options[at]?.scrollIntoView({ block: "nearest" })
    input.setAttribute("aria-activedescendant", options[at]?.id ?? "")
  }
  const close = () => {
    list.hidden = true
    input.setAttribute("aria-expanded", "false")
    input.removeAttribute("aria-activedescendant")
  }
  const open = (id: string) => {
    location.hash = id
    input.value = ""
    close()
    input.blur()
  }
  const draw = () => {
    const results = found(operations, input.value)
    list.replaceChildren(
      ...results.map(([id, method, path, summary], position) =>
        h(
          "li",
          { role: "option", id: `found-${position}`, "aria-selected": "false", onmousedown: () => open(id) },
          h("b", {}, id),
          h("span", {}, `${method} ${path}`),
          h("span", {}, summary)
        )
      )
    )
    const isEmpty = results.length === 0 && input.value.trim() !== ""
    if (isEmpty)
      list.append(h("li", { role: "option", "aria-disabled": "true" }, "No operation has all these words"))
    list.hidden = results.length === 0 && !isEmpty
    input.setAttribute("aria-expanded", String(!list.hidden))
    if (results.length > 0) choose(0)
  }
  input.addEventListener("input", draw)
  input.addEventListener("blur", close)
  input.addEventListener("focus", draw)
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(at + 1)
    else if (event.key === "ArrowUp") choose(at - 1)
    else if (event.key === "Escape") {
      input.value = ""
      close()
      input.blur()
      return
    } else if (event.key === "Enter") {
      const id = found(operations, input.value)[at]?.[0]
      if (id !== undefined) open(id)
    } else return
    event.preventDefault()
  })
  document.addEventListener("keydown", (event) => {
    const isTyping =
      event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/u.test(event.target.tagName)
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
}
