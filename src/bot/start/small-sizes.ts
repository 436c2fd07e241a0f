import type { Logger } from 'pino'
import type { StrategyConfig } from '../../config/bot-config.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { amountFromNumber, amountToText } from '../../domain/numbers/amount.ts'
import { baseAmount } from '../../domain/numbers/grid.ts'
import type { Strategy } from '../../strategy/define-strategy.ts'

type Sized = Pick<StrategyConfig, 'symbol' | 'size'> & { readonly strategy: Pick<Strategy, 'name'> }

/** Warns of configured sizes below the smallest order of their instrument, of which every order would be denied. */
export function logSmallSizes(
  log: Logger,
  strategies: readonly Sized[],
  instruments: ReadonlyMap<string, Instrument>,
): void {
  for (const { strategy, symbol, size } of strategies) {
    const instrument = instruments.get(symbol)
    const texts = instrument && size && tooSmall(size, instrument)
    if (texts === undefined) continue
    log.warn(
      { strategy: strategy.name, symbol, ...texts },
      'the size of a strategy is below the smallest order',
    )
  }
}

/** The size and the smallest order, such as `1 USDT` and `10 USDT`; `undefined` where it is large enough, or depends on prices. */
function tooSmall(
  size: NonNullable<Sized['size']>,
  instrument: Instrument,
): { readonly size: string; readonly smallest: string } | undefined {
  const { base, quote, minNotional, minQuantity } = instrument
  if ('quote' in size) {
    if (amountFromNumber(size.quote) >= minNotional) return undefined
    return { size: `${size.quote} ${quote}`, smallest: `${amountToText(minNotional)} ${quote}` }
  }
  const smallest = baseAmount(instrument, minQuantity)
  if (!('base' in size) || amountFromNumber(size.base) >= smallest) return undefined
  return { size: `${size.base} ${base}`, smallest: `${amountToText(smallest)} ${base}` }
}
