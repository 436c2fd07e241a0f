/** SLUICE_RUNS=50 tries every property of the simulated exchange fifty times as often as usual. */
const FACTOR = Number(process.env.SLUICE_RUNS ?? 1)

/** How often to try a property, and how long (ms) that may take. */
export function propertyRuns(usual: number): { readonly numRuns: number; readonly timeout: number } {
  return { numRuns: Math.ceil(usual * FACTOR), timeout: 30_000 + 30_000 * FACTOR }
}
