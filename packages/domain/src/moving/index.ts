/** The public exports of this module. */
export {
  type CellType,
  fieldsOf as importFieldsOf,
  ImportKind,
  neededFields as neededImportFields
} from "./ImportKind.ts"
export { MapName, mapNames } from "./ColumnNames.ts"
export * from "./Import.ts"
export * from "./ImportRepository.ts"
export * from "./Imports.ts"
export * as ImportSweep from "./ImportSweep.ts"
export { Column, type ImportMap, mapOfText, OwnMap } from "./Mapping.ts"
export * from "./MatchRepository.ts"
export * from "./Spreadsheets.ts"
export { delimiterOf, maxTableLines, textOfBytes } from "./TableText.ts"
