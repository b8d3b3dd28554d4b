/** The port that reads XML. */
import { Context, type Effect, Schema } from "effect"

/** An element, by its local name: namespaces are left out. `text` is its own text, without that of its children. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<XmlElement>
  readonly text: string
}

/** A text is not well-formed XML, or has parts that are refused. */
export class XmlRefused extends Schema.TaggedError<XmlRefused>()("XmlRefused", {
  line: Schema.Int,
  reason: Schema.String
}) {}

/** `read`: the root element of a document. A document type and entities beside the five of XML itself are refused. */
export class XmlReader extends Context.Service<
  XmlReader,
  { readonly read: (text: string) => Effect.Effect<XmlElement, XmlRefused> }
>()("@livery/domain/XmlReader") {}
