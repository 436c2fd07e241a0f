import type { Kline } from '../../domain/market-data/kline.ts'
import { klineProblem } from '../../domain/market-data/kline.ts'
import { SluiceError } from '../../domain/sluice-error.ts'
import { readAnswer } from '../../exchange/call/answer.ts'
import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../exchange/endpoints.ts'
import type { FuturesTicker } from '../../exchange/futures/futures-ticker.ts'
import type { ExchangeIndexPrice } from '../../exchange/futures/index-price.ts'
import type { ExchangeDepth } from '../../exchange/spot/depth.ts'
import type { ExchangeTicker } from '../../exchange/spot/ticker.ts'
import { depthProblem, indexPriceProblem, tickerProblem } from '../../market/implausible.ts'
import type { HostSurvey } from './host-survey.ts'
import type { CallTried } from './tried-calls.ts'

/** A public read without which no bot follows a market, live or on paper. */
interface NeededRead {
  readonly key: keyof typeof ENDPOINTS
  /** Name of what it brings. */
  readonly what: string
  /** Why a readable answer cannot be used, worded to follow the name; `undefined` for one that can. */
  readonly problemOf: (answer: unknown) => string | undefined
}

// Each takes the answers of its own row.
const pairTicker = (answer: unknown) => {
  const [read] = answer as readonly ExchangeTicker[]
  return read === undefined ? 'the list is empty' : tickerProblem(read)
}
const ticker = (answer: unknown) => tickerProblem(answer as FuturesTicker)
const index = (answer: unknown) => indexPriceProblem(answer as ExchangeIndexPrice)
const depth = (answer: unknown) => {
  const book = answer as ExchangeDepth
  if (book.bids.length === 0 || book.asks.length === 0) return 'a side of it is empty'
  return depthProblem(book)
}
const klines = (answer: unknown) => {
  const read = answer as readonly Kline[]
  const problems = read.map(klineProblem)
  return problems.length > 0 && problems.every(problem => problem !== undefined) ? problems[0] : undefined
}

const NEEDED: Readonly<Record<Host, readonly NeededRead[]>> = {
  spot: [
    { key: 'spotTicker', what: 'ticker', problemOf: pairTicker },
    { key: 'spotDepth', what: 'order book', problemOf: depth },
    { key: 'spotKlines', what: 'klines', problemOf: klines },
  ],
  futures: [
    { key: 'futuresTicker', what: 'ticker', problemOf: ticker },
    { key: 'futuresDepth', what: 'order book', problemOf: depth },
    { key: 'futuresIndex', what: 'index price', problemOf: index },
    { key: 'futuresKlines', what: 'klines', problemOf: klines },
  ],
}

/** Why a market of the host cannot be followed, a sentence for each read that is needed; none where all can be used. */
export function unusableReads({
  host,
  tried,
  listing,
  stopped,
}: Pick<HostSurvey, 'host' | 'tried' | 'listing' | 'stopped'>): readonly string[] {
  if (stopped !== undefined) return []
  const [kind, symbol] =
    host === 'spot'
      ? (['pair', listing.sample.symbol] as const)
      : (['contract', listing.sample.contractName] as const)
  if (symbol === undefined)
    return [`The ${host} host lists no ${kind} that trades, so there is nothing to follow.`]
  return NEEDED[host].flatMap(read => {
    const why = whyNot(read, tried)
    return why === undefined
      ? []
      : [`The ${host} host has no ${read.what} of ${symbol} that can be used: ${why}`]
  })
}

function whyNot({ key, problemOf }: NeededRead, tried: readonly CallTried[]): string | undefined {
  const calls = tried.filter(({ row }) => row.key === key)
  const answered = calls.find(({ outcome }) => outcome === 'answered')
  if (answered?.reply?.kind !== 'answer') return unanswered(calls)
  try {
    const { status, text } = answered.reply.raw
    const problem = problemOf(readAnswer(ENDPOINTS[key], { status, body: text }, message => message))
    return problem && `${problem}.`
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code === 'INVARIANT') throw error
    return error.message
  }
}

function unanswered(calls: readonly CallTried[]): string {
  for (const { path, reply } of calls) {
    if (reply?.kind === 'silence') return reply.reason
    if (reply?.kind === 'refusal' && reply.code !== undefined)
      return `${path} is refused: ${reply.reason} (${reply.code}).`
    if (reply?.kind === 'page' && reply.raw.status !== 404)
      return `${path} answers with a page instead of JSON (HTTP ${reply.raw.status}).`
  }
  return `${calls.map(({ path }) => path).join(', ')}: the call is missing.`
}
