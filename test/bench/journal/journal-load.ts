import { BotState } from '../../../src/bot/state/bot-state.ts'
import { RecordedEngine } from '../../../src/bot/state/recorded-engine.ts'
import type { EngineOutput, PlaceOrder } from '../../../src/domain/events/engine-output.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import type { JournalWriter } from '../../../src/journal/journal.ts'
import type { Strategy } from '../../../src/strategy/index.ts'
import { flipper } from '../../bot/test-strategies.ts'
import { SPOT_BTC } from '../../domain/instruments.ts'

const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000
const SYMBOL = SPOT_BTC.symbol

/** Gives the strategy that a `JournalLoad` runs. */
export const loadFlipper = (): Promise<Strategy> => Promise.resolve(flipper)

/** Writes what a bot writes that buys or sells on every kline, and is filled at once: five entries a kline, one of them a departure. */
export class JournalLoad {
  readonly #recorded: RecordedEngine
  #time = START
  #klines = 0

  private constructor(state: BotState, journal: JournalWriter, snapshotEntries: number) {
    this.#recorded = new RecordedEngine({
      state,
      journal,
      snapshotEntries,
      keptAt: 0,
      serverNow: () => this.#time,
      onNoSnapshot: why => {
        throw new Error(why)
      },
    })
  }

  /** Begins a session in an empty journal. */
  static async begin(journal: JournalWriter, snapshotEntries: number): Promise<JournalLoad> {
    const session = {
      bot: 'load',
      strategies: [{ file: '', parameters: {}, symbol: SYMBOL, interval: '1m', size: { base: 0.1 } }],
      instruments: [SPOT_BTC],
      balances: new Map([['USDT', amountOf('100000000')]]),
      continues: false,
    } as const
    const state = new BotState(loadFlipper)
    await state.begin(session)
    const load = new JournalLoad(state, journal, snapshotEntries)
    load.#recorded.begin(session)
    return load
  }

  /** Closes a kline, and takes everything that follows from it. */
  step(): void {
    const openTime = START + this.#klines++ * MINUTE
    this.#time = openTime + MINUTE
    const close = 30_000 + (this.#klines % 100)
    const kline = { openTime, open: close, high: close + 5, low: close - 5, close, volume: 3.5 }
    this.#act(this.#recorded.process({ type: 'klineClosed', symbol: SYMBOL, interval: '1m', kline }))
    this.#recorded.keepIfDue()
  }

  #act(outputs: readonly EngineOutput[]): void {
    for (const output of outputs) if (output.type === 'placeOrder') this.#fill(output)
  }

  #fill({ request }: PlaceOrder): void {
    const { clientOrderId, symbol, side, quantity, referencePrice: price } = request
    const [recorded, time, id] = [this.#recorded, this.#time, `${this.#klines}`]
    recorded.process({ type: 'orderUpdated', clientOrderId, event: 'submitted', time })
    void recorded.recordSend({ action: 'place', clientOrderId, symbol, timestamp: time, recvWindowMs: 5000 })
    recorded.commit()
    recorded.process({ type: 'orderUpdated', clientOrderId, event: 'accepted', exchangeOrderId: id, time })
    const traded = { id, clientOrderId, symbol, side, price, quantity, time }
    const fill = { ...traded, liquidity: 'taker', fee: amountOf('0'), feeAsset: 'USDT' } as const
    this.#act(recorded.process({ type: 'filled', fill }))
  }
}
