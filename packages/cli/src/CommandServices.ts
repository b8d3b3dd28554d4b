/** The services that each command runs with: its settings and its logger. */
import { Layer } from "effect"
import * as Logging from "./observation/Logging.ts"
import { Settings } from "./settings/Settings.ts"

/** The settings of this process, and the logger at their level. */
export const commandServices = Logging.layer.pipe(Layer.provideMerge(Settings.layer))

/** Default settings and their logger, for help and completions: a wrong setting must not prevent them. */
export const defaultServices = Logging.layer.pipe(Layer.provideMerge(Settings.defaults))
