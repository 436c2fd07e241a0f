import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { waveCsv } from '../klines.ts'
import { fileWith, ROOT, sluice } from '../sluice-process.ts'
import { sluiceHere } from './in-process.ts'

const STRATEGY_INDEX = pathToFileURL(join(ROOT, 'src/strategy/index.ts')).href
const FORMULAS = pathToFileURL(join(ROOT, 'src/indicators/formula-indicator.ts')).href
const SMA_CROSS = ['strategies/sma-cross.ts', '--param', 'fast=5', '--param', 'slow=10']

const on = (strategy: readonly string[], ...more: readonly string[]) => [
  'backtest',
  ...strategy,
  '--data',
  fileWith('wave.csv', waveCsv(600)),
  '--symbol',
  'BTC/USDT',
  '--interval',
  '1h',
  ...more,
]

/** Enough klines for some 600 decisions, in place of those given before. */
const long = () => ['--data', fileWith('long.csv', waveCsv(26_000))]

/** Fewer, for decisions on every few klines. */
const some = () => ['--data', fileWith('some.csv', waveCsv(8000))]

/** A strategy file that starts with `before`. */
function strategyFile(definition: string, before = ''): string {
  const source = `import { defineStrategy, enterLong, exit } from '${STRATEGY_INDEX}'\n${before}\nexport default defineStrategy(${definition})\n`
  return fileWith('mine.ts', source)
}

