/** The domain's `FileRecognition` by magic numbers: the bytes that files of a type begin with. */
import { FileRecognition, importedAfterStart, traced } from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { withoutMetadata } from "./ImageMetadata.ts"

/** The magic numbers of the accepted types, each with its offset. */
const magicNumbers: Readonly<Record<string, ReadonlyArray<readonly [offset: number, bytes: string]>>> = {
  "image/png": [[0, "\u0089PNG\r\n\u001a\n"]],
  "image/jpeg": [[0, "\u00ff\u00d8\u00ff"]],
  "image/webp": [
    [0, "RIFF"],
    [8, "WEBP"]
  ],
  "application/pdf": [[0, "%PDF-"]]
}

/** An animated PNG is a PNG: programs that do not know it show its first frame. */
const acceptedType = (type: string) => (type === "image/apng" ? "image/png" : type)

/** Whether a file begins with its type's magic number. The library also finds types behind other content. */
const hasMagicNumber = (type: string, bytes: Uint8Array) => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1")
  return (magicNumbers[type] ?? []).every(([offset, bytesThere]) => head.startsWith(bytesThere, offset))
}

/** Readers of PDF look for its header in the first 1,024 bytes. Many programs write a byte order mark or a line break before it. */
const pdfHeader = /^[\s\S]{0,1019}%PDF-\d/u

/** Whether the file is a PDF whose header is not at the start. A header in a text of another kind does not count. */
const isLatePdf = (bytes: Uint8Array) => {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1")
  return pdfHeader.test(head) && !/<(?:!doctype|html|script|svg|\?xml)/iu.test(head)
}

export const layer = Layer.effect(
  FileRecognition,
  Effect.gen(function* () {
    const imported = yield* importedAfterStart(() => import("file-type"))
    return FileRecognition.of({
      contentTypeOf: traced("FileRecognition.contentTypeOf")(function* (bytes) {
        const { fileTypeFromBuffer } = yield* imported
        // The library throws for a file that ends within its magic number.
        const recognised = yield* Effect.promise(() => fileTypeFromBuffer(bytes).catch(() => undefined))
        const type = recognised === undefined ? undefined : acceptedType(recognised.mime)
        if (type !== undefined && hasMagicNumber(type, bytes)) return Option.some(type)
        return isLatePdf(bytes) ? Option.some("application/pdf") : Option.none()
      }),
      withoutMetadata: traced("FileRecognition.withoutMetadata")((type, bytes) =>
        Effect.sync(() => withoutMetadata(type, bytes))
      )
    })
  })
)
