import { grouped } from '../../domain/numbers/grouped.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import { durationText, notionalText, signedMoneyText, signedPercentText } from './figures.ts'
import { inTicks, type LevelStatus, type PositionStatus } from './position-status.ts'

/** A position in one line: `LONG 836 contracts (0.0836 BTC, cost 4,986 USDT), entry 59,640.0, mark 59,700.1, +5.02 USDT (+0.10%), liquidation price 39,981.4`. */
export function positionText(position: PositionStatus): string {
  const { direction, entryPrice, pricePrecision, markPrice, unrealised, liquidationPrice, quote } = position
  return [
    `${direction.toUpperCase()} ${sizeText(position)}`,
    `entry ${grouped(inTicks(entryPrice, pricePrecision))}${openEntryText(position)}`,
    ...(markPrice === undefined
      ? []
      : [`${isContract(position) ? 'mark' : 'last'} ${grouped(markPrice)}${ageText(position)}`]),
    ...(unrealised === undefined ? [] : [resultText(unrealised, quote, position.unrealisedRate)]),
    ...(liquidationPrice === undefined ? [] : [`liquidation price ${grouped(liquidationPrice)}`]),
  ].join(', ')
}

function ageText({ priceAgeMs }: PositionStatus): string {
  return priceAgeMs === undefined ? '' : ` (${durationText(priceAgeMs)} old)`
}

function openEntryText({ openEntryPrice, pricePrecision }: PositionStatus): string {
  return openEntryPrice === undefined
    ? ''
    : ` (the exchange's average; ${grouped(inTicks(openEntryPrice, pricePrecision))} of the entries still open)`
}

/** A result in money and percent: `+5.02 USDT (+0.10%)`. */
export function resultText(amount: string, quote: string, rate: string | undefined): string {
  const percent = rate === undefined ? '' : ` (${signedPercentText(rate)})`
  return `${signedMoneyText(amount, quote)}${percent}`
}

/**
 * Prices of the protective orders of a position, and what no stop closes: `stop-loss 58,000.0, take-profit 62,000.0 (418
 * contracts)`, `stop-loss 58,000.0 (1 BTC); not covered by a stop: 0.5 BTC`; `undefined` without protective orders.
 */
export function levelsText({ levels, quantity, unit, notCovered }: PositionStatus): string | undefined {
  if (levels.length === 0) return undefined
  const rest =
    notCovered === undefined ? '' : `; not covered by a stop: ${quantityWithUnit(notCovered, unit)}`
  const texts = levels
    .map(level => {
      const part = level.quantity === quantity ? '' : ` (${quantityWithUnit(level.quantity, unit)})`
      return `${levelText(level)}${part}`
    })
    .join(', ')
  return `${texts}${rest}`
}

/** Notes on a position beside its levels: what is too small for a stop, and what is closed already and not booked. */
export function positionNotes(position: PositionStatus): readonly string[] {
  const { unit, notCovered, notCoveredBecause, closedUnlisted } = position
  return [
    ...(notCovered === undefined || notCoveredBecause === undefined
      ? []
      : [`NO STOP for ${quantityWithUnit(notCovered, unit)}, too small for one: ${notCoveredBecause}`]),
    ...(closedUnlisted === undefined
      ? []
      : [
          `closed at the exchange, and counted until it lists the trades: ${quantityWithUnit(closedUnlisted, unit)}`,
        ]),
  ]
}

function levelText({ kind, price, activationPrice }: LevelStatus): string {
  const name = kind === 'trailingStop' ? `${orderWord(kind)} at` : orderWord(kind)
  if (price !== undefined) return `${name} ${grouped(price)}`
  return activationPrice === undefined ? name : `trailing stop active from ${grouped(activationPrice)}`
}

/** A quantity with its unit, without trailing zeros of base: `836 contracts`, `0.5 BTC`. */
export function quantityWithUnit(quantity: string, unit: string): string {
  const trimmed = quantity.includes('.') ? quantity.replace(/\.?0+$/, '') : quantity
  return `${grouped(trimmed)} ${unit === 'contracts' && trimmed === '1' ? 'contract' : unit}`
}

function sizeText(position: PositionStatus): string {
  const { quantity, unit, base, baseAsset, cost, quote } = position
  const inBase = isContract(position) ? `${grouped(base)} ${baseAsset}, ` : ''
  return `${quantityWithUnit(quantity, unit)} (${inBase}cost ${notionalText(cost, quote)})`
}

function isContract({ unit }: PositionStatus): boolean {
  return unit === 'contracts'
}
