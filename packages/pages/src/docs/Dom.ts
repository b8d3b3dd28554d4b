/** Makes elements from values: no text ever becomes markup. */

type Child = Node | string | undefined | ReadonlyArray<Child>

/** An element with attributes, listeners (`onclick`) and children. */
export const h = (
  name: string,
  attributes: Readonly<Record<string, unknown>> = {},
  ...children: ReadonlyArray<Child>
): HTMLElement => {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value as EventListener)
    else if (value === true) element.setAttribute(key, "")
    else if (typeof value === "string") element.setAttribute(key, value)
  }
  const append = (child: Child): void => {
    if (child === undefined) return
    if (typeof child === "string" || child instanceof Node) element.append(child)
    else for (const one of child) append(one)
  }
  append(children)
  return element
}

/** Text in which words between backticks are code. */
export const prose = (text: string): ReadonlyArray<Node | string> =>
  text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part))

/** Code with a button that copies it. */
export const code = (text: string, label: string): HTMLElement => {
  const copy = h("button", { type: "button", class: "docs-copy", "aria-label": `Copy ${label}` }, "Copy")
  copy.addEventListener("click", () => {
    navigator.clipboard
      .writeText(text)
      .then(() => (copy.textContent = "Copied"))
      .catch(() => (copy.textContent = "Select the text to copy it"))
    setTimeout(() => (copy.textContent = "Copy"), 2000)
  })
  const block = h("pre", { tabindex: "0", role: "region", "aria-label": label }, h("code", {}, text))
  return h("div", { class: "docs-code" }, block, navigator.clipboard === undefined ? undefined : copy)
}
