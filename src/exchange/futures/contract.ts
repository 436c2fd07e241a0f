import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { partialListField } from '../wire/list-field.ts'
import {
  codeField,
  contractNameParameter,
  decimalIfGiven,
  integerField,
  integerIfGiven,
  optionalIdField,
  optionalTextField,
} from '../wire/wire-field.ts'

/**
 * A listed futures contract. Volumes count contracts, money counts quote, rates are fractions. What a host
 * omits is `undefined`.
 */
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
  readonly multiplier: Decimal | undefined
  readonly multiplierCoin: string | undefined
  readonly marginCoin: string | undefined
  readonly pricePrecision: number | undefined
  readonly minOrderVolume: Decimal | undefined
  readonly minOrderMoney: Decimal | undefined
  readonly maxMarketVolume: Decimal | undefined
  readonly maxMarketMoney: Decimal | undefined
  readonly maxLimitVolume: Decimal | undefined
  readonly maxLimitMoney: Decimal | undefined
  /** Largest number of open orders. */
  readonly maxOpenOrders: number | undefined
  readonly minLeverage: Decimal | undefined
  readonly maxLeverage: Decimal | undefined
  readonly openTakerFeeRate: Decimal | undefined
  readonly openMakerFeeRate: Decimal | undefined
  readonly closeTakerFeeRate: Decimal | undefined
  readonly closeMakerFeeRate: Decimal | undefined
}

/** Wire code of a tradable contract (interface section 3.4). */
const TRADABLE = 1

/** Wire codes of a contract's direction: `forward` is margined and settled in quote, `backward` in base. */
const SIDE_CODES = { backward: 0, forward: 1 } as const

/** A name such as `E-BTC-USDT`, in capitals. */
const contractNameField = contractNameParameter.transform(name => name.toUpperCase())

const wireContract = z.object({
  symbol: contractNameField,
  contractId: optionalIdField,
  type: optionalTextField,
  status: integerField(),
  side: codeField(SIDE_CODES),
  multiplier: decimalIfGiven,
  multiplierCoin: optionalTextField,
  marginCoin: optionalTextField,
  pricePrecision: integerIfGiven(0, 18),
  minOrderVolume: decimalIfGiven,
  minOrderMoney: decimalIfGiven,
  maxMarketVolume: decimalIfGiven,
  maxMarketMoney: decimalIfGiven,
  maxLimitVolume: decimalIfGiven,
  maxLimitMoney: decimalIfGiven,
  maxValidOrder: integerIfGiven(0),
  minLever: decimalIfGiven,
  maxLever: decimalIfGiven,
  openTakerFee: decimalIfGiven,
  openMakerFee: decimalIfGiven,
  closeTakerFee: decimalIfGiven,
  closeMakerFee: decimalIfGiven,
})

function contractOf(wire: z.output<typeof wireContract>): FuturesContract {
  return {
    contractName: wire.symbol,
    contractId: wire.contractId,
    type: typeOf(wire.type ?? wire.symbol.slice(0, wire.symbol.indexOf('-'))),
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
export const contractsResponse = partialListField(wireContract.transform(contractOf), 'symbol', 'contracts')

function typeOf(letter: string): FuturesContract['type'] {
  if (letter === 'E') return 'perpetual'
  return letter === 'S' ? 'test' : 'mixed'
}
