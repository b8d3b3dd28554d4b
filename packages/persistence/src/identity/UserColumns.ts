/** The columns of users. */
import { User } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"

/** The columns of a user, of the table `users` called `u`. */
export const userColumns = columnsOf(User, "u", { email_verified: "u.email_verified_at IS NOT NULL" })