describe('--prove-causal', () => {
  it('says that a strategy is causal, and what was compared', async () => {
    const { exitCode, out, err } = await sluiceHere(...on(SMA_CROSS, '--prove-causal'))
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^Causal: sma-cross did the same before every moment, whatever klines came after it\.\n {2}The future hidden at all 600 moments: \d+ signals, \d+ changes of orders, \d+ fills, \d+ round trips and the equity of 600 klines stayed the same\.\n {2}The future replaced at 599 moments: (\d+) of \1 at which something was decided or traded \(look-ahead in \S+% of these would be found with 95% confidence\), (\d+) of \2 at which nothing was decided or traded \(look-ahead in 0\.\d+% of these would be found with 95% confidence\)\.\n$/,
    )
  })

  it('takes as many moments as are asked for', async () => {
    expect((await sluiceHere(...on(SMA_CROSS, '--prove-causal', '3'))).out).toContain('replaced at 3 moments')
  })

  it('names the first leak with exit code 1: kline, values and handler', async () => {
    const strategy = strategyFile(
      `{
  name: 'sly',
  indicators: () => ({ next: indicatorOf({
    requiredKlines: 0,
    compute(klines, from, to, values, at) {
      for (let row = from; row < to; row++) values[at + row - from] = klines.close[row + 1]
    },
  }) }),
  onKline: ({ close }, { indicators: { next }, position }) => {
    if (position.direction === 'flat' && next.value > close) return enterLong()
    if (position.direction === 'long' && next.value < close) return exit()
  },
}`,
      `import { indicatorOf } from '${FORMULAS}'`,
    )
    const { exitCode, out, err } = await sluice(...on([strategy], '--prove-causal'))
    expect([exitCode, err]).toEqual([1, ''])
    const [verdict, leak, before, after, reach] = out.split('\n')
    expect(verdict).toBe('Not causal: what sly does depends on klines that come later.')
    expect(leak).toMatch(/^First leak: signal in onKline at the kline of 2024-01-\S+Z \(row \d+\)$/)
    expect([before, after].join('\n')).toMatch(
      /^ {2}before: (none|\{"type":.+)\n {2}after: {2}(none|\{"type":.+)$/,
    )
    expect(before?.slice(10)).not.toBe(after?.slice(10))
    expect(reach).toMatch(
      /were replaced\. The decision changes even if only the klines from the 1\. after it on are replaced: it knows that far ahead, or keeps something from one run to the next, such as a variable of the file\.$/,
    )
  })

  it('refuses an indicator that asks for klines that have not closed', async () => {
    const strategy = strategyFile(
      "{ name: 'asking', indicators: () => ({ next: { requiredKlines: 0, value: 0, previous: 0, update() {}, announce() {} } }) }",
    )
    const { exitCode, err } = await sluiceHere(...on([strategy], '--prove-causal'))
    expect(exitCode).toBe(2)
    expect(err).toContain(
      'The indicator "next" of strategy "asking" has a method announce, but no indicator gets klines ahead of time; compute in update, and leave it out.',
    )
  })

  it('does not vouch for a strategy that imports data', async () => {
    const data = JSON.stringify(fileWith('future.json', '[1, 2, 3]'))
    const strategy = strategyFile(
      "{ name: 'reader', onKline: () => undefined }",
      `import future from ${data} with { type: 'json' }\nvoid future`,
    )
    const { exitCode, out } = await sluice(...on([strategy], '--prove-causal'))
    expect(exitCode).toBe(1)
    expect(out).toMatch(
      /^Not proven: reader reaches for what no change of klines can reach: \S+future\.json\.\n/,
    )
  })
})

describe('--certify-warmup', () => {
  it('says what is needed beside what is declared', async () => {
    const { exitCode, out, err } = await sluiceHere(...on(SMA_CROSS, '--certify-warmup', ...long()))
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^Certified: sma-cross declares a warm-up of 10 klines, and its decisions need 10\.\n {2}Compared: (\d+) decisions after 10 klines of history with the same after \d+; prices to a tick, other numbers to a millionth\.\n {2}Different: 0 of \1, so at most 0\.\d+% of all, with 95% confidence\.\n {2}Certified is at most 0\.5%\.\n {2}Not looked at: what it keeps outside of `indicators` and `state`, such as in variables of its file\.\n$/,
    )
  })

  it('says that there are too few decisions, with exit code 1, and what they tell', async () => {
    const { exitCode, out } = await sluiceHere(...on(SMA_CROSS, '--certify-warmup'))
    expect(exitCode).toBe(1)
    expect(out).toMatch(
      /^Warm-up N\/A: Cannot be certified: only \d+ decisions could be compared\. To say that at most 0\.5% differ takes 598 of which none does; give it more klines\.\n {2}Declared: a warm-up of 10 klines\.\n {2}Compared: (\d+) decisions after 10 klines of history with the same after 150; .*\n {2}Different: 0 of \1, so at most \d\S*% of all, with 95% confidence\.\n {2}Certified is at most 0\.5%: for example none of 598\.\n/,
    )
  })

  it('refuses a warm-up that is too short, with exit code 1 and what to write', async () => {
    const strategy = strategyFile(`{
  name: 'hasty',
  indicators: () => ({ before: {
    requiredKlines: 0, previous: 0, closes: [],
    get value() { return this.closes.at(-4) ?? Number.NaN },
    update({ close }) { this.closes.push(close) },
  } }),
  onKline: ({ close }, { indicators: { before }, position }) => {
    if (position.direction === 'flat') return close > before.value ? enterLong() : undefined
    return close > before.value ? undefined : exit()
  },
}`)
    const { exitCode, out } = await sluice(...on([strategy], '--certify-warmup', ...long()))
    expect(exitCode).toBe(1)
    // The third close before the one it decides on.
    expect(out).toMatch(
      /^Not certified: hasty declares a warm-up of 0 klines, but its decisions need 3\. Declare it: warmUp: \(\) => 3\.\n/,
    )
  })

  // Strategies of a stranger; a plain run from a later start refutes both: it trades where the other does not.
  it.each([
    [
      'an average of all klines',
      `{
  name: 'x-wstate',
  state: () => ({ e: 0 }),
  onKline(k, { state, position }) {
    state.e = state.e === 0 ? k.close : state.e + (k.close - state.e) * 0.02
    if (k.close > state.e && position.direction === 'flat') return enterLong()
    if (k.close < state.e && position.direction !== 'flat') return exit()
  },
}`,
    ],
    [
      'a count of klines',
      `{
  name: 'x-wcount',
  state: () => ({ n: 0 }),
  onKline(k, { state }) {
    state.n++
    if (state.n % 7 === 0) return enterLong()
    if (state.n % 7 === 3) return exit()
  },
}`,
    ],
  ])('refuses a strategy that keeps %s in its state', async (_memory, definition) => {
    const { exitCode, out, err } = await sluice(
      ...on([strategyFile(definition)], '--certify-warmup', ...some()),
    )
    expect([exitCode, err]).toEqual([1, ''])
    expect(out).toMatch(
      /^Not certified: x-w\w+ declares a warm-up of 0 klines, but its decisions depend on what `state` remembers from before a start, which no warm-up restores, because its klines reach the indicators only\. Keep that in an indicator, or compute it from `history`\.\n/,
    )
    expect(out).toMatch(
      /\n {2}State: after a start (\d+) of \1 decisions without a position and orders differ from those of a run since the beginning of the data, so at least 9\d\S*% of all, with 95% confidence\.\n$/,
    )
  })
})
