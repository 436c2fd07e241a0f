import type { Instrument } from '../../domain/instrument.ts'
import type { Engine } from '../../engine/engine.ts'

/** A book, the instrument that it holds, and the name of the strategy that trades it. */
interface OwnedBook {
  readonly name: string
  readonly instrument: Instrument
  readonly strategy: string
}

/** Every book of an engine's strategies. */
export function booksOf({ ledger, runners }: Pick<Engine, 'ledger' | 'runners'>): readonly OwnedBook[] {
  const markets = runners.flatMap(runner => runner.markets)
  return markets.flatMap(({ symbol, books, strategy }) =>
    books.all.map(name => ({ name, instrument: ledger.instrument(symbol), strategy })),
  )
}
