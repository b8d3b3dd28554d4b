/** One operation of the reference. */
import type { Field, Operation } from "./Data.ts"
import { code, h, prose } from "./Dom.ts"
import { trial } from "./Trial.ts"

const fieldTable = (title: string, fields: ReadonlyArray<Field>) =>
  fields.length === 0
    ? undefined
    : h(
        "details",
        { open: fields.length <= 8 },
        h("summary", {}, `${title} (${fields.length})`),
        h(
          "dl",
          { class: "docs-fields" },
          fields.map(([path, type, required, text, place]) => [
            h("dt", {}, h("code", {}, path), required ? h("strong", {}, "required") : undefined),
            h(
              "dd",
              {},
              h("span", { class: "docs-type" }, place === undefined ? type : `${type}, in the ${place}`),
              text === "" ? undefined : h("span", {}, ...prose(text))
            )
          ])
        )
      )

const languages = [
  ["curl", "curl"],
  ["ts", "TypeScript"],
  ["python", "Python"]
] as const

let chosen: (typeof languages)[number][0] = "curl"

const requests = ({ example, id }: Operation) => {
  const place = h("div")
  const draw = () => {
    place.replaceChildren(
      h(
        "div",
        { class: "docs-tabs", role: "group", "aria-label": "Language of the request" },
        languages.map(([key, name]) =>
          h(
            "button",
            {
              type: "button",
              "aria-pressed": String(key === chosen),
              onclick: () => {
                chosen = key
                draw()
              }
            },
            name
          )
        )
      ),
      code(example[chosen], `request of ${id}`)
    )
  }
  draw()
  return place
}

/** The section of an operation, with its address, its fields, a request with the response, and its errors. */
export const operationView = (operation: Operation): HTMLElement => {
  const { errors, example, id, method, path, refusals, summary, text } = operation
  return h(
    "section",
    { id, class: "docs-operation", "aria-labelledby": `${id}-name` },
    h("h3", { id: `${id}-name` }, h("a", { href: `#${id}` }, id)),
    h(
      "p",
      { class: "docs-path" },
      h("b", { class: `docs-method ${method.toLowerCase()}` }, method),
      h("code", {}, path)
    ),
    h("p", {}, ...prose(`${summary}. ${text}`)),
    fieldTable("Parameters", operation.parameters),
    fieldTable("Fields of the body", operation.body),
    requests(operation),
    h("h4", {}, example.isMade ? "A response, made from its fields" : "The response, as a server sent it"),
    code(example.response, `response of ${id}`),
    fieldTable(operation.isList ? "Fields of each record" : "Fields of the record", operation.result),
    h(
      "details",
      {},
      h("summary", {}, `Errors (${errors.length})`),
      h(
        "ul",
        { class: "docs-errors" },
        errors.map(([status, types]) => h("li", {}, h("b", {}, status), " ", types))
      ),
      refusals.map((refusal) => code(refusal, `refusal of ${id}`))
    ),
    method === "GET" ? trial(operation) : undefined
  )
}
