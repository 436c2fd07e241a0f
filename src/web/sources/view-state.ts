import type { BotHealth } from '../../bot/log/bot-health.ts'
import type { BotStatus } from '../../bot/log/bot-status.ts'
import type { ComparisonUpdate } from '../../compare/comparison-messages.ts'
import type { TradingHistory } from '../history/trading-history.ts'
import type { ViewQuery } from '../window-source.ts'

/** From where on the code of today decides other than a journal has it. */
export interface CodeChange {
  /** Of the first such entry, ms UTC. */
  readonly time: number
  /** The end of a sentence, without a period, or whole sentences. */
  readonly why: string
}

/** Everything a view is made of. */
export interface ViewState {
  readonly history: TradingHistory
  readonly status: BotStatus
  /** Absent of a journal. */
  readonly health?: BotHealth
  /** The comparison with the backtest of what it has seen; absent where none runs. */
  readonly comparison?: ComparisonUpdate
  /** Of a journal that no bot writes: time of its last entry, ms UTC. */
  readonly stoppedAt?: number
  /** Of a journal whose strategies are others by now. */
  readonly changed?: CodeChange
  /** True where files are made of a journal: they have all that it keeps. */
  readonly hasJournalFiles?: boolean
  /** Exchange time at present, or that of the last entry of a journal, ms UTC. */
  readonly time: number
}

/** Makes a view; `undefined` where its query names nothing that there is. */
export type MakeView = (state: ViewState, query: ViewQuery) => unknown
