import type { Logger } from 'pino'
import type { GivenAccounts } from '../config/account-fields.ts'
import type { BotConfig, StrategyConfig } from '../config/bot-config.ts'
import type { MarketOf } from '../config/configured-market.ts'
import type { RulesBySymbol } from '../config/instrument-rules.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { HeldContract } from '../execution/reconciliation/futures-account.ts'
import type { JournalWriter } from '../journal/journal.ts'
import type { RiskRules } from '../risk/risk-rules.ts'
import type { Strategy } from '../strategy/define-strategy.ts'
import type { BotObserver } from './bot-observer.ts'
import type { StrategySubscriptions } from './inputs/strategy-subscriptions.ts'
import type { LineTrouble } from './log/line-trouble.ts'
import type { BotState } from './state/bot-state.ts'
import type { RecordedEngine } from './state/recorded-engine.ts'
import type { JournalVenue } from './state/session-record.ts'
import type { Venue } from './venue/venue.ts'

/** Everything a bot is wired from. */
export interface BotParts {
  readonly config: Pick<BotConfig, 'bot' | 'execution' | 'polling'> &
    GivenAccounts & {
      readonly risk?: RiskRules | undefined
      readonly instruments?: RulesBySymbol | undefined
    }
  /** File of the configuration, for the line of what it lacks. */
  readonly configPath?: string
  readonly venue: Venue
  readonly strategies: readonly LoadedStrategy[]
  readonly log: Logger
  /** Receives every event and decision; the caller that opened it closes it. */
  readonly journal?: JournalWriter | undefined
  /** Recorded in the journal, so that no other venue or account continues it; see `checkJournalVenue`. */
  readonly journalVenue?: JournalVenue | undefined
  /** Hash of the code of each strategy by its file, noted in the journal for the comparison with a backtest. */
  readonly sources?: Readonly<Record<string, string>> | undefined
  /** Separates sessions of one name that begin in the same ms; see `SessionIdentity`. */
  readonly sessionTag?: string
  /** Entries of the journal after which the state is kept anew; default 10,000. */
  readonly snapshotEntries?: number
  /** Follows what the bot does. */
  readonly observer?: BotObserver | undefined
  /** From 0 up to 1, for the jitter between tries; default: `Math.random`. */
  readonly random?: () => number
}

/** Parts and state of a bot that is ready to trade. */
export interface BotOptions extends BotParts {
  /** Feeds and klines of the strategies. */
  readonly followed: readonly StrategySubscriptions[]
  readonly instruments: ReadonlyMap<string, Instrument>
  /** Those of them that are contracts. */
  readonly contracts: readonly HeldContract[]
  readonly marketOf: MarketOf
  readonly state: BotState
  /** The same state, by way of the journal. */
  readonly recorded: RecordedEngine
  /** Open time of the latest kline seen, by `symbol interval`, ms UTC. */
  readonly after: ReadonlyMap<string, number>
  readonly trouble: LineTrouble
}

/** A strategy of the configuration with its code. */
export interface LoadedStrategy extends StrategyConfig {
  readonly strategy: Strategy
  /** The books that it had before, by role; that of its own instrument under ''. */
  readonly books?: Readonly<Record<string, string>> | undefined
}
