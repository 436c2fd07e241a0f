import { utcText } from '../../domain/market-data/civil-date.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import type { ReconciliationReport } from '../../execution/reconciliation/reconciliation-report.ts'

/** Coins of positions that the account lacks, while their sale may still be listed; as of the look that found it. */
export interface AwaitedSale {
  readonly asset: string
  /** Base units of positions in the books, as text. */
  readonly held: string
  /** Base units on the account, as text. */
  readonly exchange: string
  /** When its markets halt unless a sale explains it, UTC. */
  readonly until: string
}

type Shortage = Extract<ReconciliationReport, { type: 'shortageAwaited' }>

/** The latest shortage of each asset, until a look that agrees, or its end. */
export class AwaitedSales {
  readonly #shortages = new Map<string, Shortage & { readonly foundAt: number }>()

  /** `foundAt`: time of the look, ms UTC. */
  note(shortage: Shortage, foundAt: number): void {
    this.#shortages.set(shortage.asset, { ...shortage, foundAt })
  }

  /** Those that are awaited at a time; `agreedAt` is when the latest look that was believed began. Both ms UTC. */
  shownAt(time: number, agreedAt = Number.NEGATIVE_INFINITY): readonly AwaitedSale[] {
    return [...this.#shortages.values()]
      .filter(({ until, foundAt }) => time < until && agreedAt <= foundAt)
      .map(({ asset, held, exchange, until }) => ({
        asset,
        held: amountToText(held),
        exchange: amountToText(exchange),
        until: utcText(until),
      }))
  }
}
