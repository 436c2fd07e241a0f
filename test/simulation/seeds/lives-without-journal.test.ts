import { describe, expect, it } from 'vitest'
import { playLives } from './lives-without-journal.ts'

const SEEDS = 10

describe('lives without a journal', () => {
  it(`send no id twice, and book what they sent and nothing else (${SEEDS} seeds)`, async () => {
    const total = { orders: 0, fills: 0 }
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { violation, orders, fills } = await playLives(seed)
      expect(violation).toBeUndefined()
      total.orders += orders
      total.fills += fills
    }
    expect(total.orders).toBeGreaterThan(25)
    expect(total.fills).toBeGreaterThan(12)
  })
})
