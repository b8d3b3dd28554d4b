/**
 * Rules for migrations after the first release: nodes of the previous version run while a migration is applied and after
 * it, until they are restarted (docs/operations/README.md, "Upgrade without an interruption").
 */
import { parse } from "libpg-query"

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null

const list = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

/** Statements that no running version notices, or that only add. */
const harmless = new Set([
  "CommentStmt",
  "CreateFunctionStmt",
  "CreateSeqStmt",
  "CreateStmt",
  "DeleteStmt",
  "GrantStmt",
  "InsertStmt",
  "SelectStmt",
  "UpdateStmt"
])

/** Changes of a table that the previous version's statements survive. */
const harmlessCommands = new Set([
  "AT_ColumnDefault",
  "AT_DropConstraint",
  "AT_DropNotNull",
  "AT_SetRelOptions",
  "AT_SetStatistics"
])

const relationOf = (statement: Node) =>
  isNode(statement["relation"]) ? String(statement["relation"]["relname"]) : "?"

const constraintsOf = (column: Node) =>
  list(column["constraints"]).map((each) =>
    isNode(each["Constraint"]) ? each["Constraint"]["contype"] : "?"
  )

/** The faults of a new column: without a default or NULL, the inserts of the previous version, which do not name it, fail. */
const columnFaults = (table: string, column: Node): ReadonlyArray<string> => {
  const constraints = constraintsOf(column)
  const filled = ["CONSTR_DEFAULT", "CONSTR_GENERATED", "CONSTR_IDENTITY"].some((kind) =>
    constraints.includes(kind)
  )
  const name = `${table}.${String(column["colname"])}`
  return [
    ...(constraints.includes("CONSTR_NOTNULL") && !filled
      ? [`${name} is NOT NULL without a default: the previous version cannot insert rows`]
      : []),
    ...(["CONSTR_UNIQUE", "CONSTR_PRIMARY"].some((kind) => constraints.includes(kind))
      ? [`${name} is unique: the previous version may insert rows that are not`]
      : [])
  ]
}

const commandFaults = (table: string, command: Node): ReadonlyArray<string> => {
  const kind = String(command["subtype"])
  if (kind === "AT_AddColumn" && isNode(command["def"]) && isNode(command["def"]["ColumnDef"]))
    return columnFaults(table, command["def"]["ColumnDef"])
  return harmlessCommands.has(kind) ? [] : [`${table}: the previous version may not survive ${kind}`]
}

/** The columns of a new index. */
const columnsOf = (statement: Node): ReadonlyArray<string> =>
  list(statement["indexParams"]).flatMap((each) =>
    isNode(each["IndexElem"]) ? [String(each["IndexElem"]["name"])] : []
  )

/** The columns that a statement adds without a default. */
const addedBy = (statement: Node): ReadonlyArray<string> =>
  list(statement["cmds"]).flatMap((each) => {
    const command = each["AlterTableCmd"]
    if (!isNode(command) || command["subtype"] !== "AT_AddColumn" || !isNode(command["def"])) return []
    const column = command["def"]["ColumnDef"]
    return isNode(column) && list(column["constraints"]).length === 0 ? [String(column["colname"])] : []
  })

const faultsOf = (
  kind: string,
  statement: Node,
  isNew: (table: string) => boolean,
  isAdded: (column: string) => boolean
): ReadonlyArray<string> => {
  const table = relationOf(statement)
  if (harmless.has(kind) || isNew(table)) return []
  if (kind === "IndexStmt")
    // Rows of the previous version have no value in a column that it does not know, and such rows are never equal.
    return statement["unique"] === true && !columnsOf(statement).some(isAdded)
      ? [`${table}: the previous version may insert rows that a new unique index refuses`]
      : []
  if (kind === "AlterTableStmt")
    return list(statement["cmds"]).flatMap((each) =>
      isNode(each["AlterTableCmd"]) ? commandFaults(table, each["AlterTableCmd"]) : []
    )
  if (kind === "DropStmt" && statement["removeType"] === "OBJECT_INDEX") return []
  return [`the previous version may not survive ${kind}`]
}

/** The statements of a migration that may break the previous version, one line each. */
export const upgradeFaults = async (migration: string): Promise<ReadonlyArray<string>> => {
  const { stmts } = (await parse(migration)) as { readonly stmts: ReadonlyArray<{ readonly stmt: Node }> }
  const statements = stmts.flatMap(({ stmt }) =>
    Object.entries(stmt).filter((entry): entry is [string, Node] => isNode(entry[1]))
  )
  const made = new Set(
    statements.flatMap(([kind, statement]) => (kind === "CreateStmt" ? [relationOf(statement)] : []))
  )
  const added = new Set(
    statements.flatMap(([kind, statement]) => (kind === "AlterTableStmt" ? addedBy(statement) : []))
  )
  return statements.flatMap(([kind, statement]) =>
    faultsOf(
      kind,
      statement,
      (table) => made.has(table),
      (column) => added.has(column)
    )
  )
}
