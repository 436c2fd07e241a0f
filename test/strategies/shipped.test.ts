import { describe, expect, it } from 'vitest'
import { SHIPPED } from '../shipped-files.ts'
import { loadShipped } from './strategy-files.ts'

describe.each(SHIPPED)('strategies/%s.ts', name => {
  it('exports a strategy of its own name, with a description', async () => {
    const strategy = await loadShipped(name)
    expect(strategy.name).toBe(name)
    expect(strategy.description).toMatch(/^[A-Z].{20,}\.$/)
  })

  it('describes each of its parameters in a sentence', async () => {
    const { parameters } = await loadShipped(name)
    expect(Object.keys(parameters).length).toBeGreaterThan(0)
    for (const { description } of Object.values(parameters)) expect(description).toMatch(/^[A-Z].*\.$/)
  })

  it('has defaults within the bounds it names', async () => {
    const { parameters } = await loadShipped(name)
    for (const parameter of Object.values(parameters)) {
      if (parameter.type === 'choice') expect(parameter.options).toContain(parameter.default)
      if (parameter.type === 'boolean' || parameter.type === 'choice') continue
      expect(parameter.min).toBeLessThanOrEqual(parameter.default)
      expect(parameter.default).toBeLessThanOrEqual(parameter.max)
      if (parameter.type === 'integer') expect(parameter.default % 1).toBe(0)
    }
  })

  it('starts with its defaults', async () => {
    const strategy = await loadShipped(name)
    const defaults = Object.entries(strategy.parameters).map(([key, parameter]) => [key, parameter.default])
    expect(strategy.parameterValues({})).toEqual(Object.fromEntries(defaults))
  })
})
