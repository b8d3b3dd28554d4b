/** SQL that is written once and bound to a business id in each statement. */
import type { SqlClient, Statement } from "effect/sql"
import type { BusinessId } from "@livery/domain"
import type { Placeholder } from "./Compiled.ts"

/** The placeholder of the business's id in a text for {@link forBusiness}. */
export const business = ":business"

/**
 * Turns a text into a fragment of a statement, with the business's id as a parameter in place of each {@link business}.
 * Every table of businesses in a statement is compared with that parameter, and not with a column of another table, so
 * that a database that is distributed by `business_id` runs the statement on one node.
 */
export const forBusiness = (sql: SqlClient.SqlClient, text: string) => {
  // Statements above a length are not prepared (`Preparing.ts`), so the indentation is left out.
  const [first = "", ...rest] = text
    .replaceAll(/\n\s+/gu, "\n")
    .split(business)
    .map((part) => sql.literal(part))
  return (businessId: BusinessId | Placeholder): Statement.Fragment =>
    rest.reduce<Statement.Fragment>(
      (before, after) => sql`${before}${businessId}::bigint${after}`,
      sql`${first}`
    )
}
