import type { ControlAnswer } from '../bot/control/control-answer.ts'
import type { OperatorRequest } from '../bot/control/operator-request.ts'
import type { OperatorOrigin } from '../bot/state/command-record.ts'

/** Parameters of a read, from the query of its URL. */
export type ViewQuery = Readonly<Record<string, string>>

/** A file to save. */
export interface ExportFile {
  readonly name: string
  readonly type: string
  readonly content: string | Uint8Array
}

/** Source of a window: a running bot, or its journal. */
export interface WindowSource {
  /** Name of the bot. */
  readonly bot: string
  /** Where it is read from, such as the path of a journal, which tells two of one name apart; absent of a running bot. */
  readonly place?: string
  /** False for a journal: nothing can be commanded. */
  readonly isLive: boolean
  /** A number that grows with everything that happens. */
  version(): number
  /** A snapshot as plain JSON; `undefined` if there is none of that name or id. */
  read(view: string, query: ViewQuery): Promise<unknown>
  /** A list as a file; `undefined` if there is none of that name. */
  file(name: string): Promise<ExportFile | undefined>
  /** Sends a command of an operator to the bot. */
  operate(request: OperatorRequest, origin: OperatorOrigin): Promise<ControlAnswer>
}
