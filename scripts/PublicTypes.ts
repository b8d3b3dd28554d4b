/**
 * Finds the types that the declarations of a package's exports mention but that the package does not export. A program with
 * `--declaration` cannot name them (TS2883, TS4023). Reads the `.d.ts` files of `dist`.
 */
import { readFileSync } from "node:fs"
import { join, normalize } from "node:path"

interface Declarations {
  /** Each name's declarations, without comments. */
  readonly blocks: ReadonlyMap<string, string>
  readonly exported: ReadonlySet<string>
  /** The file and the name there that a name stands for. */
  readonly imports: ReadonlyMap<string, readonly [file: string, name: string]>
  readonly reexports: ReadonlyArray<{ readonly file: string; readonly names?: ReadonlyArray<string> }>
}

const namesIn = (list: string) =>
  [...list.matchAll(/(?:type )?(\w+)(?: as (\w+))?/gu)].map(
    ([, name = "", local = name]) => [name, local] as const
  )

const fileOf = (from: string, specifier: string) =>
  normalize(join(from, "..", specifier)).replace(/\.ts$/u, ".d.ts")

const parse = (file: string): Declarations => {
  const blocks = new Map<string, string>()
  const exported = new Set<string>()
  const imports = new Map<string, readonly [string, string]>()
  const reexports: Array<{ file: string; names?: ReadonlyArray<string> }> = []
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\/\/.*$/gmu, "")
  for (const block of text.split(/^(?=export |declare |interface |type |import )/gmu)) {
    const from = /^(import|export) (?:type )?(?:\{([^}]*)\}|\*(?: as \w+)?) from "(\.[^"]+)"/u.exec(block)
    const [, name] =
      /^(?:export |declare |abstract )*(?:interface|type|class|const|function) (\w+)/u.exec(block) ?? []
    if (from !== null) {
      const [, kind, list, specifier = ""] = from
      const source = fileOf(file, specifier)
      if (kind === "export")
        reexports.push(
          list === undefined ? { file: source } : { file: source, names: namesIn(list).map(([n]) => n) }
        )
      else for (const [imported, local] of namesIn(list ?? "")) imports.set(local, [source, imported])
    } else if (name !== undefined) {
      blocks.set(name, (blocks.get(name) ?? "") + block)
      if (block.startsWith("export")) exported.add(name)
    }
  }
  return { blocks, exported, imports, reexports }
}

/** The types that the entries of a package do not export although their exports mention them, as `file: name`. */
export const unnamedTypes = (entries: ReadonlyArray<string>): ReadonlyArray<string> => {
  const parsed = new Map<string, Declarations>()
  const of = (file: string): Declarations => parsed.get(file) ?? (parsed.set(file, parse(file)), of(file))
  const named = new Set<string>()
  const publish = (file: string, names?: ReadonlyArray<string>) => {
    const { exported, reexports } = of(file)
    for (const name of exported) if (names?.includes(name) ?? true) named.add(`${file}: ${name}`)
    for (const other of reexports)
      publish(
        other.file,
        names === undefined ? other.names : names.filter((n) => other.names?.includes(n) ?? true)
      )
  }
  for (const entry of entries) publish(entry)

  const unnamed = new Set<string>()
  const seen = new Set<string>()
  const walk = (file: string, name: string) => {
    if (seen.has(`${file}: ${name}`)) return
    seen.add(`${file}: ${name}`)
    const { blocks, imports } = of(file)
    const block = blocks.get(name) ?? ""
    const inline = [...block.matchAll(/import\("(\.[^"]+)"\)\.(\w+)/gu)]
    const mentions = inline.map(([, specifier = "", n = ""]) => [fileOf(file, specifier), n] as const)
    for (const [word] of block.matchAll(/(?<![.\w"])\w+/gu))
      if (imports.has(word)) mentions.push(imports.get(word) as [string, string])
      else if (word !== name && blocks.has(word)) mentions.push([file, word])
    for (const [source, mentioned] of mentions) {
      const isNominal = /^(?:export |declare |abstract )*(?:interface|class) /u.test(
        of(source).blocks.get(mentioned) ?? ""
      )
      if (isNominal && !named.has(`${source}: ${mentioned}`)) unnamed.add(`${source}: ${mentioned}`)
      walk(source, mentioned)
    }
  }
  for (const one of named) walk(...(one.split(": ") as [string, string]))
  return [...unnamed].sort()
}
