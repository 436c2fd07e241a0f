import type { Host } from '../../exchange/endpoints/endpoint.ts'
import type { LosslessJson } from '../../exchange/wire/lossless-json.ts'
import type { Sample } from './asked-paths.ts'
import { type AnsweredObject, entriesIn } from './json-entries.ts'

/** Instruments that a host lists. */
export interface HostListing {
  readonly count: number
  /** The instrument that calls are asked about. */
  readonly sample: Sample
  /** Its entry in the list. */
  readonly entry: AnsweredObject | undefined
  /** Keys of the configuration (instruments) that the list does not tell, by the number of instruments that lack them. */
  readonly lacking: ReadonlyMap<string, number>
}

/** Keys of an entry that tell a key of the configuration, by host. */
const SOURCES: Readonly<Record<Host, Readonly<Record<string, readonly string[]>>>> = {
  spot: {
    pricePrecision: ['pricePrecision'],
    quantityPrecision: ['quantityPrecision'],
    minNotional: ['limitAmountMin'],
    makerFeeRate: ['feeRateMaker'],
    takerFeeRate: ['feeRateTaker'],
  },
  futures: {
    contractSize: ['multiplier'],
    pricePrecision: ['pricePrecision'],
    minNotional: ['minOrderMoney'],
    makerFeeRate: ['openMakerFee', 'closeMakerFee'],
    takerFeeRate: ['openTakerFee', 'closeTakerFee'],
  },
}

const PREFERRED = /^(E-|[A-Z0-9]+-)?BTC[-/]?USDT$/i

/** Instruments in the answer to `symbols` or `contracts`; none without an answer. */
export function listingIn(host: Host, answer: LosslessJson | undefined): HostListing {
  const entries = answer === undefined ? [] : entriesIn(answer).filter(entry => isOpen(entry))
  const named = entries.flatMap(entry => {
    const name = nameOf(host, entry)
    return name === undefined ? [] : [{ name, entry }]
  })
  const chosen = named.find(({ name }) => PREFERRED.test(name)) ?? named[0]
  const sample = host === 'spot' ? { symbol: chosen?.name } : { contractName: chosen?.name }
  return {
    count: named.length,
    sample,
    entry: chosen?.entry,
    lacking: lackingIn(
      host,
      named.map(({ entry }) => entry),
    ),
  }
}

function lackingIn(host: Host, entries: readonly AnsweredObject[]): ReadonlyMap<string, number> {
  const counts = Object.entries(SOURCES[host]).map(([key, sources]): [string, number] => [
    key,
    entries.filter(entry => sources.some(source => !isTold(entry[source]))).length,
  ])
  return new Map(counts.filter(([, count]) => count > 0))
}

function isTold(value: LosslessJson | undefined): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** A contract with the status 0 is closed. */
function isOpen({ status }: AnsweredObject): boolean {
  return status !== '0'
}

function nameOf(
  host: Host,
  { symbol, baseAsset, quoteAsset, SymbolName }: AnsweredObject,
): string | undefined {
  if (host === 'futures') return typeof symbol === 'string' ? symbol : undefined
  if (typeof baseAsset === 'string' && typeof quoteAsset === 'string')
    return `${baseAsset}/${quoteAsset}`.toUpperCase()
  return typeof SymbolName === 'string' ? SymbolName.toUpperCase() : undefined
}
