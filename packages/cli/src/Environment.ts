/** The settings and the log of a command. */
import { Layer } from "effect"
import * as Logging from "./Logging.ts"
import { Settings } from "./Settings.ts"

/** The settings of this process, and the logger that they configure. */
export const environment = Logging.layer.pipe(Layer.provideMerge(Settings.layer))

/** The same with default settings, for help and completions, which a wrong setting must not prevent. */
export const defaultEnvironment = Logging.layer.pipe(Layer.provideMerge(Settings.defaults))
