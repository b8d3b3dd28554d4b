declare module "pg-cursor" {
  import type { Connection, Submittable } from "pg"

  /** The part of pg-cursor that we use; the package ships without types. */
  export default class Cursor implements Submittable {
    constructor(text: string, values: Array<unknown>)
    submit(connection: Connection): void
    handleDataRow(message: unknown): void
    read(count: number, done: (error: unknown, rows: Array<object>) => void): void
    close(done: () => void): void
  }
}
