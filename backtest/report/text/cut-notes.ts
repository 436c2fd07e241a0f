import { quantityUnit } from '../../../src/domain/instrument.ts'
import { quantityText, type Steps } from '../../../src/domain/numbers/grid.ts'
import type { OrderEnding } from '../../fills/order-ending.ts'
import type { CutOrders } from '../../results/cut-orders.ts'
import type { TradingReport } from '../trading-report.ts'
import { minuteText } from './figure-text.ts'

const CAUSES: Readonly<Record<OrderEnding, string>> = {
  maxVolumeShare: 'maxVolumeShare',
  recordedMarket: 'the recorded market',
  balance: 'the balance',
  ioc: 'IOC',
  fok: 'FOK',
  postOnly: 'post-only',
}

/** Orders that the market cut off, and exits whose place a later signal took: `Entries cut by FOK 1 ×: 25 of 25 contracts of …`. */
export function cutNotes({ cutOrders = [], replacedExits = [], markets }: TradingReport): string[] {
  const quantityOf = (symbol: string, ...parts: Steps[]) => {
    const market = markets.find(({ instrument }) => instrument.symbol === symbol)
    if (market === undefined) return symbol
    const texts = parts.map(part => quantityText(market.instrument, part))
    return `${texts.join(' of ')} ${quantityUnit(market.instrument)} of ${symbol}`
  }
  const cut = ({ symbol, purpose, cause, count, ordered, untraded }: CutOrders) =>
    `${purpose === 'entry' ? 'Entries' : 'Exits'} cut by ${CAUSES[cause]} ${count} ×: ${quantityOf(symbol, untraded, ordered)} not traded.`
  const [first] = replacedExits
  if (first === undefined) return cutOrders.map(cut)
  const { symbol, quantity, by, time } = first
  return [
    ...cutOrders.map(cut),
    `Exits replaced before all had traded ${replacedExits.length} ×, first at ${minuteText(time)} UTC: ${quantityOf(symbol, quantity)} had yet to be closed when a later ${by === 'enter' ? 'entry' : 'target'} took the place of the exit.`,
  ]
}
