/** Parts of rows. */
import { ActingBusiness, type BusinessId } from "@livery/domain"
import type { BusinessRow } from "./Rows.ts"
import type { Table } from "./Table.ts"

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

/** The row of a business; `undefined` if it is absent, deleted or another business's. */
export const rowOf = <Key, Row extends { readonly business_id: BusinessId; readonly deleted_at?: unknown }>(
  table: Table<Key, Row>,
  businessId: BusinessId,
  key: Key
): Row | undefined => {
  const row = table.get(key)
  return row?.business_id === businessId && row.deleted_at === undefined ? row : undefined
}
