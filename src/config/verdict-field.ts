import { z } from 'zod'
import { wholeNumber } from './fields.ts'
import { section } from './section.ts'

const SHARE = 'a number from 0 to 1'
const share = (byDefault: number) =>
  z.number({ error: SHARE }).min(0, { error: SHARE }).max(1, { error: SHARE }).default(byDefault)

const NUMBER = 'a number'
const number = (byDefault: number) => z.number({ error: NUMBER }).default(byDefault)

const BLOCKS = 'an even number from 2 to 24'

/** Thresholds and sizes of `npm run validate`. */
export const verdictField = section({
  superiorAbilityP: share(0.05).describe(
    'The p-value of the test for superior predictive ability must be below it.',
  ),
  deflatedSharpe: share(0.95).describe('The deflated Sharpe ratio, a probability, must be above it.'),
  outOfSampleT: number(1).describe('The t of the daily returns out of sample must be above it.'),
  alphaT: number(1).describe(
    'The t of the alpha out of sample, the part of the daily returns that holding the market does not explain, must be above it.',
  ),
  efficiency: number(0.5).describe(
    'The part of the return in sample that is left out of sample must be above it, in all tests and in the newer half of them.',
  ),
  controlP: share(0.05).describe('The p-values of random entries and of shifted signals must be below it.'),
  overfitting: share(0.5).describe('Warns where the probability of backtest overfitting is not below it.'),
  losingShare: share(0.05).describe(
    'Warns where the share of redrawn sequences of round trips that lose is not below it.',
  ),
  windows: wholeNumber(1).default(8).describe('Windows of the walk-forward.'),
  resamples: wholeNumber(100, 1_000_000)
    .default(1000)
    .describe('Resamples of the test, and redrawn sequences.'),
  blocks: wholeNumber(2, 24)
    .refine(blocks => blocks % 2 === 0, { error: BLOCKS })
    .default(16)
    .describe('Blocks for the probability of backtest overfitting; an even number.'),
  controls: wholeNumber(1, 1_000_000)
    .default(999)
    .describe('Controls of each kind: random entries, shifted signals.'),
  missedShare: share(0.1).describe('Stress: the fraction of entries that are missed.'),
  noiseShare: share(0.1).describe("Stress: noise of a close, in parts of a kline's mean range."),
  repeats: wholeNumber(1, 1000).default(3).describe('Stress: draws of each scenario that is drawn.'),
})

/** Settings of a verdict. */
export type VerdictConfig = z.output<typeof verdictField>

/** The settings that a configuration without any has. */
export const DEFAULT_VERDICT = verdictField.parse({})
