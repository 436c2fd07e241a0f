import { isRecord } from '../../domain/is-record.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import { type Fields, isPositive, shown } from '../given-fields.ts'

const FIELDS = ['side', 'price', 'size', 'postOnly', 'reduceOnly', 'tag']
const SIZES = ['quote', 'base', 'equityFraction']

/** Problem of a ladder of quotes, a sentence; `undefined` for a valid one. */
export function quotesProblem({ quotes, name, tolerance }: Fields): string | undefined {
  if (!Array.isArray(quotes)) return `Its quotes are ${shown(quotes)}, but must be a list.`
  if (name !== undefined && (typeof name !== 'string' || name === ''))
    return `Its name is ${shown(name)}, but must be a text that is not empty.`
  if (tolerance !== undefined && !isTolerance(tolerance))
    return `Its tolerance is ${shown(tolerance)}, but must be a number from 0 to below 1.`
  for (const quote of quotes) {
    const problem = quoteProblem(quote)
    if (problem !== undefined) return problem
  }
  return crossingProblem(quotes)
}

function isTolerance(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < 1
}

function quoteProblem(quote: unknown): string | undefined {
  if (!isRecord(quote)) return `One of its quotes is ${shown(quote)}, but must be { side, price, size }.`
  for (const name in quote) {
    if (!FIELDS.includes(name)) return `A quote has no field "${name}".${suggestion(name, FIELDS)}`
  }
  const { side, price, size, tag } = quote
  if (side !== 'buy' && side !== 'sell')
    return `One of its quotes has the side ${shown(side)}, but must have "buy" or "sell".`
  if (!isPositive(price))
    return `Its ${side} quote has the price ${shown(price)}, but must have a finite number above 0.`
  if (tag !== undefined && typeof tag !== 'string')
    return `Its ${side} quote at ${price} has the tag ${shown(tag)}, but must have a text.`
  const flag = ['postOnly', 'reduceOnly'].find(
    name => quote[name] !== undefined && typeof quote[name] !== 'boolean',
  )
  if (flag !== undefined)
    return `Its ${side} quote at ${price} has the ${flag} ${shown(quote[flag])}, but must have true or false.`
  if (isSize(size)) return undefined
  return `Its ${side} quote at ${price} has the size ${shown(size)}, but must have exactly one of ${SIZES.join(', ')}, finite and above 0.`
}

function isSize(size: unknown): boolean {
  const [entry, ...others] = isRecord(size) ? Object.entries(size) : []
  return entry !== undefined && others.length === 0 && SIZES.includes(entry[0]) && isPositive(entry[1])
}

/** Crossing quotes would trade with each other. */
function crossingProblem(quotes: readonly { readonly side: string; readonly price: number }[]) {
  let [bid, ask] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const { side, price } of quotes) {
    if (side === 'buy') bid = Math.max(bid, price)
    else ask = Math.min(ask, price)
  }
  if (bid < ask) return undefined
  return `It buys at ${bid} and sells at ${ask}, but every buy must be below every sell.`
}
