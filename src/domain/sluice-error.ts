/** The bot's reaction to an error; one function in `src/bot` maps it to action. */
export type Reaction =
  /** Stop the process: the configuration or the call is wrong. */
  | 'exit'
  /** Stop trading: authentication failed or an invariant broke. */
  | 'halt'
  /** Read again: the network failed, or a rate limit applied. */
  | 'retry'
  /** A write has an unknown outcome: reconcile before anything else. */
  | 'reconcile'
  /** Skip this datum or instrument. */
  | 'skip'
  /** Stop one strategy: it threw. */
  | 'disable'

/** Details of an error besides its message. */
export interface SluiceErrorDetails {
  readonly code: string
  readonly reaction: Reaction
  readonly cause?: unknown
}

/**
 * Base of every error that Sluice throws: the message is a whole sentence, with a literal `code` and a
 * `reaction`.
 */
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

/** Unusable input of the user (a config, an option, a strategy file, a data file); exit code 2. */
export class UsageError extends SluiceError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'USAGE', reaction: 'exit', cause })
  }
}

/** Sluice contradicts itself: continuing to trade would be guessing. */
export class InvariantError extends SluiceError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'INVARIANT', reaction: 'halt', cause })
  }
}
