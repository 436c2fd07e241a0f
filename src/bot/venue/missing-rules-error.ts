import { readYamlFile, type YamlFile } from '../../config/yaml-file.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** A traded instrument, and the rules of it that neither the exchange nor the configuration gives. */
export interface MissingRules {
  readonly symbol: string
  readonly rules: readonly string[]
}

/** An expected value of each rule, as a comment in the configuration. */
const EXPECTED: Readonly<Record<string, string>> = {
  pricePrecision: 'decimals of a price, such as 2',
  quantityPrecision: 'decimals of a quantity, such as 5',
  minNotional: 'least worth of an order in quote, such as "5"; "0" if there is none',
  makerFeeRate: 'a fraction, such as "0.001" for 0.1%',
  takerFeeRate: 'a fraction, such as "0.001" for 0.1%',
  contractSize: 'base of one contract, such as "0.0001"',
}

/** The exchange omits rules that are needed to trade, and the configuration does not give them either. */
export class MissingRulesError extends UsageError {
  readonly missing: readonly MissingRules[]

  /** `configPath`: file of the configuration, for the line to write the rules at. */
  constructor(missing: readonly MissingRules[], configPath: string | undefined) {
    super(placed(missing, configPath))
    this.missing = missing
  }
}

function placed(missing: readonly MissingRules[], configPath: string | undefined): string {
  const what = missing.map(({ symbol, rules }) => `${rules.join(', ')} of ${symbol}`).join('; ')
  const sentence = `The exchange does not list ${what}. Write what it publishes elsewhere`
  if (configPath === undefined) return `${sentence} into the configuration:\n${linesFor(missing)}`
  const file = readYamlFile(configPath)
  const offset = file.offsetOfKey(['instruments'])
  const where = hasInstruments(file) ? 'under "instruments" here' : 'into the configuration, for example here'
  return file.errorFor([{ offset, sentence: `${sentence} ${where}:\n${linesFor(missing)}` }]).message
}

function hasInstruments({ value }: YamlFile): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'instruments') !== undefined
}

/** The lines of the configuration that are missing, with a value to fill in for each rule. */
function linesFor(missing: readonly MissingRules[]): string {
  const lines = missing.flatMap(({ symbol, rules }) => [
    `  ${symbol}:`,
    ...rules.map(rule => `    ${rule}: # ${EXPECTED[rule] ?? 'as the exchange publishes it'}`),
  ])
  return ['instruments:', ...lines].join('\n')
}
