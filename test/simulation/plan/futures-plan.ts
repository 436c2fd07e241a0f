import type { ContractTerms } from '../../../src/config/account-fields.ts'
import type { SimulatorConfigInput } from '../../../src/simulator/simulator-config.ts'

type Random = () => number
type ContractInput = NonNullable<NonNullable<SimulatorConfigInput['futures']>['contracts']>[number]

const LARGEST_LEVERAGE = 100

/** How the contracts of a bot are held. */
export function termsOf(random: Random): ContractTerms {
  const leverages = [1, 3, 10, 25, 50] as const
  return {
    leverage: leverages[Math.floor(random() * leverages.length)] ?? 1,
    marginMode: random() < 0.5 ? 'cross' : 'isolated',
    positionMode: random() < 0.5 ? 'oneWay' : 'twoWay',
  }
}

/** Contracts that follow their pairs: all of one size, fees and rates, now and then with small orders, or a mark price off the index. */
export function contractsFor(symbols: readonly string[], fee: number, random: Random): ContractInput[] {
  const [size, premium, rate] = [random(), random(), random()]
  const isSmall = random() < 0.15
  return symbols.map(symbol => ({
    symbol,
    multiplier: size < 0.7 ? '0.1' : '0.01',
    pricePrecision: 2,
    maxLever: LARGEST_LEVERAGE,
    ...(isSmall && { maxMarketVolume: 9, maxLimitVolume: 9 }),
    ...{ openTakerFee: `${fee}`, closeTakerFee: `${fee}` },
    ...{ openMakerFee: `${fee / 2}`, closeMakerFee: `${fee / 2}` },
    maintenance: [{ keepRate: '0.005' }],
    premium: premium < 0.6 ? '0' : `${Math.round((premium - 0.8) * 50) / 10_000}`,
    fundingHours: 1,
    ...(rate < 0.7 && { fundingRate: `${Math.round((rate - 0.35) * 100) / 10_000}` }),
    market: { type: 'spot' },
  }))
}
