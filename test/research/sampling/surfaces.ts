import type { ParameterPoint, SearchSpace } from '../../../src/research/sampling/search-space.ts'

/** A function with a known minimum. */
export interface Surface {
  readonly space: SearchSpace
  readonly minimise: (point: ParameterPoint) => number
}

/** F. H. Branin, 1972: three equal minima of 0.397887. */
const branin: Surface = {
  space: [
    { kind: 'range', name: 'x', min: -5, max: 10 },
    { kind: 'range', name: 'y', min: 0, max: 15 },
  ],
  minimise: point => {
    const [x, y] = [Number(point.x), Number(point.y)]
    const valley = y - (5.1 / (4 * Math.PI ** 2)) * x ** 2 + (5 / Math.PI) * x - 6
    return valley ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10
  },
}

const SCALES = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
]
const CENTRES = [
  [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
  [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
  [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.665],
  [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
]
const DEPTHS = [1, 1.2, 3, 3.2]

/** J. K. Hartman, 1973, in six dimensions: the minimum is -3.32237. */
const hartmann6: Surface = {
  space: Array.from({ length: 6 }, (_, index) => ({ kind: 'range', name: `${index}`, min: 0, max: 1 })),
  minimise: point =>
    -DEPTHS.reduce((sum, depth, hole) => {
      const squares = (SCALES[hole] ?? []).map(
        (scale, index) => scale * (Number(point[index]) - (CENTRES[hole]?.[index] ?? 0)) ** 2,
      )
      return sum + depth * Math.exp(-squares.reduce((total, square) => total + square, 0))
    }, 0),
}

export const SURFACES = { branin, hartmann6 }
