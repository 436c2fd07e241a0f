/** What the bot does about an error; one function in `src/bot` maps it to action. */
export type Reaction =
  /** Stop the process: the configuration or the call is wrong. */
  | 'exit'
  /** Stop trading: authentication failed or an invariant broke. */
  | 'halt'
  /** Read again: the network or a rate limit was in the way. */
  | 'retry'
  /** A write has an unknown outcome: find out before anything else. */
  | 'reconcile'
  /** Leave this datum or instrument out. */
  | 'skip'
  /** Stop one strategy: it threw. */
  | 'disable'

/** What an error carries beside its message. */
export interface SluiceErrorDetails {
  readonly code: string
  readonly reaction: Reaction
  readonly cause?: unknown
}

/** Base of every error Sluice throws: a whole sentence, a literal `code` and the `reaction` it asks for. */
export class SluiceError extends Error {
  readonly code: string
  readonly reaction: Reaction

  constructor(message: string, { code, reaction, cause }: SluiceErrorDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.reaction = reaction
  }
}

/** Something the user wrote (a config, an option, a strategy file, a data file) cannot be used; exit code 2. */
export class UsageError extends SluiceError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'USAGE', reaction: 'exit', cause })
  }
}

/** Sluice contradicts itself: trading on would be guessing. */
export class InvariantError extends SluiceError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'INVARIANT', reaction: 'halt', cause })
  }
}
