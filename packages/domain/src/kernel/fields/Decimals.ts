import { check } from "./FieldIssue.ts"

/** At most that many decimals, compared on the decimal text, so that 0.1 + 0.2 is refused. */
export const decimals = (most: number) => {
  const pattern = new RegExp(`^-?\\d+(?:\\.\\d{1,${most}})?$`, "u")
  return check<number>("invalid", (value) => pattern.test(String(value)))
}
