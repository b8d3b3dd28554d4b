/**
 * What Citus refuses of a statement, or what makes the businesses of a distributed database wait for each other
 * (docs/operations/growth.md).
 */
import { parse } from "libpg-query"
import { aliasOf, all, isNode, names, type Node, relations } from "./StatementRules.ts"

/** - `lock`: it locks rows of a copied table, so the same statement of another business waits for its transaction.
 * - `update`: it changes rows of a copied table, with the same effect.
 * - `returning`: its RETURNING has a subquery, which Citus refuses.
 * - `writing-cte`: a WITH clause writes to a table of businesses, which reaches every node. While one is down, it fails.
 * - `exists`: it looks for rows of several businesses by an EXISTS without columns, which Citus refuses.
 * - `setval`: it sets a sequence, of one node only.
 */
export type CitusRule = "lock" | "update" | "returning" | "writing-cte" | "exists" | "setval"

/** The kind of a table; undefined for a name that is none. */
export type KindOf = (table: string) => "business" | "copied" | "platform" | undefined

const writes = ["InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"]

const list = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

const nameOf = (relation: unknown) => (isNode(relation) ? String(relation["relname"]) : "")

/** The copied tables that a SELECT locks. */
const locked = (select: Node, kindOf: KindOf) => {
  const read = relations(select["fromClause"])
  return list(select["lockingClause"]).flatMap(({ LockingClause }) => {
    const aliases = isNode(LockingClause)
      ? list(LockingClause["lockedRels"]).map(({ RangeVar }) => nameOf(RangeVar))
      : []
    return read
      .filter((relation) => aliases.length === 0 || aliases.includes(aliasOf(relation)))
      .map(nameOf)
      .filter((name) => kindOf(name) === "copied")
  })
}

/** The tables of businesses that the WITH clauses of a statement write to. */
const writtenInCtes = (tree: Node, kindOf: KindOf) =>
  all("CommonTableExpr", tree).flatMap(({ ctequery }) =>
    writes.flatMap((kind) => {
      const write = isNode(ctequery) ? ctequery[kind] : undefined
      const name = isNode(write) ? nameOf(write["relation"]) : ""
      return kindOf(name) === "business" ? [name] : []
    })
  )

/** Whether an EXISTS that selects no column looks for rows of a table of businesses. */
const hasEmptyExists = (tree: Node, kindOf: KindOf) =>
  all("SubLink", tree).some(({ subLinkType, subselect }) => {
    const select = isNode(subselect) ? subselect["SelectStmt"] : undefined
    return (
      subLinkType === "EXISTS_SUBLINK" &&
      isNode(select) &&
      select["targetList"] === undefined &&
      relations(select["fromClause"]).some((relation) => kindOf(nameOf(relation)) === "business")
    )
  })

/**
 * The rules that a statement breaks. `reachesNodes` says whether it is about several businesses, so that several nodes run a part
 * of it.
 */
export const citusFaults = async (
  text: string,
  kindOf: KindOf,
  reachesNodes: boolean
): Promise<ReadonlySet<CitusRule>> => {
  const tree = (await parse(text)) as Node
  const found = new Set<CitusRule>()
  if (all("SelectStmt", tree).some((select) => locked(select, kindOf).length > 0)) found.add("lock")
  if (all("UpdateStmt", tree).some(({ relation }) => kindOf(nameOf(relation)) === "copied"))
    found.add("update")
  const returning = writes.flatMap((kind) => all(kind, tree)).map(({ returningClause }) => returningClause)
  if (returning.some((clause) => isNode(clause) && all("SubLink", clause).length > 0)) found.add("returning")
  if (writtenInCtes(tree, kindOf).length > 0) found.add("writing-cte")
  if (reachesNodes && hasEmptyExists(tree, kindOf)) found.add("exists")
  if (all("FuncCall", tree).some(({ funcname }) => names(funcname).at(-1) === "setval")) found.add("setval")
  return found
}

/**
 * What Citus refuses of a migration: unnamed constraints, constraints of a new column, several changes in one statement, and
 * triggers on tables of businesses.
 */
export const citusMigrationFaults = async (
  migration: string,
  kindOf: KindOf
): Promise<ReadonlyArray<string>> => {
  const tree = (await parse(migration)) as Node
  const triggers = all("CreateTrigStmt", tree)
    .map(({ relation }) => nameOf(relation))
    .filter((table) => kindOf(table) === "business")
    .map((table) => `${table}: a trigger on a table of businesses`)
  const changes = all("AlterTableStmt", tree).flatMap((statement) => {
    const table = nameOf(statement["relation"])
    const commands = list(statement["cmds"]).map(({ AlterTableCmd }) =>
      isNode(AlterTableCmd) ? AlterTableCmd : {}
    )
    const inline = new Set(["CONSTR_CHECK", "CONSTR_UNIQUE", "CONSTR_PRIMARY", "CONSTR_FOREIGN"])
    return [
      ...(commands.length > 1 ? [`${table}: several changes in one statement`] : []),
      ...commands.flatMap(({ def, subtype }) => {
        const found = isNode(def) ? all("Constraint", def) : []
        if (subtype === "AT_AddConstraint")
          return found.every(({ conname }) => typeof conname === "string")
            ? []
            : [`${table}: an unnamed constraint`]
        return found.some(({ contype }) => inline.has(String(contype)))
          ? [`${table}: a column with a constraint, which is a statement of its own`]
          : []
      })
    ]
  })
  return [...changes, ...triggers]
}
