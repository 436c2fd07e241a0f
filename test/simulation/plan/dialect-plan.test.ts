import { expect, it } from 'vitest'
import { inDialect } from './dialect-plan.ts'
import type { PlanKind, SeedPlan } from './simulation-plan.ts'

/** Dialects that a hundred plans of a kind draw. */
function drawnBy(kind: PlanKind): readonly string[] {
  const plan = { kind, exchange: {} } as SeedPlan // all that a draw looks at
  const names = Array.from(
    { length: 100 },
    (_, seed) => inDialect(seed, plan, 'drawn')?.exchange.dialect ?? '',
  )
  return [...new Set(names)].toSorted()
}

it('draws the document, and every host that has the accounts of a plan under the documented names', () => {
  const both = ['bitbaby', 'document', 'koinbay', 'odyssey', 'xme', 'zke']
  expect(drawnBy('both')).toEqual(both)
  for (const kind of ['spot', 'margin', 'beside'] as const)
    expect([kind, drawnBy(kind)]).toEqual([kind, [...both, 'fameex', 'gcbex'].toSorted()])
  expect(drawnBy('futures')).toEqual([...both, 'bitrue'].toSorted())
})

it('leaves out plans whose accounts a host has not', () => {
  const plan = (kind: PlanKind) => ({ kind, exchange: { seed: 3 } }) as SeedPlan // all that is looked at
  expect(inDialect(1, plan('spot'), 'bitrue')).toBeUndefined()
  expect(inDialect(1, plan('both'), 'gcbex')).toBeUndefined()
  expect(inDialect(1, plan('futures'), 'gaiaex')).toBeUndefined()
  expect(inDialect(1, plan('futures'), 'fameex')).toBeUndefined()
  expect(inDialect(1, plan('futures'), 'bitrue')?.exchange).toEqual({ seed: 3, dialect: 'bitrue' })
})
