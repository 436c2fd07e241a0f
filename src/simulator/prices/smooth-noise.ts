import { seededRandomAt } from '../../domain/numbers/seeded-random.ts'

/** Variance and period of one component of a noise. */
export interface Octave {
  /** Minutes after which it has forgotten where it was. */
  readonly minutes: number
  readonly variance: number
}

/**
 * Noise in time that is normal at every moment; its variance is the sum of its octaves'. It is a pure
 * function of the minute, so that every caller gets the same value. Ascending minutes are fast.
 */
export function smoothNoise(seed: string, octaves: readonly Octave[]): (minute: number) => number {
  const parts = octaves.map(octave => octaveNoise(`${seed}/${octave.minutes}`, octave))
  return minute => {
    let sum = 0
    for (const part of parts) sum += part(minute)
    return sum
  }
}

/** Interpolates independent normal values with cosine and sine weights, whose squares always add up to 1. */
function octaveNoise(seed: string, { minutes, variance }: Octave): (minute: number) => number {
  const randomAt = seededRandomAt(seed)
  const deviation = Math.sqrt(variance)
  const phase = randomAt(-1).uniform()
  let [node, before, after] = [Number.NaN, 0, 0]
  return minute => {
    const position = minute / minutes + phase
    const at = Math.floor(position)
    if (at !== node) {
      before = at === node + 1 ? after : randomAt(at).normal()
      after = randomAt(at + 1).normal()
      node = at
    }
    const angle = ((position - at) * Math.PI) / 2
    return deviation * (Math.cos(angle) * before + Math.sin(angle) * after)
  }
}
