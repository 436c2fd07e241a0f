import { parseConfig } from '../bot/config/parse-config.ts'
import { readYamlFile, type YamlFile } from '../bot/config/yaml-file.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { klinesIn } from '../klines/kline-columns.ts'
import { readKlineFile } from '../klines/read-kline-file.ts'
import { readTopOfBookFile, readTradeFile } from '../klines/read-tick-file.ts'
import { type SimulatorConfigInput, simulatorConfigSchema } from '../simulator/simulator-config.ts'

/**
 * Reads the configuration of a simulated exchange. What is in its files takes the place of a market of the type `file`
 * (klines) or `tickFile` (trades, and best quotes). Throws one `UsageError` that lists every problem.
 */
export function readExchangeInput(path: string): SimulatorConfigInput {
  const file = readYamlFile(path)
  const value = withKlines(file)
  parseConfig({ ...file, value }, simulatorConfigSchema)
  return value as SimulatorConfigInput // the schema just accepted it
}

function withKlines(file: YamlFile): unknown {
  const { value } = file
  if (!isSection(value) || !Array.isArray(value.listings)) return value
  const listings: readonly unknown[] = value.listings
  return { ...value, listings: listings.map((listing, index) => replayed(listing, index, file)) }
}

function replayed(listing: unknown, index: number, file: YamlFile): unknown {
  if (!isSection(listing) || !isSection(listing.market)) return listing
  const { type } = listing.market
  if (type !== 'file' && type !== 'tickFile') return listing
  try {
    return { ...listing, market: type === 'file' ? klineMarket(listing.market) : tickMarket(listing.market) }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const place = ['listings', index, 'market', 'file']
    throw file.errorFor([{ offset: file.offsetOf(place), sentence: error.message }])
  }
}

function klineMarket({ file, type: _type, ...market }: Section): Section {
  if (typeof file !== 'string')
    throw new UsageError('A market of the type file needs the path of a kline file.')
  return { ...market, type: 'klines', klines: klinesIn(readKlineFile(file).columns) }
}

/** Its file has trades; `quotesFile`, if any, their best bids and asks. */
function tickMarket({ file, quotesFile, type: _type, ...market }: Section): Section {
  if (typeof file !== 'string' || (quotesFile !== undefined && typeof quotesFile !== 'string')) {
    throw new UsageError(
      'A market of the type tickFile needs the path of a trade file, and may have a quotesFile.',
    )
  }
  const quotes = quotesFile === undefined ? {} : { quotes: readTopOfBookFile(quotesFile) }
  return { ...market, type: 'ticks', trades: readTradeFile(file), ...quotes }
}

type Section = Readonly<Record<string, unknown>>

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
