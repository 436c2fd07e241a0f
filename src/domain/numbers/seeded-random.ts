/** A reproducible stream of random numbers. */
export interface SeededRandom {
  /** Uniform in (0, 1): never 0, never 1. */
  readonly uniform: () => number
  /** Standard normal. */
  readonly normal: () => number
}

/** The stream of a seed (any text or number): sfc32 (Doty-Humphrey, PractRand) started from an FNV-1a hash. */
export function seededRandom(seed: string | number): SeededRandom {
  return streamOf(sfc32(hash32(`${seed}/a`), hash32(`${seed}/b`), hash32(`${seed}/c`), 1))
}

/**
 * One short, independent stream for every whole number: the draws of a minute depend on that minute alone,
 * not on earlier draws.
 */
export function seededRandomAt(seed: string): (index: number) => SeededRandom {
  const [a, b, c] = [hash32(`${seed}/a`), hash32(`${seed}/b`), hash32(`${seed}/c`)]
  return index => streamOf(sfc32(a ^ (index | 0), b ^ Math.floor(index / 2 ** 32), c, 1))
}

function streamOf(uniform: () => number): SeededRandom {
  // Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958.
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  return { uniform, normal }
}

/** The first numbers are thrown away until every bit of the start has reached every bit of them. */
const WARM_UP_ROUNDS = 12

function sfc32(a: number, b: number, c: number, counter: number): () => number {
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return ((sum >>> 0) + 0.5) / 2 ** 32
  }
  for (let round = 0; round < WARM_UP_ROUNDS; round++) next()
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
