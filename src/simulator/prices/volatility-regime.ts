import { seededRandomAt } from '../../domain/numbers/seeded-random.ts'
import { type Octave, smoothNoise } from './smooth-noise.ts'

/** Activity of one minute, relative to the usual minute. */
export interface VolatilityRegime {
  /** Deviation of returns, slowly changing; the mean of its square is 1. */
  readonly volatility: number
  /** Factor of this minute's return: fat tails and jumps; the mean of its square is 1. */
  readonly burst: number
}

/**
 * Logarithm of the volatility: many speeds at once, as in a multiplicative cascade (Mandelbrot, Fisher, Calvet, "A
 * Multifractal Model of Asset Returns", 1997), so that the autocorrelation of absolute returns decays slowly over days. The
 * variances are fitted to minutes of BTC/USDT and ETH/USDT.
 */
const VOLATILITY: readonly Octave[] = [
  { minutes: 2, variance: 0.04 },
  { minutes: 8, variance: 0.06 },
  { minutes: 30, variance: 0.08 },
  { minutes: 120, variance: 0.12 },
  { minutes: 480, variance: 0.1 },
  { minutes: 2000, variance: 0.08 },
]
const LOG_VARIANCE = VOLATILITY.reduce((total, { variance }) => total + variance, 0)

/** One jump in two days, eight times as large as the usual move. */
const JUMP_PROBABILITY = 1 / 3000
const JUMP_SIZE = 8
const BURST_NORM = 1 / Math.sqrt(1 + JUMP_PROBABILITY * (JUMP_SIZE ** 2 - 1))

/** The volatility regime of a seed: a function of the minute since 1970. */
export function volatilityRegimeOf(seed: string): (minute: number) => VolatilityRegime {
  const logVolatility = smoothNoise(`${seed}/volatility`, VOLATILITY)
  const randomAt = seededRandomAt(`${seed}/bursts`)
  return minute => {
    const { uniform } = randomAt(minute)
    // Chi-square with 8 degrees of freedom; a normal times sqrt(6 / it) is Student's t8 of variance 1.
    const chiSquare = -2 * Math.log(uniform() * uniform() * uniform() * uniform())
    const jump = uniform() < JUMP_PROBABILITY ? JUMP_SIZE : 1
    return {
      // The mean of the square of a lognormal with these parameters is 1.
      volatility: Math.exp(logVolatility(minute) - LOG_VARIANCE),
      burst: Math.sqrt(6 / chiSquare) * jump * BURST_NORM,
    }
  }
}
