/** Ways to choose parameter sets. */
export const SAMPLERS = ['grid', 'random', 'sobol', 'tpe'] as const

/** Name of a sampler. */
export type SamplerName = (typeof SAMPLERS)[number]
