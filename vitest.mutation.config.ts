import { defineConfig } from 'vitest/config'
import { MUTATED_ROOMS } from './test/mutation/mutated-rooms.ts'

const room = MUTATED_ROOMS[process.env.SLUICE_MUTATED_ROOM ?? '']

export default defineConfig({
  test: {
    include: [...(room?.tests ?? [])],
    setupFiles: ['test/mutation/no-shrinking.ts'],
    testTimeout: 120_000,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
})
