import type { InstrumentRules } from '../../config/instrument-rules.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { Decimal, decimalOf } from '../../domain/numbers/decimal.ts'
import type { FuturesContract } from '../../exchange/futures/contract.ts'
import type { SpotSymbol } from '../../exchange/spot/spot-symbol.ts'

/** Rules that the configuration may give instead of the exchange's list. */
type RuleName =
  | 'pricePrecision'
  | 'quantityPrecision'
  | 'minQuantity'
  | 'maxQuantity'
  | 'minNotional'
  | 'makerFeeRate'
  | 'takerFeeRate'
  | 'contractSize'
  | 'minLeverage'
  | 'maxLeverage'

interface Row<Listed> {
  readonly rule: RuleName
  /** Listed fields that the rule replaces. */
  readonly fields: readonly (keyof Listed)[]
  /** True if nothing can be traded without it. */
  readonly isNeeded?: true
}

const PAIR: readonly Row<SpotSymbol>[] = [
  { rule: 'pricePrecision', fields: ['pricePrecision'], isNeeded: true },
  { rule: 'quantityPrecision', fields: ['quantityPrecision'], isNeeded: true },
  { rule: 'minQuantity', fields: ['minQuantity'] },
  { rule: 'maxQuantity', fields: ['maxQuantity'] },
  { rule: 'minNotional', fields: ['minNotional'], isNeeded: true },
  { rule: 'makerFeeRate', fields: ['makerFeeRate'], isNeeded: true },
  { rule: 'takerFeeRate', fields: ['takerFeeRate'], isNeeded: true },
]

const CONTRACT: readonly Row<FuturesContract>[] = [
  { rule: 'pricePrecision', fields: ['pricePrecision'], isNeeded: true },
  { rule: 'minQuantity', fields: ['minOrderVolume'] },
  { rule: 'maxQuantity', fields: ['maxMarketVolume', 'maxLimitVolume'] },
  { rule: 'minNotional', fields: ['minOrderMoney'], isNeeded: true },
  { rule: 'makerFeeRate', fields: ['openMakerFeeRate', 'closeMakerFeeRate'], isNeeded: true },
  { rule: 'takerFeeRate', fields: ['openTakerFeeRate', 'closeTakerFeeRate'], isNeeded: true },
  { rule: 'contractSize', fields: ['multiplier'], isNeeded: true },
  { rule: 'minLeverage', fields: ['minLeverage'] },
  { rule: 'maxLeverage', fields: ['maxLeverage'] },
]

/** A listed instrument with the rules of the configuration in place of the listed ones. */
export interface ConfiguredListing<Listed> {
  readonly listing: Listed
  /** Names of needed rules that neither the exchange nor the configuration gives. */
  readonly missing: readonly string[]
  /** A sentence with both values of each rule that the exchange lists otherwise. */
  readonly difference: string | undefined
}

/** A listed pair by the exchange and by `rules`, which come first. */
export function configuredPair(pair: SpotSymbol, rules: InstrumentRules): ConfiguredListing<SpotSymbol> {
  return configured(pair, pair.symbol, rules, PAIR)
}

/** A listed contract by the exchange and by `rules`, which come first. */
export function configuredContract(
  contract: FuturesContract,
  rules: InstrumentRules,
): ConfiguredListing<FuturesContract> {
  return configured(contract, contract.contractName, rules, CONTRACT)
}

function configured<Listed extends object>(
  listed: Listed,
  name: string,
  rules: InstrumentRules,
  rows: readonly Row<Listed>[],
): ConfiguredListing<Listed> {
  const given = rows.flatMap(row => {
    const value = configuredValue(rules, row.rule)
    return value === undefined ? [] : [{ ...row, value, told: toldOf(listed, row) }]
  })
  const replaced = given.flatMap(({ fields, value }) => fields.map(field => [field, value] as const))
  const odd = given.filter(({ value, told }) => told.some(one => one !== String(value)))
  return {
    // Each row replaces a field by a value of its type: decimals, but for the two precisions.
    listing: { ...listed, ...Object.fromEntries(replaced) },
    missing: rows
      .filter(row => row.isNeeded && toldOf(listed, row).length < row.fields.length)
      .map(({ rule }) => rule)
      .filter(rule => rules[rule] === undefined),
    difference: odd.length === 0 ? undefined : differenceOf(name, odd),
  }
}

interface Odd {
  readonly rule: string
  readonly value: Decimal | number
  readonly told: readonly string[]
}

function differenceOf(name: string, odd: readonly Odd[]): string {
  const here = odd.map(({ rule, value }) => `${rule} ${String(value)}`).join(', ')
  const there = odd.map(({ rule, told }) => `${rule} ${[...new Set(told)].join(' and ')}`).join(', ')
  return `The exchange lists ${name} with ${there}, but the configuration says ${here}, which counts.`
}

/** Values of the listed fields of a rule, as text. */
function toldOf<Listed>(listed: Listed, { fields }: Row<Listed>): readonly string[] {
  return fields.flatMap(field => (listed[field] === undefined ? [] : [String(listed[field])]))
}

/** Precisions are numbers, all other rules of a list decimals. */
function configuredValue(rules: InstrumentRules, rule: RuleName): Decimal | number | undefined {
  const value = rules[rule]
  if (typeof value === 'bigint') return decimalOf(amountToText(value))
  if (typeof value !== 'number' || rule === 'pricePrecision' || rule === 'quantityPrecision') return value
  return new Decimal(value)
}
