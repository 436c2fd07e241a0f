import { requireKind } from '../../config/config-kind.ts'
import { parseConfig } from '../../config/parse-config.ts'
import { readYamlFile, type YamlFile } from '../../config/yaml-file.ts'
import { isRecord } from '../../domain/is-record.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { readKlineFile } from '../../klines/formats/read-kline-file.ts'
import { readTopOfBookFile, readTradeFile } from '../../klines/formats/read-tick-file.ts'
import { klinesIn } from '../../klines/kline-columns.ts'
import { type SimulatorConfigInput, simulatorConfigSchema } from '../../simulator/simulator-config.ts'

type Section = Readonly<Record<string, unknown>>
type Path = readonly (string | number)[]

/**
 * Reads the configuration of a simulated exchange. Data of files replace a market of the type `file` (klines)
 * or `tickFile` (trades, and best quotes), of a pair or of a contract. Rejects with one `UsageError` that
 * lists all problems.
 */
export async function readExchangeInput(path: string): Promise<SimulatorConfigInput> {
  const file = readYamlFile(path)
  requireKind(path, file.value, 'exchange')
  const value = await withFiles(file)
  parseConfig({ ...file, value }, simulatorConfigSchema)
  return value as SimulatorConfigInput // the schema just accepted it
}

async function withFiles(file: YamlFile): Promise<unknown> {
  const { value } = file
  if (!isRecord(value)) return value
  return {
    ...value,
    ...(Array.isArray(value.listings) && { listings: await withMarkets(value.listings, ['listings'], file) }),
    ...(isRecord(value.futures) && { futures: await withContracts(value.futures, file) }),
  }
}

async function withContracts(futures: Section, file: YamlFile): Promise<Section> {
  if (!Array.isArray(futures.contracts)) return futures
  return { ...futures, contracts: await withMarkets(futures.contracts, ['futures', 'contracts'], file) }
}

function withMarkets(entries: readonly unknown[], path: Path, file: YamlFile): Promise<readonly unknown[]> {
  return Promise.all(
    entries.map(async (entry, index) =>
      isRecord(entry) && isRecord(entry.market)
        ? { ...entry, market: await replayed(entry.market, [...path, index, 'market'], file) }
        : entry,
    ),
  )
}

/** A contract that follows a spot pair may have its own market for the case that the pair is not listed. */
async function replayed(market: Section, path: Path, file: YamlFile): Promise<Section> {
  const { type, ifUnlisted } = market
  if (isRecord(ifUnlisted)) {
    return { ...market, ifUnlisted: await replayed(ifUnlisted, [...path, 'ifUnlisted'], file) }
  }
  if (type !== 'file' && type !== 'tickFile' && type !== 'live') return market
  try {
    if (type === 'live')
      throw new UsageError(
        'A market of the type live is moved by a bot with "venue: { type: paper }"; here it would stand still.',
      )
    return type === 'file' ? await klineMarket(market) : await tickMarket(market)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw file.errorFor([{ offset: file.offsetOf([...path, 'file']), sentence: error.message }])
  }
}

async function klineMarket({ file, type: _type, ...market }: Section): Promise<Section> {
  if (typeof file !== 'string')
    throw new UsageError('A market of the type file needs the path of a kline file.')
  const { columns } = await readKlineFile(file)
  return { ...market, type: 'klines', klines: klinesIn(columns) }
}

/** Market of recorded trades; `quotesFile`, if given, has their best bids and asks. */
async function tickMarket({ file, quotesFile, type: _type, ...market }: Section): Promise<Section> {
  if (typeof file !== 'string' || (quotesFile !== undefined && typeof quotesFile !== 'string')) {
    throw new UsageError(
      'A market of the type tickFile needs the path of a trade file, and may have a quotesFile.',
    )
  }
  const quotes = quotesFile === undefined ? {} : { quotes: await readTopOfBookFile(quotesFile) }
  return { ...market, type: 'ticks', trades: await readTradeFile(file), ...quotes }
}
