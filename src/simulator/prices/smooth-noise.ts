import { seededRandomAt } from '../seeded-random.ts'

/** How strongly a noise moves, and how fast. */
export interface Octave {
  /** Minutes after which it has forgotten where it was. */
  readonly minutes: number
  readonly variance: number
}

/**
 * Noise in time that is normal at every moment, its variance the sum of its octaves': a function of the minute alone, so
 * that whoever asks about a minute finds the same weather. Asked about ascending minutes it is fast.
 */
export function smoothNoise(seed: string, octaves: readonly Octave[]): (minute: number) => number {
  const parts = octaves.map(octave => octaveNoise(`${seed}/${octave.minutes}`, octave))
  return minute => {
    let sum = 0
    for (const part of parts) sum += part(minute)
    return sum
  }
}

/** Between two independent normal values the weights are a cosine and a sine, whose squares add up to 1 everywhere. */
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
