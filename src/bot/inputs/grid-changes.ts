import type { TradingCommanded } from '../../domain/events/trading-event.ts'
import type { PresentGrid } from '../../execution/gateway/present-grid.ts'
import type { RuleChange } from '../../market/listing-changes.ts'

/**
 * Rules of an instrument's grid: after a change, an order by the old ones may mean another price or quantity.
 */
const GRID_RULES: ReadonlySet<string> = new Set(['pricePrecision', 'quantityPrecision', 'multiplier'])

interface Halt {
  readonly rule: string
  /** The value that everything is counted in. */
  readonly counted: string | undefined
  readonly reason: string
}

/**
 * Halts an instrument with a changed grid, and resumes it once the list shows the old rules again. Meanwhile exits of its
 * strategies wait; protective orders and closes by the operator go on within the decimals that the exchange takes now.
 */
export class GridChanges {
  readonly #halts = new Map<string, Halt>()
  readonly #present = new Map<string, PresentGrid>()

  /** Decimals that the exchange takes of a symbol; `undefined` if it has not changed them. */
  presentOf(symbol: string): PresentGrid | undefined {
    return this.#present.get(symbol)
  }

  /** Commands for a change of rules; `time` is ms UTC. */
  commandsOf(symbol: string, rules: readonly RuleChange[], time: number): readonly TradingCommanded[] {
    this.#observe(symbol, rules)
    const halt = this.#halts.get(symbol)
    if (halt !== undefined) {
      const { reason, rule, counted } = halt
      if (!rules.some(change => change.rule === rule && change.after === counted)) return []
      this.#halts.delete(symbol)
      return [{ type: 'tradingCommanded', command: 'resume', by: 'invariant', symbol, reason, time }]
    }
    const moved = rules.find(({ rule }) => GRID_RULES.has(rule))
    if (moved === undefined) return []
    const { rule, before, after } = moved
    const reason = `The exchange changed ${rule} of ${symbol} from ${before} to ${after}, so that its strategies trade nothing of it any more, exits included. Stop-losses, take-profits and flatten go on, cut to the decimals that the exchange takes; less than one of its steps may be left. Close what is open (npm run bot -- flatten, or by hand at the exchange), stop the bot, and start it with a new journal.`
    this.#halts.set(symbol, { rule, counted: before, reason })
    return [{ type: 'tradingCommanded', command: 'halt', by: 'invariant', symbol, reason, time }]
  }

  #observe(symbol: string, rules: readonly RuleChange[]): void {
    for (const { rule, after } of rules)
      if (after !== undefined && (rule === 'pricePrecision' || rule === 'quantityPrecision'))
        this.#present.set(symbol, { ...this.#present.get(symbol), [rule]: Number(after) })
  }
}
