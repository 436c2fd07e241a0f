import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Half as many again as cores: many tests wait for a process of their own, a disk or a socket.
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/fixed-seed.ts'],
    testTimeout: 120_000,
    env: {
      // Trials of tests are no trials of the project; a test of the study file names one.
      SLUICE_STUDY: 'none',
      // Processes and threads that tests start keep compiled modules here, those of a copy of the project the same ones.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node'),
      NODE_COMPILE_CACHE_PORTABLE: '1',
    },
    // Files share a process, and so the modules that they load: nothing of ours keeps anything between two of them.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Of tests that wait for processes of their own, in one file.
    maxConcurrency: 3,
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
  },
})
