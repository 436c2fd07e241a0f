import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import {
  codeField,
  decimalField,
  integerField,
  listField,
  optionalDecimalField,
  optionalIdField,
  optionalTextField,
} from '../wire/wire-field.ts'

/** A listed futures contract. Volumes count contracts, money counts quote, rates are fractions. */
export interface FuturesContract {
  /** Such as `E-BTC-USDT`. */
  readonly contractName: string
  readonly contractId: string | undefined
  /** Kind by the first letter of the name: E perpetual, S test, any other mixed. */
  readonly type: 'perpetual' | 'test' | 'mixed'
  /** Contracts that cannot be traded still answer with stale books. */
  readonly isTradable: boolean
  readonly side: keyof typeof SIDE_CODES
  /** Size of one contract, in `multiplierCoin`. */
  readonly multiplier: Decimal
  readonly multiplierCoin: string
  readonly marginCoin: string | undefined
  readonly pricePrecision: number
  readonly minOrderVolume: Decimal
  readonly minOrderMoney: Decimal
  readonly maxMarketVolume: Decimal
  readonly maxMarketMoney: Decimal
  readonly maxLimitVolume: Decimal
  readonly maxLimitMoney: Decimal | undefined
  /** Largest number of open orders. */
  readonly maxOpenOrders: number
  readonly minLeverage: Decimal
  readonly maxLeverage: Decimal
  readonly openTakerFeeRate: Decimal
  readonly openMakerFeeRate: Decimal
  readonly closeTakerFeeRate: Decimal
  readonly closeMakerFeeRate: Decimal
}

/** Wire code of a tradable contract (interface section 3.4). */
const TRADABLE = 1

/** Wire codes of a contract's direction: `forward` is margined and settled in quote, `backward` in base. */
const SIDE_CODES = { backward: 0, forward: 1 } as const

const wireContract = z.object({
  symbol: z.string(),
  contractId: optionalIdField,
  type: z.string(),
  status: integerField(),
  side: codeField(SIDE_CODES),
  multiplier: decimalField,
  multiplierCoin: z.string(),
  marginCoin: optionalTextField,
  pricePrecision: integerField(0, 18),
  minOrderVolume: decimalField,
  minOrderMoney: decimalField,
  maxMarketVolume: decimalField,
  maxMarketMoney: decimalField,
  maxLimitVolume: decimalField,
  maxLimitMoney: optionalDecimalField,
  maxValidOrder: integerField(0),
  minLever: decimalField,
  maxLever: decimalField,
  openTakerFee: decimalField,
  openMakerFee: decimalField,
  closeTakerFee: decimalField,
  closeMakerFee: decimalField,
})

function contractOf(wire: z.output<typeof wireContract>): FuturesContract {
  return {
    contractName: wire.symbol.toUpperCase(),
    contractId: wire.contractId,
    type: typeOf(wire.type),
    isTradable: wire.status === TRADABLE,
    side: wire.side,
    multiplier: wire.multiplier,
    multiplierCoin: wire.multiplierCoin,
    marginCoin: wire.marginCoin,
    pricePrecision: wire.pricePrecision,
    minOrderVolume: wire.minOrderVolume,
    minOrderMoney: wire.minOrderMoney,
    maxMarketVolume: wire.maxMarketVolume,
    maxMarketMoney: wire.maxMarketMoney,
    maxLimitVolume: wire.maxLimitVolume,
    maxLimitMoney: wire.maxLimitMoney,
    maxOpenOrders: wire.maxValidOrder,
    minLeverage: wire.minLever,
    maxLeverage: wire.maxLever,
    openTakerFeeRate: wire.openTakerFee,
    openMakerFeeRate: wire.openMakerFee,
    closeTakerFeeRate: wire.closeTakerFee,
    closeMakerFeeRate: wire.closeMakerFee,
  }
}

/** Answer of the contract list. */
export const contractsResponse = listField(wireContract.transform(contractOf))

function typeOf(letter: string): FuturesContract['type'] {
  if (letter === 'E') return 'perpetual'
  return letter === 'S' ? 'test' : 'mixed'
}
