import type { Instrument } from '../../domain/instrument.ts'
import { amountOf, amountToText, type Rate, times } from '../../domain/numbers/amount.ts'
import { priceAmount, priceText, type Ticks } from '../../domain/numbers/grid.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'
import { pricesOf } from '../prices-of.ts'
import type { RiskCheck } from '../risk-check.ts'

/** The prices that a strategy chose for an order lie within `rate` of the latest price. Protective orders may be anywhere: their place is the protection. */
export function priceBand(rate: Rate): RiskCheck {
  return (draft, { instrument }, passed) => {
    if (draft.protects !== undefined) return undefined
    const { referencePrice } = draft
    const width = times(priceAmount(instrument, referencePrice), rate)
    const prices = pricesOf(draft.spec)
    const outside = prices.find(price => {
      const distance = priceAmount(instrument, price) - priceAmount(instrument, referencePrice)
      return distance > width || -distance > width
    })
    if (outside === undefined) {
      const [first] = prices
      if (first !== undefined) passed?.(figuresOf(instrument, rate, referencePrice, first))
      return undefined
    }
    const figures = figuresOf(instrument, rate, referencePrice, outside)
    const latest = `${priceText(instrument, referencePrice)} ${instrument.quote}`
    const message = `The price ${figures.actual} is more than ${percentOf(rate)} away from the latest price ${latest}.`
    return { ...figures, message }
  }
}

const ONE_HUNDRED = amountOf('100')

function figuresOf(instrument: Instrument, rate: Rate, latest: Ticks, price: Ticks): PassedCheck {
  return {
    rule: 'priceBand',
    limit: `${percentOf(rate)} around ${priceText(instrument, latest)} ${instrument.quote}`,
    actual: `${priceText(instrument, price)} ${instrument.quote}`,
  }
}

function percentOf(rate: Rate): string {
  return `${amountToText(times(ONE_HUNDRED, rate))}%`
}
