// The modules of undici that Undici.ts imports have no declarations of their own.
declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici"
  export default Client
}
declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici"
  export default buildConnector
}
declare module "undici/lib/core/errors.js" {
  import { errors } from "undici"
  export default errors
}
