import type { Instrument } from '../../domain/instrument.ts'
import type { Amount } from '../../domain/numbers/amount.ts'
import type { StrategyRunnerOptions } from '../../engine/engine-options.ts'
import type { OpeningBalances } from '../../ledger/account-balances.ts'
import type { RiskRules } from '../../risk/risk-rules.ts'

/** A bot's start in the journal: with it, a replay of the following events gives the same decisions. */
export interface SessionRecord {
  /** Name of the bot. */
  readonly bot: string
  /** The venue and account that it trades on; journals from before it was noted have none. */
  readonly venue?: JournalVenue | undefined
  /** Limits and protections of the account. */
  readonly risk?: RiskRules | undefined
  readonly strategies: readonly JournaledStrategy[]
  readonly instruments: readonly Instrument[]
  /**
   * Balances of the account by asset, or of each of several; ignored if the session continues another, whose
   * ledger counts instead.
   */
  readonly balances: OpeningBalances
  /** Declared balances of the margin account at the start of its books; a later declaration is ignored. */
  readonly declared?: ReadonlyMap<string, Amount> | undefined
  /**
   * The exchange's time when it began, ms UTC; later than that of every session before it in the journal. Part of every
   * clientOrderId. Journals from before it was noted have none.
   */
  readonly startedAt?: number | undefined
  /** Part of every clientOrderId as well; see `SessionIdentity`. */
  readonly tag?: string | undefined
  /** Hash of the code of each strategy, by its file. Journals from before it was noted have none. */
  readonly sources?: Readonly<Record<string, string>> | undefined
  /** True if it continues the session before it, even after a crash. */
  readonly continues: boolean
}

/** A strategy by its file, as it was configured. */
export type JournaledStrategy = Omit<StrategyRunnerOptions, 'strategy'> & { readonly file: string }

/** The venue and the account of a journal's orders and positions. Contains no secret. */
export type JournalVenue =
  | { readonly type: 'simulated' }
  | {
      readonly type: 'exchange'
      /** Host and port of `venue.spotUrl`, where there is one. */
      readonly spotHost?: string
      /** Host and port of `venue.futuresUrl`, where there is one. */
      readonly futuresHost?: string
      /** 16 hex digits of a salted hash of the API key; see `Credentials.digestOf`. */
      readonly key: string
    }
