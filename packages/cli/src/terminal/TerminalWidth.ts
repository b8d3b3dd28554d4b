/** The width of the terminal that a stream writes to. */

/** A stream, such as `process.stdout`. */
export interface TerminalStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The width in characters; undefined if it is no terminal, or one that reports no width: some report 0. */
export const widthOf = ({ columns = 0, isTTY }: TerminalStream): number | undefined =>
  isTTY === true && columns > 0 ? columns : undefined
