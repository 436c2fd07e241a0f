import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Half as many again as cores: many tests wait for a process of their own, a disk or a socket.
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
  },
})
