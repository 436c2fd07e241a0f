import { utcText } from '../../../src/domain/market-data/civil-date.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { CONFIDENCE, detectableShare, type TestedMoments } from './detectable-share.ts'
import type { CausalProof, Leak } from './prove-causal.ts'

/** A proof as lines of text: result, place and coverage. Not proven if `outside` is not empty. */
export function causalText(
  strategy: string,
  proof: CausalProof,
  klines: KlineColumns,
  outside: readonly string[],
): string {
  const { compared, moments, leak } = proof
  const covered = coverageText(proof)
  if (leak !== undefined) return leakText(strategy, leak, moments === undefined ? klines.openTime : moments)
  if (outside.length > 0) {
    return `Not proven: ${strategy} reaches for what no change of klines can reach: ${outside.join(', ')}.\n  It may know the future from there. Without it, nothing before a moment depends on the klines after it.\n${covered}`
  }
  const nothing = compared.signals === 0 ? `\n  It never signaled, so there was little to find.` : ''
  return `Causal: ${strategy} did the same before every moment, whatever klines came after it.\n${covered}${nothing}`
}

function coverageText({ cuts: { rows, active, silent }, compared, moments }: CausalProof): string {
  const { signals, orders, fills, roundTrips, klines } = compared
  const equity = moments === undefined ? `of ${klines} klines` : `at ${klines} closes`
  const kinds = [kindText(active, 'something was'), kindText(silent, 'nothing was')].filter(
    text => text !== '',
  )
  return [
    `  The future hidden at all ${klines} moments: ${signals} signals, ${orders} changes of orders, ${fills} fills, ${roundTrips} round trips and the equity ${equity} stayed the same.`,
    `  The future replaced at ${rows.length} moments: ${kinds.join(', ')}.`,
  ].join('\n')
}

/**
 * `100 of 900 at which something was decided or traded (look-ahead in 2.9% of them is found with 95%
 * confidence)`.
 */
function kindText(moments: TestedMoments, was: string): string {
  const { tested, of } = moments
  if (of === 0) return ''
  const share = (100 * detectableShare(moments)).toPrecision(2)
  return `${tested} of ${of} at which ${was} decided or traded (look-ahead in ${Number(share)}% of these would be found with ${100 * CONFIDENCE}% confidence)`
}

const AGAIN =
  'a second run on the same klines differs. It keeps something from one run to the next, or draws from chance or a clock.'

/** `times` are those of rows: of klines their opens, of several markets moments at which any closed. */
function leakText(
  strategy: string,
  { foundBy, cut, reach, difference }: Leak,
  times: ArrayLike<number>,
): string {
  const { what, handler, market, row, before, after } = difference
  const at = (index: number) => `${timeText(times, index)} (row ${index})`
  const by = `${handler === undefined ? '' : ` in ${handler}`}${market === undefined ? '' : ` of ${market}`}`
  const lines = [
    `First leak: ${what}${by} at the kline of ${at(row)}`,
    `  before: ${before ?? 'none'}`,
    `  after:  ${after ?? 'none'}`,
  ]
  if (foundBy === 'repeated') return [`Not causal: of ${strategy}, ${AGAIN}`, ...lines].join('\n')
  return [
    `Not causal: what ${strategy} does depends on klines that come later.`,
    ...lines,
    cut === undefined
      ? 'Each kline was hidden until it had closed.'
      : `The klines after ${at(cut)} were replaced. The decision changes even if only the klines from the ${reach}. after it on are replaced: it knows that far ahead, or keeps something from one run to the next, such as a variable of the file.`,
  ].join('\n')
}

function timeText(times: ArrayLike<number>, row: number): string {
  const time = times[row]
  return time === undefined ? 'the end' : utcText(time)
}
