import { utcText } from '../../src/domain/civil-date.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import type { CausalProof, Leak } from './prove-causal.ts'

/** A proof in words, a line each: what was found, where, and what it covers. Not proven where `outside` is not empty. */
export function causalText(
  strategy: string,
  { cuts, compared, moments, leak }: CausalProof,
  klines: KlineColumns,
  outside: readonly string[],
): string {
  const { signals, orders, fills, roundTrips } = compared
  const covered = `Compared up to each of ${cuts.length} moments: ${signals} signals, ${orders} changes of orders, ${fills} fills, ${roundTrips} round trips and the equity ${moments === undefined ? `of ${compared.klines} klines` : `at ${compared.klines} closes`}.`
  if (leak !== undefined) return leakText(strategy, leak, moments === undefined ? klines.openTime : moments)
  if (outside.length > 0) {
    return `Not proven: ${strategy} reaches for what no change of klines can reach: ${outside.join(', ')}.\n  It may know the future from there. Without it, nothing before a moment depends on the klines after it.\n  ${covered}`
  }
  const nothing = signals === 0 ? `\n  It never signaled, so there was little to find.` : ''
  return `Causal: ${strategy} did the same before every moment, whatever klines came after it.\n  ${covered}${nothing}`
}

/** `times` are those of rows: of klines their opens, of several markets moments at which any closed. */
function leakText(strategy: string, { cut, reach, difference }: Leak, times: ArrayLike<number>): string {
  const { what, handler, market, row, before, after } = difference
  const at = (index: number) => `${timeText(times, index)} (row ${index})`
  const by = `${handler === undefined ? '' : ` in ${handler}`}${market === undefined ? '' : ` of ${market}`}`
  const lines = [
    `First leak: ${what}${by} at the kline of ${at(row)}`,
    `  before: ${before ?? 'none'}`,
    `  after:  ${after ?? 'none'}`,
  ]
  if (cut === undefined) {
    return [
      `Not causal: a second run of ${strategy} on the same klines differs. It keeps something from one run to the next, or draws from chance or a clock.`,
      ...lines,
    ].join('\n')
  }
  return [
    `Not causal: what ${strategy} does depends on klines that come later.`,
    ...lines,
    `The klines after ${at(cut)} were replaced. It changes even where only klines from the ${reach}. after its own on are.`,
  ].join('\n')
}

function timeText(times: ArrayLike<number>, row: number): string {
  const time = times[row]
  return time === undefined ? 'the end' : utcText(time)
}
