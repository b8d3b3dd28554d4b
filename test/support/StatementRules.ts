/**
 * Rules for the statements of requests, so that they also run on a database that is distributed by `business_id`
 * (docs/engineering/0002-postgresql-everywhere.md).
 */
import { parse } from "libpg-query"

/** A node of PostgreSQL's syntax tree: its kind is the name of its only property. */
export type Node = Readonly<Record<string, unknown>>

export const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null

const children = (node: Node): ReadonlyArray<Node> =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? (value as ReadonlyArray<unknown>) : [value]))
    .filter(isNode)

/** The two SELECTs of a UNION, which the tree has without the name of their kind. */
const branches = ({ larg, op, rarg }: Node): ReadonlyArray<Node> =>
  typeof op === "string" && op.startsWith("SETOP_") ? [larg, rarg].filter(isNode) : []

/** All nodes of that kind below a node. */
export const all = (kind: string, node: Node): ReadonlyArray<Node> => [
  ...(isNode(node[kind]) ? [node[kind]] : []),
  ...(kind === "SelectStmt" ? branches(node) : []),
  ...children(node).flatMap((child) => all(kind, child))
]

export const names = (fields: unknown): ReadonlyArray<string> =>
  (Array.isArray(fields) ? (fields as ReadonlyArray<Node>) : []).map((field) =>
    isNode(field["String"]) ? String(field["String"]["sval"]) : "*"
  )

const isParameter = (node: unknown): boolean =>
  isNode(node) &&
  (isNode(node["ParamRef"]) || (isNode(node["TypeCast"]) && isParameter(node["TypeCast"]["arg"])))

/** The relations that a clause reads by themselves: those of a nested SELECT belong to that one. */
export const relations = (node: unknown): ReadonlyArray<Node> => {
  if (Array.isArray(node)) return node.flatMap(relations)
  if (!isNode(node)) return []
  if (isNode(node["RangeVar"])) return [node["RangeVar"]]
  if (isNode(node["JoinExpr"])) return [node["JoinExpr"]["larg"], node["JoinExpr"]["rarg"]].flatMap(relations)
  return []
}

const joinConditions = (node: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(node)) return node.flatMap(joinConditions)
  if (!isNode(node) || !isNode(node["JoinExpr"])) return []
  const { larg, quals, rarg } = node["JoinExpr"]
  return [quals, ...joinConditions(larg), ...joinConditions(rarg)]
}

/** The conditions that hold together. */
const conjuncts = (node: unknown): ReadonlyArray<Node> => {
  if (!isNode(node)) return []
  const both = node["BoolExpr"]
  return isNode(both) && both["boolop"] === "AND_EXPR"
    ? (both["args"] as ReadonlyArray<unknown>).flatMap(conjuncts)
    : [node]
}

/** The aliases whose `business_id` a condition compares with a parameter; `*` for a column without an alias. */
const boundBy = (condition: Node): ReadonlyArray<string> => {
  const comparison = condition["A_Expr"]
  if (!isNode(comparison) || comparison["kind"] !== "AEXPR_OP" || names(comparison["name"])[0] !== "=")
    return []
  const sides = [comparison["lexpr"], comparison["rexpr"]]
  if (!sides.some(isParameter)) return []
  return sides.flatMap((side) => {
    const column = isNode(side) && isNode(side["ColumnRef"]) ? names(side["ColumnRef"]["fields"]) : []
    if (column.at(-1) !== "business_id") return []
    return [column.length > 1 ? (column[0] ?? "*") : "*"]
  })
}

export const aliasOf = ({ alias, relname }: Node) =>
  isNode(alias) ? String(alias["aliasname"]) : String(relname)

const volatile = new Set(["clock_timestamp", "random", "gen_random_uuid", "nextval", "timeofday"])

const changes: Readonly<Record<string, string>> = {
  UpdateStmt: "an UPDATE",
  DeleteStmt: "a DELETE",
  OnConflictClause: "an ON CONFLICT"
}

/** The volatile functions that a change of stored rows calls: each copy of the rows would get another value. */
const volatileCalls = (kind: string, change: Node) =>
  all("FuncCall", change)
    .flatMap(({ funcname }) => names(funcname).slice(-1))
    .filter((name) => volatile.has(name))
    .map((name) => `${name}() is volatile in ${changes[kind]}`)

/** The fault of a table of businesses whose `business_id` is not compared with a parameter. */
export const notBound = "is not bound by the business's id"

/** The faults of one SELECT, UPDATE or DELETE, without those nested in it. */
const faultsOfOne = (kind: string, statement: Node, isBusinessTable: (name: string) => boolean) => {
  const read = [
    ...relations(statement["fromClause"]),
    ...relations(statement["usingClause"]),
    ...(isNode(statement["relation"]) ? [statement["relation"]] : [])
  ].filter(({ relname }) => isBusinessTable(String(relname)))
  const bound = new Set(
    [
      statement["whereClause"],
      ...joinConditions(statement["fromClause"]),
      ...joinConditions(statement["usingClause"])
    ]
      .flatMap(conjuncts)
      .flatMap(boundBy)
  )
  const unbound = read
    .filter((relation) => !bound.has(aliasOf(relation)) && !(bound.has("*") && read.length === 1))
    .map((relation) => `${aliasOf(relation)} ${notBound}`)
  return [...unbound, ...volatileCalls(kind, kind === "SelectStmt" ? {} : statement)]
}

/**
 * The faults of a statement: a table of businesses whose `business_id` it does not compare with a parameter, or a
 * volatile function in an UPDATE, a DELETE or an ON CONFLICT. `isBusinessTable` knows the tables; names of common table expressions are none.
 */
export const statementFaults = async (
  text: string,
  isBusinessTable: (name: string) => boolean
): Promise<ReadonlyArray<string>> => {
  const tree = (await parse(text)) as Node
  const expressions = new Set(all("CommonTableExpr", tree).map(({ ctename }) => String(ctename)))
  const isTable = (name: string) => isBusinessTable(name) && !expressions.has(name)
  const conflicts = all("InsertStmt", tree).flatMap(({ onConflictClause }) =>
    isNode(onConflictClause) ? volatileCalls("OnConflictClause", onConflictClause) : []
  )
  return [
    ...["SelectStmt", "UpdateStmt", "DeleteStmt"].flatMap((kind) =>
      all(kind, tree).flatMap((statement) => faultsOfOne(kind, statement, isTable))
    ),
    ...conflicts
  ]
}
