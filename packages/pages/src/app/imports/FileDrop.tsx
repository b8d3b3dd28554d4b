/** A file is chosen, or dropped anywhere on the screen. */
import type { JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { ControlProps } from "../../components/Field.tsx"

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false

export const FileDrop = ({
  control,
  hint,
  onFile
}: {
  readonly control: ControlProps
  readonly hint: string
  readonly onFile: (file: File) => void
}): JSX.Element => {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = useRef(onFile)
  take.current = onFile
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      const files = event.dataTransfer?.files
      const file = files?.[0]
      if (files === undefined || file === undefined) return
      if (input.current !== null) input.current.files = files
      take.current(file)
    }
    addEventListener("dragover", over)
    addEventListener("dragleave", leave)
    addEventListener("drop", drop)
    return () => {
      removeEventListener("dragover", over)
      removeEventListener("dragleave", leave)
      removeEventListener("drop", drop)
    }
  }, [])
  return (
    <div class={isOver ? "file-drop over" : "file-drop"}>
      <input
        {...control}
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        ref={input}
        onClick={({ currentTarget }) => {
          // The same file can be chosen again after it was mended.
          currentTarget.value = ""
        }}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file !== undefined) onFile(file)
        }}
      />
      <span class="muted small">{hint}</span>
    </div>
  )
}
