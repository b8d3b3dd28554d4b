/** Parts of rows. */
import { ActingBusiness } from "@livery/domain"
import type { BusinessRow } from "./Rows.ts"

/** The fields of a row that a schema names. */
export const only = <const Fields extends object, Row extends object>(
  { fields }: { readonly fields: Fields },
  row: Row
): Pick<Row, keyof Fields & keyof Row> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name in fields)) as Pick<
    Row,
    keyof Fields & keyof Row
  >

/** A business as the one that a caller acts for. */
export const actingBusiness = (row: BusinessRow): ActingBusiness => only(ActingBusiness, row)
