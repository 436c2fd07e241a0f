import { defineConfig } from 'vitest/config'

/** What a person does with the project, from a clean copy on: `npm run journeys`. */
export default defineConfig({
  test: {
    include: ['test/journeys/**/*.journey.ts'],
    testTimeout: 3_600_000,
    maxWorkers: 1,
    reporters: ['verbose'],
  },
})
