import type { Statement } from "effect/sql"

/** The names of tables in the shards of one node, by their plain names. */
export type ShardNames = ReadonlyMap<string, string>

const tableName = /\b(FROM|JOIN|UPDATE|INTO)(\s+)(\w+)\b/gu

/** Replaces the name of each table that directly follows FROM, JOIN, UPDATE or INTO. */
export const onShards = (text: string, names: ShardNames): string =>
  text.replaceAll(tableName, (whole, keyword: string, space: string, table: string) =>
    names.has(table) ? `${keyword}${space}${names.get(table)}` : whole
  )

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
