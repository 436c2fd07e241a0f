import { SluiceError } from '../../domain/sluice-error.ts'
import type { ExactNumber } from '../spot/order-placement.ts'
import { ORDER_UNIT_CODES, type PositionAction } from './futures-code.ts'

/** Unit of the volume of an order: contracts, base units, or an amount of quote. */
type VolumeUnit = keyof typeof ORDER_UNIT_CODES

/** Units in which a host reads volumes; see `FuturesHostProfile`. */
export interface VolumeUnits {
  /** Units that are sent in the key `orderUnit`. */
  readonly orderUnits: readonly VolumeUnit[]
  readonly marketOrderUnit: Readonly<Record<PositionAction, VolumeUnit | 'unknown'>>
}

export interface UnitVolume {
  readonly volume: ExactNumber
  readonly unit: VolumeUnit
}

/** The host reads the volume of an order in another unit than it is given in, or may do so; nothing was sent. */
export class UnitNotReadError extends SluiceError {
  /** `why`: the reason, and `advice`: what to do, each a whole sentence. */
  constructor(why: string, advice: string) {
    super(`The order was not sent. ${why} ${advice}`, { code: 'UNIT_NOT_READ', reaction: 'skip' })
  }
}

/**
 * Wire fields of a volume, with its unit where the host reads that. Throws `UnitNotReadError` for a market order in
 * another unit than the host's, and for a unit that cannot be sent.
 */
export function volumeFields(
  { volume, unit }: UnitVolume,
  { type, action }: { readonly type: string; readonly action: PositionAction },
  { orderUnits, marketOrderUnit }: VolumeUnits,
) {
  if (type === 'market') {
    const read = marketOrderUnit[action]
    if (read === 'unknown') throw unknownUnit(action)
    if (read === 'quote' && unit !== 'quote') throw readsQuote(unit)
    if (read === 'quote') return { volume, ...unitField(unit, orderUnits) }
  }
  if (unit !== 'contracts' && !orderUnits.includes(unit))
    throw new UnitNotReadError(
      `Its volume is given in ${unit}, but the profile of the exchange knows of no such unit ("orderUnits").`,
      'Give contracts.',
    )
  return { volume, ...unitField(unit, orderUnits) }
}

function unitField(unit: VolumeUnit, orderUnits: readonly VolumeUnit[]): { orderUnit?: number } {
  return orderUnits.includes(unit) ? { orderUnit: ORDER_UNIT_CODES[unit] } : {}
}

function unknownUnit(action: PositionAction): UnitNotReadError {
  const others = action === 'open' ? 'contracts or quote' : 'contracts'
  return new UnitNotReadError(
    `It is a market order that ${action}s a position, and nobody has told in which unit the exchange reads its volume.`,
    `Send a limit order that is immediate or canceled (ioc) instead; or find the unit out with the smallest order, and write "marketOrderUnit: { ${action}: … }" (${others}) into the profile.`,
  )
}

function readsQuote(unit: VolumeUnit): UnitNotReadError {
  return new UnitNotReadError(
    `It is a market order that opens a position of a number of ${unit === 'base' ? 'base units' : unit}, but the exchange reads its volume as an amount of quote.`,
    'Give quoteAmount, which leaves the quantity to the market; or send a limit order that is immediate or canceled (ioc), which is exact.',
  )
}
