import type { Logger } from 'pino'
import type { Ledger } from '../../ledger/ledger.ts'

/** About an account that has nothing left, in whole sentences. */
export const NOTHING_LEFT =
  'The account has nothing left: no position and no balance, so that every entry is denied. Transfer money to it, or stop the bot.'

/** Logs once that the account has nothing left, and once that it has money again. */
export class EmptyAccount {
  readonly #ledger: Ledger
  readonly #log: Logger
  #isEmpty = false

  constructor(ledger: Ledger, log: Logger) {
    this.#ledger = ledger
    this.#log = log
  }

  /** True if nothing was left at the latest look. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** To be called about every second, once the balances of the account are known. */
  look(): void {
    const { balances, instruments } = this.#ledger
    const isEmpty =
      balances.entries().every(([, amount]) => amount <= 0n) &&
      instruments.every(({ symbol }) => this.#ledger.positionsOf(symbol).length === 0)
    if (isEmpty === this.#isEmpty) return
    this.#isEmpty = isEmpty
    if (isEmpty) this.#log.error({ reason: NOTHING_LEFT }, 'the account has nothing left')
    else this.#log.info('the account has money again')
  }
}
