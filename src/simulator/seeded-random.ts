/** A reproducible stream of random numbers. */
export interface SeededRandom {
  /** Uniform in (0, 1): never 0, never 1. */
  uniform(): number
  /** Standard normal. */
  normal(): number
  /** Student's t with 4 degrees of freedom, scaled to variance 1: fat tails like those of returns. */
  fatTailed(): number
}

/** The stream of a seed (any text): sfc32 (Doty-Humphrey, PractRand) started from an FNV-1a hash. */
export function seededRandom(seed: string): SeededRandom {
  const uniform = sfc32(hash32(`${seed}/a`), hash32(`${seed}/b`), hash32(`${seed}/c`))
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  return {
    uniform,
    normal,
    // Chi-square with 4 degrees of freedom is -2 ln(u1 u2); t4 = z / sqrt(chi2 / 4), of variance 2.
    fatTailed: () => normal() / Math.sqrt((-2 * Math.log(uniform() * uniform())) / 4) / Math.SQRT2,
  }
}

function sfc32(first: number, second: number, third: number): () => number {
  let [a, b, c, counter] = [first, second, third, 1]
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return ((sum >>> 0) + 0.5) / 2 ** 32
  }
  for (let round = 0; round < 12; round++) next()
  return next
}

/** FNV-1a, 32 bit, over UTF-16 code units. */
function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash
}
