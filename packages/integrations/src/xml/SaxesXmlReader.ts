import { Effect, Layer } from "effect"
import { SaxesParser } from "saxes"
import { type XmlElement, XmlReader, XmlRefused } from "@livery/domain"

/** The most elements of a document, and how deep they may be nested. */
const maxElements = 500_000
const maxDepth = 64

interface OpenElement extends XmlElement {
  readonly children: Array<XmlElement>
  text: string
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1)

const read = (text: string): XmlElement => {
  const parser = new SaxesParser()
  const open: Array<OpenElement> = []
  let root: OpenElement | undefined
  let count = 0
  const refuse = (reason: string): never => {
    throw new XmlRefused({ line: parser.line, reason })
  }
  // The parser's own messages start with the line and the column.
  parser.on("error", ({ message }) => refuse(message.replace(/^\d+:\d+:\s*/u, "")))
  parser.on("doctype", () => refuse("a document type is not allowed"))
  parser.on("opentag", ({ attributes, name }) => {
    count += 1
    if (count > maxElements) refuse(`it has more than ${maxElements} elements`)
    if (open.length >= maxDepth) refuse(`its elements are nested more than ${maxDepth} deep`)
    const element: OpenElement = {
      name: localName(name),
      attributes: { ...attributes },
      children: [],
      text: ""
    }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  const add = (piece: string) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += piece
  }
  parser.on("text", add)
  parser.on("cdata", add)
  parser.on("closetag", () => void open.pop())
  parser.write(text).close()
  return root ?? refuse("it has no element")
}

/** Reads XML with `saxes`, which knows no entities of documents. */
export const layer = Layer.succeed(
  XmlReader,
  XmlReader.of({
    read: (text) =>
      Effect.suspend(() => {
        try {
          return Effect.succeed(read(text))
        } catch (fault) {
          return fault instanceof XmlRefused ? Effect.fail(fault) : Effect.die(fault)
        }
      })
  })
)
