import { Effect } from "effect"
import { type FileHandle, open } from "node:fs/promises"
import { vi } from "vitest"

/**
 * Until the scope closes, `FileHandle.write` writes only the first half of its bytes, as the system may. `file` exists; it
 * is opened to find the class of handles.
 */
export const halfWrites = (file: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const handle = await open(file)
      await handle.close()
      const prototype = Object.getPrototypeOf(handle) as FileHandle
      const write: (this: FileHandle, bytes: Uint8Array) => Promise<unknown> = prototype.write
      return vi.spyOn(prototype, "write").mockImplementation(function (
        this: FileHandle,
        data: Uint8Array | string
      ) {
        const bytes = Buffer.from(data)
        return write.call(this, bytes.subarray(0, Math.ceil(bytes.length / 2)))
      } as FileHandle["write"])
    }),
    (spy) => Effect.sync(() => spy.mockRestore())
  )
