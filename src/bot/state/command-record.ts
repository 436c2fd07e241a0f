/** Sender of an operator's command. */
export interface OperatorOrigin {
  /** `terminal`: the control socket; `window`: the page of the bot; `telegram`: a message. */
  readonly from: 'terminal' | 'window' | 'telegram'
  /** The user of the machine, the role and the address of a browser, or a user of Telegram with the number. */
  readonly who: string
}

/** A command of an operator with its result, as the journal keeps it. */
export interface CommandRecord {
  readonly type: 'operatorCommanded'
  readonly origin: OperatorOrigin
  readonly request: {
    readonly command: string
    readonly symbol?: string | undefined
    /** Length of a pause in ms of the venue's time. */
    readonly forMs?: number | undefined
    readonly reason?: string | undefined
  }
  /** True if all of it was carried out. */
  readonly ok: boolean
  /** The request was wrong: nothing of it was carried out. */
  readonly isRefused?: true
  /** The answer, in whole sentences. */
  readonly message: string
}
