import { defineConfig } from 'vitest/config'

export default defineConfig({
  // All cores: by default one is left idle, which is half of a small machine.
  test: { include: ['test/**/*.test.ts'], testTimeout: 120_000, maxWorkers: '100%' },
})
