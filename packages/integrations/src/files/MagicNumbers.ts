/** The domain's `FileRecognition` by the marks that files of a kind begin with. */
import { FileRecognition } from "@livery/domain"
import { Effect, Layer, Option } from "effect"

/** Loaded with the first file: it knows hundreds of kinds, and most processes never see one. */
export const layer = Layer.succeed(
  FileRecognition,
  FileRecognition.of({
    contentTypeOf: Effect.fn("FileRecognition.contentTypeOf")((bytes) =>
      Effect.promise(async () => {
        const { fileTypeFromBuffer } = await import("file-type")
        // A file that ends in the middle of its mark is none that anybody knows.
        const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
        return Option.map(Option.fromUndefinedOr(found), ({ mime }) => mime)
      })
    )
  })
)
