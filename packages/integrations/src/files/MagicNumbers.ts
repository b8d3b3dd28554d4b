/** The domain's `FileRecognition` by the marks that files of a kind begin with. */
import { FileRecognition } from "@livery/domain"
import { Effect, Layer, Option } from "effect"

/** How files that may be uploaded begin: each mark, and the byte that it stands at. */
const marks: Readonly<Record<string, ReadonlyArray<readonly [at: number, mark: string]>>> = {
  "image/png": [[0, "\u0089PNG\r\n\u001a\n"]],
  "image/jpeg": [[0, "\u00ff\u00d8\u00ff"]],
  "image/webp": [
    [0, "RIFF"],
    [8, "WEBP"]
  ],
  "application/pdf": [[0, "%PDF-"]]
}

/** A picture that moves is one for whoever shows its first frame alone. */
const plain = (type: string) => (type === "image/apng" ? "image/png" : type)

/** What was found behind something else, such as the tags of a piece of music, is a part of no such file. */
const beginsSo = (type: string, bytes: Uint8Array) => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1")
  return (marks[type] ?? []).every(([at, mark]) => head.startsWith(mark, at))
}

/** Loaded with the first file: it knows hundreds of kinds, and most processes never see one. */
export const layer = Layer.succeed(
  FileRecognition,
  FileRecognition.of({
    contentTypeOf: Effect.fn("FileRecognition.contentTypeOf")((bytes) =>
      Effect.promise(async () => {
        const { fileTypeFromBuffer } = await import("file-type")
        // A file that ends in the middle of its mark is none that anybody knows.
        const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
        return Option.fromUndefinedOr(found).pipe(
          Option.map(({ mime }) => plain(mime)),
          Option.filter((type) => beginsSo(type, bytes))
        )
      })
    )
  })
)
