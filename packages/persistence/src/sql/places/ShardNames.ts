import type { Statement } from "effect/sql"

/** The names of tables in the shards of one node, by their plain names. */
export type ShardNames = ReadonlyMap<string, string>

const tableName = /\b(FROM|JOIN|UPDATE|INTO)(\s+)(\w+)\b(?=(?:\s+(\w+))?)/gu

/** The words that may follow a table without an alias. */
const afterTable = new Set(
  "CROSS FOR FULL GROUP HAVING INNER JOIN LATERAL LEFT LIMIT NATURAL OFFSET ON ORDER RIGHT UNION USING WHERE WINDOW".split(
    " "
  )
)

/**
 * Replaces the name of each table that directly follows FROM, JOIN, UPDATE or INTO. A table that is read without an alias keeps
 * its name as its alias.
 */
export const onShards = (text: string, names: ShardNames): string =>
  text.replaceAll(tableName, (whole, keyword: string, space: string, table: string, next?: string) => {
    const shard = names.get(table)
    if (shard === undefined) return whole
    const isRead = keyword === "FROM" || keyword === "JOIN"
    const alias = isRead && (next === undefined || afterTable.has(next)) ? ` AS ${table}` : ""
    return `${keyword}${space}${shard}${alias}`
  })

/** Writes statements as `compiler` does, with the names that `current` returns at that moment. */
export const shardCompiler = (
  compiler: Statement.Compiler,
  current: () => ShardNames
): Statement.Compiler => {
  const renaming: Statement.Compiler = {
    dialect: compiler.dialect,
    compile: (statement, withoutTransform) => {
      const [text, parameters] = compiler.compile(statement, withoutTransform)
      return [onShards(text, current()), parameters]
    },
    get withoutTransform() {
      return shardCompiler(compiler.withoutTransform, current)
    }
  }
  return renaming
}
