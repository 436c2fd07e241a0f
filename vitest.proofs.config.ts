import { defineConfig } from 'vitest/config'
import tests from './vitest.config.ts'

/** Long proofs, with the settings of the tests: `npm run proofs`. */
export default defineConfig({ ...tests, test: { ...tests.test, include: ['test/**/*.proof.ts'] } })
