// Rows are checked against their schemas in every test (see RowDecoder.ts).
import { checkRows } from "../../packages/persistence/src/sql/rows/RowDecoder.ts"

checkRows()
