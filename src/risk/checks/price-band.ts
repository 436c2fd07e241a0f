import { amountOf, amountToText, type Rate, times } from '../../domain/numbers/amount.ts'
import { priceAmount, priceText } from '../../domain/numbers/grid.ts'
import { pricesOf } from '../prices-of.ts'
import type { RiskCheck } from '../risk-check.ts'

/** The prices that a strategy chose for an order lie within `rate` of the latest price. Protective orders may be anywhere: their place is the protection. */
export function priceBand(rate: Rate): RiskCheck {
  return (draft, { instrument }) => {
    if (draft.protects !== undefined) return undefined
    const { referencePrice } = draft
    const width = times(priceAmount(instrument, referencePrice), rate)
    const outside = pricesOf(draft.spec).find(price => {
      const distance = priceAmount(instrument, price) - priceAmount(instrument, referencePrice)
      return distance > width || -distance > width
    })
    if (outside === undefined) return undefined
    const percent = `${amountToText(times(ONE_HUNDRED, rate))}%`
    const latest = `${priceText(instrument, referencePrice)} ${instrument.quote}`
    const actual = `${priceText(instrument, outside)} ${instrument.quote}`
    return {
      rule: 'priceBand',
      limit: `${percent} around ${latest}`,
      actual,
      message: `The price ${actual} is more than ${percent} away from the latest price ${latest}.`,
    }
  }
}

const ONE_HUNDRED = amountOf('100')
