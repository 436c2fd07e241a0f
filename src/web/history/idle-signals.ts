import { moneyText } from '../../bot/text/figures.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { KlineDecided } from '../../domain/events/explanation.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import type { Signal } from '../../domain/signal.ts'
import type { DecisionRecord } from './decision-record.ts'
import { quantityWithUnitOf } from './order-texts.ts'

const WAITS = 'It waits for the end of the orders that it replaces, which are canceled first.'

/** Positions of a strategy, equity and free money when it decided, as text. */
export function ownedTexts(
  { held, equity, free }: KlineDecided,
  instrument: Instrument,
): NonNullable<DecisionRecord['owned']> {
  return {
    held: held.length === 0 ? 'nothing' : heldText(held, instrument),
    equity: moneyText(amountToText(equity), instrument.quote),
    free: moneyText(amountToText(free), instrument.quote),
  }
}

/** Why the signals of a strategy led to no order, in sentences; empty where that is not known. */
export function idleText(
  strategy: string,
  outputs: readonly EngineOutput[],
  decided: KlineDecided | undefined,
  instrumentOf: (symbol: string) => Instrument,
): string {
  if (decided === undefined) return ''
  const isCanceling = outputs.some(({ type }) => type === 'cancelOrder')
  const reasons = outputs.flatMap(output =>
    output.type === 'signaled' && output.strategy === strategy && output.symbol === decided.symbol
      ? reasonOf(output.signal, decided, isCanceling, instrumentOf(output.symbol))
      : [],
  )
  return [...new Set(reasons)].join(' ')
}

function reasonOf(
  signal: Signal<string>,
  { held, entering, isLeaving }: KlineDecided,
  isCanceling: boolean,
  instrument: Instrument,
): readonly string[] {
  switch (signal.type) {
    case 'enter': {
      const { direction, scaleIn = false } = signal
      const same = held.filter(one => one.direction === direction)
      if (same.length > 0 && !scaleIn && !isLeaving)
        return [
          `${heldText(same, instrument)} was held already: an entry adds to a position only with scaleIn.`,
        ]
      if (entering.includes(direction) && !scaleIn)
        return [
          'An entry at market in this direction was under way: another one adds to it only with scaleIn.',
        ]
      return isCanceling ? [WAITS] : []
    }
    case 'exit':
      if (held.length === 0) return ['Nothing was held to exit from.']
      if (isCanceling) return [WAITS]
      return isLeaving ? ['An exit was under way.'] : []
    case 'protect':
      return held.length === 0
        ? ['Nothing was held to protect.']
        : [
            'The protective orders of the position change: each new one is placed once the old one is canceled, in the decision that follows that.',
          ]
    case 'target':
      return isCanceling
        ? [WAITS]
        : ['What is held, with the orders that are under way, was as near to the target as an order comes.']
    case 'cancelEntries':
      return isCanceling ? [] : ['No entry was waiting.']
    default:
      return []
  }
}

/** `LONG 0.00532 BTC`. */
function heldText(held: KlineDecided['held'], instrument: Instrument): string {
  return held
    .map(
      ({ direction, quantity }) => `${direction.toUpperCase()} ${quantityWithUnitOf(instrument, quantity)}`,
    )
    .join(' and ')
}
