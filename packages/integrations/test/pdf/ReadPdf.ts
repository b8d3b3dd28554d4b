/** Reads a PDF with Mozilla's reader, which is independent of the library that writes it. */
import { Effect } from "effect"
import { getDocumentProxy } from "unpdf"

/** The content of a PDF. */
export const readPdf = (bytes: Uint8Array) =>
  Effect.promise(async () => {
    const pdf = await getDocumentProxy(new Uint8Array(bytes))
    const pages: Array<{
      readonly text: string
      readonly links: ReadonlyArray<string>
      readonly size: string
      /** The texts with their places: from `x` on, `width` points wide, on the baseline `y`. */
      readonly places: ReadonlyArray<{
        readonly text: string
        readonly x: number
        readonly y: number
        readonly width: number
      }>
    }> = []
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number)
      const { items } = await page.getTextContent()
      const annotations = (await page.getAnnotations()) as ReadonlyArray<{ readonly url?: string }>
      const [, , width = 0, height = 0] = page.view
      pages.push({
        text: items.map((item) => ("str" in item ? item.str : "")).join("|"),
        links: annotations.flatMap(({ url }) => (url === undefined ? [] : [url])),
        size: `${Math.round(width)}x${Math.round(height)}`,
        places: items.flatMap((item) => {
          if (!("str" in item) || item.str.trim() === "") return []
          const [, , , , x = 0, y = 0] = item.transform as ReadonlyArray<number>
          return [{ text: item.str, x, y, width: item.width }]
        })
      })
    }
    const attachments = (await pdf.getAttachments()) as Record<
      string,
      { readonly content: Uint8Array; readonly filename: string }
    > | null
    const { info, metadata } = await pdf.getMetadata()
    const files = Object.values(attachments ?? {}).map(({ content, filename }) => ({
      name: filename,
      text: new TextDecoder().decode(content)
    }))
    const raw = metadata === null ? "" : String((metadata as { getRaw: () => unknown }).getRaw())
    return { pages, files, info: info as Record<string, unknown>, metadata: raw }
  })
