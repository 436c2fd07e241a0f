/** Inputs of a trial: hashes are SHA-256, hexadecimal. */
export interface TrialIdentity {
  /** Name of the strategy; of several, all with commas between them. */
  readonly strategy: string
  readonly symbol: string
  readonly interval: string
  /** Hash of the code of Sluice and of the strategy. */
  readonly code: string
  /** Hash of the data that were played. */
  readonly data: string
  /** Hash of the configuration, with its defaults. */
  readonly config: string
  /** Open of the first kline that was decided or warmed up on, ms UTC; of a span its start. */
  readonly from: number
  /** Close of the last kline, ms UTC; of a span its end. */
  readonly to: number
  /** True for a part of the data, with the klines before it as warm-up. */
  readonly isSpan: boolean
}

/** A trial as it is kept. */
export interface StudyTrial extends TrialIdentity {
  /** Hash of code, data, configuration, span and parameters. */
  readonly key: string
  /** Complete with defaults. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>
  readonly outcome: 'finished' | 'failed'
  /** Reason of its failure. */
  readonly problem?: string | undefined
  /** Of a finished trial; `null` where one is not available. `openForMs` only where a position is open at the end. */
  readonly figures?: Readonly<Record<string, number | null>> | undefined
  /** First UTC day of the returns, counted from 1970-01-01. */
  readonly firstDay?: number | undefined
  /** Return of each UTC day, a fraction. */
  readonly dailyReturns?: Float64Array | undefined
}

/** Daily returns of a trial that finished. */
export type StudyReturns = { readonly [Name in 'firstDay' | 'dailyReturns']: NonNullable<StudyTrial[Name]> }

/** A search as it is kept: everything that its trials follow from. */
export interface StudySearch extends TrialIdentity {
  /** Hash of everything that its trials follow from. */
  readonly id: string
  /** Sampler, seed, space, objectives, number of trials: plain data. */
  readonly definition: unknown
}

/** A verdict as it is kept. */
export interface StudyVerdict extends TrialIdentity {
  /** Hash of everything that was asked for; the same question is answered anew. */
  readonly id: string
  /** `edge`, `undecided` or `no edge`. */
  readonly answer: string
}

/** Trials of one strategy on the same data. */
export interface TrialGroup
  extends Pick<TrialIdentity, 'strategy' | 'symbol' | 'interval' | 'data' | 'from' | 'to' | 'isSpan'> {
  readonly finished: number
  readonly failed: number
  /** Largest annual Sharpe ratio, `null` where none has one. */
  readonly bestSharpe: number | null
  /** Different hashes of code, and of configurations, of its trials. */
  readonly codes: number
  readonly configs: number
}
